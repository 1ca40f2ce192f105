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

/** Stores the first answer to each request that must act once, for a day. */
export abstract class IdempotentRequests {
  /**
   * Claims the key for this request. If the request of a claim died, another request can take the claim over after a
   * minute.
   */
  abstract claim(request: RequestClaim, now: Date): Promise<ClaimOutcome>;
  /** Stores the answer, unless another request took the claim over: then the answer of the new owner counts. */
  abstract keep(request: RequestClaim, owner: string, kept: KeptAnswer): Promise<void>;
  /**
   * Removes the claim of a request that changed nothing, so that it can be retried. Does nothing if another request
   * took it over.
   */
  abstract release(request: RequestClaim, owner: string): Promise<void>;
}
