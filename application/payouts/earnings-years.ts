import type { EarningsYear, YearMonth } from './contract.js';

/** The changes of a creator's account in a month, without its balances, write-offs and free downloads. */
export type CreatorMonth = { creatorId: string; month: string } & Omit<
  YearMonth,
  'month' | 'openingMicroUsd' | 'closingMicroUsd' | 'writtenOffMicroUsd' | 'freeDownloads'
>;

export abstract class EarningsYears {
  /**
   * Returns the account of a creator in a calendar year (UTC), with the months that have an entry or a free
   * download.
   */
  abstract year(creatorId: string, year: string): Promise<EarningsYear>;
  /** Returns the months of a year, of one creator or of all. */
  abstract moved(year: string, creatorId?: string): Promise<CreatorMonth[]>;
}

/** Prints the year of a creator as a PDF. */
export abstract class YearPrinter {
  /** @param name the display name @throws TooBusy */
  abstract printYear(year: EarningsYear, name: string): Promise<Buffer>;
}

/** The columns of a year's statement: the amount, its label, and -1 if the PDF prints the amount as negative. */
export const YEAR_COLUMNS = [
  ['openingMicroUsd', 'Before', 1],
  ['grossMicroUsd', 'Gross sales', 1],
  ['grossReturnedMicroUsd', 'Returned', -1],
  ['feesMicroUsd', 'Fees', -1],
  ['earnedMicroUsd', 'Your share', 1],
  ['takenBackMicroUsd', 'Taken back', -1],
  ['withdrawnMicroUsd', 'Payouts', -1],
  ['writtenOffMicroUsd', 'Written off', 1],
  ['closingMicroUsd', 'Balance', 1],
] as const satisfies readonly (readonly [keyof YearMonth, string, 1 | -1])[];

const SUMMED = [
  'sales',
  'returns',
  'freeDownloads',
  'grossMicroUsd',
  'grossReturnedMicroUsd',
  'feesMicroUsd',
  'earnedMicroUsd',
  'takenBackMicroUsd',
  'withdrawnMicroUsd',
  'writtenOffMicroUsd',
] as const satisfies readonly (keyof YearMonth)[];

/** Returns the totals of a year: the sums of its months, the opening balance of the year, and its closing balance. */
export function totalsOf({ year, items, openingMicroUsd, closingMicroUsd }: EarningsYear): YearMonth {
  const sums = Object.fromEntries(
    SUMMED.map((name) => [name, items.reduce((sum, month) => sum + month[name], 0)]),
  ) as Pick<YearMonth, (typeof SUMMED)[number]>;
  return { month: year, openingMicroUsd, ...sums, closingMicroUsd };
}
