import { assert } from './decision.js';
import { floorRatio, sumOf } from './micro-usd.js';

/** The price of a whole pack, in credits. */
export interface PackPrice {
  /** Null if the pack has no price of its own. */
  priceCredits: number | null;
  /** The sum of the single prices of all samples of the pack that are on sale. */
  sumCredits: number;
}

/** Returns the price of a whole pack, or null if it has none or if its samples cost no more. */
export const priceInForce = (priceCredits: number | null | undefined, sumCredits: number): number | null =>
  typeof priceCredits === 'number' && priceCredits < sumCredits ? priceCredits : null;

/**
 * Returns the credits for the samples that a buyer does not own of a pack. The price is reduced in proportion to the
 * single prices of the owned samples. It is rounded up, so that no sample becomes free by buying the others first.
 *
 * @param missingCredits the sum of the single prices of the samples that the buyer does not own
 */
export function creditsForMissing({ priceCredits, sumCredits }: PackPrice, missingCredits: number): number {
  const owed = priceInForce(priceCredits, sumCredits);
  if (owed === null) return missingCredits;
  const floor = floorRatio(owed, missingCredits, sumCredits);
  return floor * sumCredits === owed * missingCredits ? floor : floor + 1;
}

/**
 * Divides credits among samples in proportion to their single prices. Each part is rounded down; the credits that are
 * left go one by one to the samples with the largest remainders, and equal remainders in the order of the samples.
 */
export function allocateCredits(credits: number, singlePrices: readonly number[]): number[] {
  const sum = sumOf(singlePrices);
  assert(credits <= sum, 'a pack costs no more than its samples');
  const parts = singlePrices.map((price) => floorRatio(credits, price, sum));
  const remainderOf = (index: number): number => {
    const price = singlePrices[index] as number;
    return credits * price - (parts[index] as number) * sum;
  };
  const byRemainder = parts.map((_, index) => index).sort((a, b) => remainderOf(b) - remainderOf(a) || a - b);
  const left = credits - sumOf(parts);
  for (const index of byRemainder.slice(0, left)) parts[index] = (parts[index] as number) + 1;
  return parts;
}
