import * as z from 'zod';
import { namedObject } from '../../shared/contract.js';

/** Sales and tax at a place in a month (UTC). */
const TaxRow = z.object({
  month: z.string(),
  /** ISO 3166. Null if unknown. */
  country: z.string().nullable(),
  /** A state of the United States. */
  state: z.string().nullable(),
  sales: z.int(),
  /** Amounts of sales are net of tax. */
  soldMicroUsd: z.int(),
  returnedMicroUsd: z.int(),
  /** The amount that was taxed, less returns. */
  taxableMicroUsd: z.int(),
  /** Sold to businesses that owe the tax themselves. */
  reverseChargeMicroUsd: z.int(),
  collectedMicroUsd: z.int(),
  givenBackMicroUsd: z.int(),
  /** Collected less given back. Equals the month's change of the account for tax of this place. */
  dueMicroUsd: z.int(),
});

export const TaxReport = namedObject('TaxReport', { items: z.array(TaxRow) });
export type TaxReport = z.infer<typeof TaxReport>;
