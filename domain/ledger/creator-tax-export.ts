import { accept, type Decider } from '../shared/decision.js';

/** An export of the creators of a year with their tax numbers. The event names who took it, and no creator. */
export interface CreatorTaxExport {
  year: string;
  /** The country of the creators; null for all. */
  country: string | null;
  creators: number;
  by: string;
  at: string;
}

/**
 * Stream `creator-taxes-2026`: each export is recorded as an event, because the exported file contains tax
 * numbers.
 */
export const creatorTaxExportDecider: Decider<
  { type: 'TakeCreatorTaxes' } & Omit<CreatorTaxExport, 'at'> & { now: string },
  undefined,
  { type: 'CreatorTaxesExported'; data: CreatorTaxExport },
  never
> = {
  streamOf: (year) => `creator-taxes-${year}`,
  initialState: undefined,
  decide: ({ type: _, now: at, ...taken }) =>
    accept({ type: 'CreatorTaxesExported', data: { ...taken, at } }),
  evolve: () => undefined,
};
