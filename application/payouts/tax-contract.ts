import * as z from 'zod';
import { TAX_DATA, TAX_REPORTS } from '../../domain/payouts/tax-reports.js';
import { exactText, IsoTime, lineText, namedObject } from '../shared/contract.js';
import { TAX_IDS_MOST, TAX_KINDS } from './values.js';

const Country = z
  .string()
  .regex(/^[A-Z]{2}$/, 'A country is a code of two letters')
  .meta({ examples: ['DE'] });

/** Removes the separators with which people write numbers, so that equal numbers are equal texts. */
const bare = (text: string): string => text.replaceAll(/[\s./-]/g, '').toUpperCase();

const TaxId = z
  .strictObject({
    /** The country that issued the number. */
    country: Country,
    number: exactText()
      .max(40)
      .overwrite(bare)
      .regex(/^[A-Z0-9]{4,20}$/, 'A tax number has 4 to 20 letters and digits'),
  })
  .refine(({ country, number }) => country !== 'US' || /^(?!0{9})\d{9}$/.test(number), {
    path: ['number'],
    message: 'A number of the United States (SSN, ITIN or EIN) has nine digits',
  });

const Address = {
  street: lineText(200).min(1, 'Say the street and number'),
  city: lineText(100).min(1, 'Say the city'),
  /** A state or province. */
  region: lineText(100).nullable().default(null),
  /** Empty in countries without postal codes. */
  postalCode: lineText(20),
};

const BirthDate = z.iso
  .date()
  .refine((day) => day > '1900' && Date.parse(day) < Date.now(), 'A date of birth is in the past');

/** A field that is left out keeps its stored number; `null` and an empty list remove it. */
export const TaxDetailsBody = z
  .strictObject({
    kind: z.enum(TAX_KINDS),
    legalName: lineText(200).min(1, 'Say your legal name'),
    ...Address,
    /** The country of tax residence. */
    country: Country,
    birthDate: BirthDate.nullable().default(null),
    registrationNumber: lineText(50).nullable().default(null),
    taxIds: z.array(TaxId).max(TAX_IDS_MOST).optional(),
    vatId: exactText()
      .max(40)
      .overwrite(bare)
      .regex(/^[A-Z]{2}[0-9A-Z+*]{2,15}$/, 'A VAT id begins with the two letters of its country')
      .nullable()
      .optional(),
  })
  .meta({ id: 'TaxDetailsBody' });
export type TaxDetailsBody = z.infer<typeof TaxDetailsBody>;

/** What the payment provider knows about the creator. Numbers stay with the provider. */
const FromProvider = z.object({
  kind: z.enum(TAX_KINDS).nullable(),
  legalName: z.string().nullable(),
  street: z.string().nullable(),
  city: z.string().nullable(),
  region: z.string().nullable(),
  postalCode: z.string().nullable(),
  country: z.string().nullable(),
  birthDate: z.string().nullable(),
  hasTaxId: z.boolean(),
});
export type TaxDetailsOfProvider = z.infer<typeof FromProvider>;

/** The last characters of a number, which is stored encrypted and never shown again. */
const Ending = z.string();

export const StatedTaxDetails = TaxDetailsBody.omit({ taxIds: true, vatId: true }).extend({
  taxIds: z.array(z.object({ country: z.string(), ending: Ending })),
  vatId: Ending.nullable(),
});
export type StatedTaxDetails = z.infer<typeof StatedTaxDetails>;

export const TaxDetails = namedObject('TaxDetails', {
  /** Null until the creator stated something. */
  stated: z.object(StatedTaxDetails.shape).nullable(),
  fromProvider: FromProvider.nullable(),
  /** The report for the creator's country. */
  report: z.enum(TAX_REPORTS),
  /** What the report asks for and is not known. */
  missing: z.array(z.enum(TAX_DATA)),
  changedAt: IsoTime.nullable(),
});
export type TaxDetails = z.infer<typeof TaxDetails>;
