/** How long Stripe is waited for. */
export interface StripeLimits {
  /** A question may take so long in all, repeats included: somebody waits for the answer. */
  timeoutMs: number;
  /** A call that moves money may take so long, once: the card's bank is asked meanwhile. */
  paymentTimeoutMs: number;
  /** How often a question without an answer is put again. */
  retries: number;
}

export const STRIPE_LIMITS: StripeLimits = { timeoutMs: 5_000, paymentTimeoutMs: 20_000, retries: 1 };
