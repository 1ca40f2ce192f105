import type { Unexplained } from '../shared/invoice-event.js';

/** An invoice was paid with what the customer had there, or lines that sell no plan changed what was due. */
const PAID_OTHERWISE = 'the lines and the payment differ: customer balance or proration';

/**
 * Lays the cash that paid an invoice against its lines, each in full as far as it goes; the first has what is more
 * than all of them ask for.
 * @param grossMicroUsd of each line that sells a plan
 * @returns what of each line no cash came for; undefined where all of it came
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
