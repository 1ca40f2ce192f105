import * as z from 'zod';
import { TAX_DATA, TAX_REPORTS } from '../../../domain/payouts/tax-reports.js';
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
  /** Taxable sales, less refunds and lost disputes. */
  taxableMicroUsd: z.int(),
  /** Sales to businesses that owe the tax themselves, less refunds and lost disputes. */
  reverseChargeMicroUsd: z.int(),
  collectedMicroUsd: z.int(),
  givenBackMicroUsd: z.int(),
  /** Collected less given back. Equals the month's change of the account for tax of this place. */
  dueMicroUsd: z.int(),
});

export const TaxReport = namedObject('TaxReport', { items: z.array(TaxRow) });
export type TaxReport = z.infer<typeof TaxReport>;

export const Quarter = z
  .string()
  .regex(/^20\d{2}-Q[1-4]$/, 'not a quarter')
  .meta({ examples: ['2026-Q3'] });

export const VatRateBody = z.strictObject({
  /** Dollars for one euro, as the European Central Bank published them for the last day of the quarter. */
  usdPerEur: z
    .string()
    .regex(/^[0-9]\.\d{4}$/, 'a rate with four places, such as 1.1741')
    .refine((rate) => Number(rate) >= 0.2, 'a rate of at least 0.2')
    .meta({ examples: ['1.1741'] }),
});

/** What the One-Stop Shop asks for a quarter, by member state of the European Union. */
export const VatReturn = namedObject('VatReturn', {
  quarter: z.string(),
  /** The day of the exchange rate. */
  lastDay: z.iso.date(),
  /** Dollars for one euro. Null until it is stored; amounts in euros are null as well. */
  usdPerEur: z.string().nullable(),
  items: z.array(
    z.object({
      country: z.string(),
      sales: z.int(),
      /** The amount that was taxed and its tax, less what was given back in the quarter. */
      taxableMicroUsd: z.int(),
      taxMicroUsd: z.int(),
      /**
       * Sales to businesses that owe the tax themselves, less refunds and lost disputes; not part of the taxable
       * amount.
       */
      reverseChargeMicroUsd: z.int(),
      taxableEurCents: z.int().nullable(),
      taxEurCents: z.int().nullable(),
    }),
  ),
});
export type VatReturn = z.infer<typeof VatReturn>;

const Country = z
  .string()
  .regex(/^[A-Z]{2}$/, 'A country is a code of two letters')
  .meta({ examples: ['DE'] });

export const CreatorTaxFileQuery = z.object({
  country: Country.optional().describe('The country of tax residence; every country by default'),
});

/** The creators whose accounts moved in a year, by country of tax residence. */
export const CreatorTaxes = namedObject('CreatorTaxes', {
  year: z.string(),
  items: z.array(
    z.object({
      /** Null if it is not known. */
      country: z.string().nullable(),
      report: z.enum(TAX_REPORTS),
      creators: z.int(),
      /** Creators whom the report has to name, or may have to as long as their country is not known. */
      reportable: z.int(),
      /** Reportable creators whose tax details are incomplete. */
      incomplete: z.int(),
      grossMicroUsd: z.int(),
      /** Shares less those taken back. */
      royaltiesMicroUsd: z.int(),
    }),
  ),
  /** The quarters without a stored euro rate. The file has no amounts in euros for them. */
  quartersWithoutRate: z.array(z.string()),
});
export type CreatorTaxes = z.infer<typeof CreatorTaxes>;

export const IncompleteCreator = z.object({
  creatorId: z.string(),
  country: z.string().nullable(),
  report: z.enum(TAX_REPORTS),
  missing: z.array(z.enum(TAX_DATA)),
  royaltiesMicroUsd: z.int(),
});
export type IncompleteCreator = z.infer<typeof IncompleteCreator>;

export const AskedCreators = namedObject('AskedCreators', { asked: z.int() });
