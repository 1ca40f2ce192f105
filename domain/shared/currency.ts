import { assertMicroUsd, decimalDollars } from './micro-usd.js';

/** Currencies in which the provider's smallest unit differs from the standard. */
const DIGITS: Record<string, number> = { isk: 2, ugx: 2, mga: 0 };
const MICRO_DIGITS = 6;

/** Returns the decimal places of a currency's smallest unit: 2 for euros, 0 for yen. */
const digitsOf = (currency: string): number =>
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
