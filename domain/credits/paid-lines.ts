import type { Unexplained } from '../shared/invoice-event.js';

/** The customer's balance at the provider paid a part, or lines without a plan changed the amount due. */
const PAID_OTHERWISE = 'the lines and the payment differ: customer balance or proration';

/**
 * Allots the cash that paid an invoice to its lines, each in full as far as the cash goes. The first line takes the
 * excess.
 * @param grossMicroUsd of each line that sells a plan
 * @returns the part of each line that no cash covers, or undefined for a covered line
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
