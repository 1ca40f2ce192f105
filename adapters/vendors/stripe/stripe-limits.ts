export interface StripeLimits {
  /** For a query, with all retries, because a user waits for the answer. */
  timeoutMs: number;
  /** For the single attempt of a call that moves money. It is long, because Stripe asks the card's bank. */
  paymentTimeoutMs: number;
  /** How often a query without an answer is retried. */
  retries: number;
}

export const STRIPE_LIMITS: StripeLimits = { timeoutMs: 5_000, paymentTimeoutMs: 20_000, retries: 1 };
