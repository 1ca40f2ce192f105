import { accept, assert, reject, type Decider } from '../shared/decision.js';
import { boundsOf } from './period.js';

/** The exchange rate of a quarter's VAT return: the one of the European Central Bank on the quarter's last day. */
export interface VatRate {
  /** Dollars for one euro, such as `1.1741`. */
  usdPerEur: string;
  by: string;
  at: string;
}

/** Returns the first instant of a quarter such as `2026-Q3` (UTC), and the first instant of the next quarter. */
export function boundsOfQuarter(quarter: string): { from: Date; to: Date } {
  const [, year = '', number = ''] = /^(\d{4})-Q([1-4])$/.exec(quarter) ?? [];
  assert(year !== '', 'a quarter is one of four');
  const month = (of: number) => `${year}-${String(of).padStart(2, '0')}`;
  return { from: boundsOf(month(Number(number) * 3 - 2)).from, to: boundsOf(month(Number(number) * 3)).to };
}

/** Converts dollars to euro cents, rounded to the nearest cent. */
export function euroCents(microUsd: number, usdPerEur: string): number {
  const [whole = '0', places = ''] = usdPerEur.split('.');
  const rate = BigInt(whole + places.padEnd(4, '0'));
  // `rate` is the exchange rate times 10,000. A cent has 10,000 micro-units, so one division by `rate` yields euro
  // cents.
  const doubled = (2n * BigInt(Math.abs(microUsd))) / rate;
  return Math.sign(microUsd) * Number((doubled + 1n) / 2n) || 0;
}

/** Stream `vat-rate-2026-Q3`: the newest rate counts. */
export const vatRateDecider: Decider<
  { type: 'SetVatRate'; quarter: string; usdPerEur: string; by: string; now: string },
  VatRate | undefined,
  { type: 'VatRateSet'; data: VatRate & { quarter: string } },
  { code: 'PeriodNotOver'; endsAt: string }
> = {
  streamOf: (quarter) => `vat-rate-${quarter}`,
  initialState: undefined,
  decide({ quarter, usdPerEur, by, now: at }, known) {
    const { to } = boundsOfQuarter(quarter);
    if (Date.parse(at) < to.getTime()) return reject({ code: 'PeriodNotOver', endsAt: to.toISOString() });
    return known?.usdPerEur === usdPerEur
      ? accept()
      : accept({ type: 'VatRateSet', data: { quarter, usdPerEur, by, at } });
  },
  evolve: (_, { data: { usdPerEur, by, at } }) => ({ usdPerEur, by, at }),
};
