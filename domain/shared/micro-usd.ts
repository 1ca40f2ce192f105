import { assert } from './decision.js';

/** One US cent in micro-dollars: every amount in the domain is an integer number of micro-dollars. */
export const MICRO_USD_PER_CENT = 10_000;

/** Throws unless `amount` is an integer that arithmetic cannot have blurred. */
export function assertMicroUsd(amount: number): number {
  assert(Number.isSafeInteger(amount), `not a safe integer of micro-dollars: ${amount}`);
  return amount;
}

/** Dollars to six places, without floating point: `-0.010000`. */
export function decimalDollars(microUsd: number): string {
  const digits = String(Math.abs(assertMicroUsd(microUsd))).padStart(7, '0');
  return `${microUsd < 0 ? '-' : ''}${digits.slice(0, -6)}.${digits.slice(-6)}`;
}

/** "12.34 USD", of whole cents. */
export const inUsd = (microUsd: number): string => `${decimalDollars(microUsd).slice(0, -4)} USD`;

/** As many places as it needs, two at least: "12.34 USD", "0.11988 USD". */
export const inExactUsd = (microUsd: number): string =>
  `${decimalDollars(microUsd).replace(/0{1,4}$/, '')} USD`;

export const microUsdFromCents = (cents: number): number => assertMicroUsd(cents * MICRO_USD_PER_CENT);

/** The creator's share, rounded down to a whole micro-dollar: floor(value · bps / 10000). */
export function floorShare(valueMicroUsd: number, policy: { shareBps: number }): number {
  return floorRatio(assertMicroUsd(valueMicroUsd), policy.shareBps, 10_000);
}

/** floor(amount · numerator / denominator) of integers not below zero, exactly. */
export function floorRatio(amountMicroUsd: number, numerator: number, denominator: number): number {
  const product = amountMicroUsd * numerator;
  // The product less its remainder divides without rounding; past 2^53 only BigInt is exact.
  if (Number.isSafeInteger(product)) return (product - (product % denominator)) / denominator;
  return assertMicroUsd(Number((BigInt(amountMicroUsd) * BigInt(numerator)) / BigInt(denominator)));
}
