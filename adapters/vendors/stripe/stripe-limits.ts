export interface StripeLimits {
  /** Time limit of a query, all retries included. It is short, because a user waits for the answer. */
  timeoutMs: number;
  /** Time limit of a call that moves money, which has one attempt. It is long, because Stripe asks the card's bank. */
  paymentTimeoutMs: number;
  retries: number;
}

export const STRIPE_LIMITS: StripeLimits = { timeoutMs: 5_000, paymentTimeoutMs: 20_000, retries: 1 };
