import * as z from 'zod';

/** What was sold and taxed at a place in a month (UTC). */
const TaxRow = z.object({
  month: z.string(),
  /** ISO 3166; null: nobody knows. */
  country: z.string().nullable(),
  /** Of the United States. */
  state: z.string().nullable(),
  /** How many. */
  sales: z.int(),
  /** Net, as all but the last three. */
  soldMicroUsd: z.int(),
  returnedMicroUsd: z.int(),
  /** What tax was due on, less what went back of it. */
  taxableMicroUsd: z.int(),
  /** Sold to businesses that owe the tax themselves. */
  reverseChargeMicroUsd: z.int(),
  collectedMicroUsd: z.int(),
  givenBackMicroUsd: z.int(),
  /** Collected less given back: what the month moved on the account of the place. */
  dueMicroUsd: z.int(),
});

export const TaxReport = z.object({ items: z.array(TaxRow) }).meta({ id: 'TaxReport' });
export type TaxReport = z.infer<typeof TaxReport>;
