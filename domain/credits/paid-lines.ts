import type { Unexplained } from '../shared/invoice-event.js';

/** An invoice was paid with what the customer had there, or lines that sell no plan changed what was due. */
const PAID_OTHERWISE = 'the lines and the payment differ: customer balance or proration';

/**
 * Allots the cash that paid an invoice to its lines, each in full as far as the cash goes; the first line takes
 * what exceeds them all.
 * @param grossMicroUsd of each line that sells a plan
 * @returns what no cash covers of each line; undefined if cash covers them all
 */
export function unexplainedOf(
  grossMicroUsd: readonly number[],
  cashMicroUsd: number,
): (Unexplained | undefined)[] {
  let rest = cashMicroUsd;
  const missing = grossMicroUsd.map((gross) => {
    const paid = Math.min(gross, rest);
    rest -= paid;
    return gross - paid;
  });
  return missing.map((amount, line) => {
    const amountMicroUsd = line === 0 ? amount - rest : amount;
    return amountMicroUsd === 0 ? undefined : { amountMicroUsd, reason: PAID_OTHERWISE };
  });
}
