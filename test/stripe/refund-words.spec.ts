import { expect, it } from '@jest/globals';
import { stripeWords } from '../../adapters/vendors/stripe/stripe-words.js';

/** From the reference of refunds, plus the statuses that are used if it gives no reason. */
const PENDING = ['charge_pending', 'insufficient_funds', 'processing', 'pending', 'requires_action'];
const FAILURES = [
  'lost_or_stolen_card',
  'expired_or_canceled_card',
  'charge_for_pending_refund_disputed',
  'insufficient_funds',
  'declined',
  'merchant_request',
  'unknown',
  'failed',
  'canceled',
];

it('[FIN-125] every reason that Stripe documents for a waiting or failed refund has words of its own, any other is named', () => {
  for (const [codes, words] of [
    [PENDING, stripeWords.ofWaitingRefund],
    [FAILURES, stripeWords.ofFailedRefund],
  ] as const) {
    const told = codes.map(words);
    expect(new Set(told).size).toBe(codes.length);
    for (const text of told) expect(text).not.toMatch(/_|that Stripe calls/);
    for (const code of ['something_new', 'constructor', ''])
      expect(words(code)).toBe(`for a reason that Stripe calls ${code}`);
  }
});
