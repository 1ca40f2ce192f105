export interface RequestClaim {
  userId: string;
  /** The client's `Idempotency-Key`. */
  key: string;
  /** Method and path: the same key on another route is another request. */
  route: string;
  /** Hash of everything else that makes the request what it is. */
  requestHash: string;
}

export interface KeptAnswer {
  status: number;
  answer: unknown;
}

export type ClaimOutcome =
  /** `owner` tells this claim from one that takes it over. */
  | { kind: 'first'; owner: string }
  | { kind: 'repeated'; kept: KeptAnswer }
  | { kind: 'in flight' }
  | { kind: 'reused' };

/** The first answer to each request that must have one effect, kept for a day. */
export abstract class IdempotentRequests {
  /** Claims the key for this request; a claim whose request died can be taken over after a minute. */
  abstract claim(request: RequestClaim, now: Date): Promise<ClaimOutcome>;
  /** Keeps the answer, unless the claim was taken over: then its new owner's answer counts. */
  abstract keep(request: RequestClaim, owner: string, kept: KeptAnswer): Promise<void>;
  /**
   * Removes a claim whose request changed nothing, so that it can be tried again; not if another request took it
   * over.
   */
  abstract release(request: RequestClaim, owner: string): Promise<void>;
}
