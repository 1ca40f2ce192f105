import { EU_MEMBERS } from '../shared/eu-members.js';

/**
 * The report in which the shop names a creator to a tax authority. `DAC7`: Directive 2011/16/EU as amended by Directive
 * (EU) 2021/514, for member states of the European Union. `1099`: forms of the United States. `unknown`: the country is
 * missing.
 */
export const TAX_REPORTS = ['DAC7', '1099', 'none', 'unknown'] as const;
export type TaxReportKind = (typeof TAX_REPORTS)[number];

/**
 * From which amounts of a calendar year on a form of the United States is due. DAC7 has no threshold here: Annex V,
 * section I(B)(4)(d), exempts sellers with fewer than 30 sales and at most 2,000 euros, but only of goods, which are
 * tangible.
 */
export const FORM_THRESHOLDS = {
  /** Form 1099-MISC, box 2: royalties of at least 10 dollars. Internal Revenue Code, section 6050N(a). */
  royaltiesMicroUsd: 10_000_000,
  /**
   * Form 1099-K: more than 20,000 dollars and more than 200 transactions. Internal Revenue Code, section 6050W(e), as
   * restored for 2022 and later by Public Law 119-21, section 70432.
   */
  grossMicroUsd: 20_000_000_000,
  sales: 200,
} as const;

export interface TaxYear {
  sales: number;
  /** Without returns deducted, as Form 1099-K asks for it. */
  grossMicroUsd: number;
  /** The creator's shares, less those taken back. */
  royaltiesMicroUsd: number;
}

export const formsOf = ({ sales, grossMicroUsd, royaltiesMicroUsd }: TaxYear) => ({
  misc: royaltiesMicroUsd >= FORM_THRESHOLDS.royaltiesMicroUsd,
  k: grossMicroUsd > FORM_THRESHOLDS.grossMicroUsd && sales > FORM_THRESHOLDS.sales,
});

export const reportFor = (country: string | null): TaxReportKind => {
  if (country === null) return 'unknown';
  if (country === 'US') return '1099';
  return EU_MEMBERS.includes(country) ? 'DAC7' : 'none';
};

/** Returns whether the report has to name the creator. Without a country, it may have to. */
export function isReportable(report: TaxReportKind, year: TaxYear): boolean {
  if (report === 'none' || (year.sales === 0 && year.royaltiesMicroUsd <= 0)) return false;
  const forms = formsOf(year);
  return report !== '1099' || forms.misc || forms.k;
}

export const TAX_DATA = [
  'country',
  'kind',
  'name',
  'address',
  'date of birth',
  'tax id',
  'registration number',
] as const;
export type TaxDatum = (typeof TAX_DATA)[number];

export interface TaxPerson {
  country: string | null;
  kind: 'person' | 'company' | null;
  legalName: string | null;
  street: string | null;
  city: string | null;
  postalCode: string | null;
  birthDate: string | null;
  registrationNumber: string | null;
  /** The countries whose tax numbers are known. */
  taxIdCountries: readonly string[];
  /** Whether the payment provider has the tax number, with which it can file forms of the United States. */
  hasTaxIdAtProvider: boolean;
}

/** Lists what the report of a creator's country asks for and is not known. */
export function missingIn(person: TaxPerson): TaxDatum[] {
  const report = reportFor(person.country);
  if (report === 'unknown') return ['country'];
  if (report === 'none') return [];
  const isKnown: Record<TaxDatum, boolean> = {
    country: true,
    kind: person.kind !== null,
    name: person.legalName !== null,
    address: person.street !== null && person.city !== null,
    'date of birth': report !== 'DAC7' || person.kind !== 'person' || person.birthDate !== null,
    'tax id': person.taxIdCountries.length > 0 || (report === '1099' && person.hasTaxIdAtProvider),
    'registration number':
      report !== 'DAC7' || person.kind !== 'company' || person.registrationNumber !== null,
  };
  return TAX_DATA.filter((datum) => !isKnown[datum]);
}
