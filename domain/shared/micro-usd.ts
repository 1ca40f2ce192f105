import { assert } from './decision.js';

/** One US cent in micro-dollars. All amounts in the domain are whole micro-dollars. */
export const MICRO_USD_PER_CENT = 10_000;

/** @throws if `amount` is not an integer that JavaScript represents exactly */
export function assertMicroUsd(amount: number): number {
  assert(Number.isSafeInteger(amount), `not a safe integer of micro-dollars: ${amount}`);
  return amount;
}

export const sumOf = (amounts: readonly number[]): number => amounts.reduce((sum, amount) => sum + amount, 0);

/** Returns dollars with six places, without floating point: `-0.010000`. */
export function decimalDollars(microUsd: number): string {
  const digits = String(Math.abs(assertMicroUsd(microUsd))).padStart(7, '0');
  return `${microUsd < 0 ? '-' : ''}${digits.slice(0, -6)}.${digits.slice(-6)}`;
}

/** Returns "12.34 USD" for an amount in whole cents. */
export const inUsd = (microUsd: number): string => `${decimalDollars(microUsd).slice(0, -4)} USD`;

/** Returns "$12.34" for an amount, in whole cents. */
export const inDollars = (microUsd: number): string => `$${decimalDollars(microUsd).slice(0, -4)}`;

/** Returns an amount with as many decimal places as needed, at least two: "12.34 USD", "0.11988 USD". */
export const inExactUsd = (microUsd: number): string =>
  `${decimalDollars(microUsd).replace(/0{1,4}$/, '')} USD`;

export const microUsdFromCents = (cents: number): number => assertMicroUsd(cents * MICRO_USD_PER_CENT);

/** Returns the creator's share, rounded down to a whole micro-dollar: floor(value · bps / 10000). */
export function floorShare(valueMicroUsd: number, policy: { shareBps: number }): number {
  return floorRatio(assertMicroUsd(valueMicroUsd), policy.shareBps, 10_000);
}

/** Returns floor(amount · numerator / denominator) without rounding errors, for integers that are not negative. */
export function floorRatio(amountMicroUsd: number, numerator: number, denominator: number): number {
  const product = amountMicroUsd * numerator;
  // Subtracting the remainder first makes the division exact. Products above 2^53 need BigInt.
  if (Number.isSafeInteger(product)) return (product - (product % denominator)) / denominator;
  return assertMicroUsd(Number((BigInt(amountMicroUsd) * BigInt(numerator)) / BigInt(denominator)));
}

/** Decimal places of the currencies whose smallest unit at the provider differs from the standard one. */
const DIGITS: Record<string, number> = { isk: 2, ugx: 2, mga: 0 };
const MICRO_DIGITS = 6;

/** Returns how many decimal places the amounts of a currency have. @throws RangeError for an invalid code */
export const digitsOf = (currency: string): number =>
  DIGITS[currency] ??
  new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ??
  2;

/** Converts smallest units of a currency to millionths of its unit. */
export const microOf = (minorUnits: number, currency: string): number =>
  assertMicroUsd(minorUnits * 10 ** (MICRO_DIGITS - digitsOf(currency)));

/** Returns "-12.34 EUR" or "1000 JPY". */
export function inCurrency(micro: number, currency: string): string {
  const digits = digitsOf(currency);
  const decimal = decimalDollars(micro);
  const cut = MICRO_DIGITS - digits + (digits === 0 ? 1 : 0);
  return `${cut === 0 ? decimal : decimal.slice(0, -cut)} ${currency.toUpperCase()}`;
}
