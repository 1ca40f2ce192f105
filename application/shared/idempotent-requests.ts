export interface RequestClaim {
  userId: string;
  /** The client's `Idempotency-Key`. */
  key: string;
  /** Method and path. The same key on another route is another request. */
  route: string;
  /** Hash of everything else that identifies the request. */
  requestHash: string;
}

export interface KeptAnswer {
  status: number;
  answer: unknown;
}

export type ClaimOutcome =
  /** `owner` distinguishes this claim from a claim that takes it over. */
  | { kind: 'first'; owner: string }
  | { kind: 'repeated'; kept: KeptAnswer }
  | { kind: 'in flight' }
  | { kind: 'reused' };
