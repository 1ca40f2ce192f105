import { expect, it } from '@jest/globals';
import {
  formsOf,
  isReportable,
  missingIn,
  reportFor,
  type TaxPerson,
} from '../../domain/payouts/tax-reports.js';

const year = (sales: number, grossUsd: number, royaltiesUsd: number) => ({
  sales,
  grossMicroUsd: grossUsd * 1e6,
  royaltiesMicroUsd: royaltiesUsd * 1e6,
});

it('[BOOK-825] a country has one report; forms of the United States have thresholds, DAC7 has none', () => {
  expect(['DE', 'US', 'GB', null].map(reportFor)).toEqual(['DAC7', '1099', 'none', 'unknown']);
  // At least 10 dollars of royalties, and more than both 20,000 dollars and 200 transactions.
  expect(formsOf(year(1, 20, 9.999999))).toEqual({ misc: false, k: false });
  expect(formsOf(year(1, 20, 10))).toEqual({ misc: true, k: false });
  expect(formsOf(year(201, 20_000, 12_000)).k).toBe(false);
  expect(formsOf(year(200, 20_000.01, 12_000)).k).toBe(false);
  expect(formsOf(year(201, 20_000.01, 12_000)).k).toBe(true);
  const small = year(1, 1, 0.6);
  expect((['DAC7', '1099', 'none', 'unknown'] as const).map((each) => isReportable(each, small))).toEqual([
    true,
    false,
    false,
    true,
  ]);
  // In a year with payouts only, nothing is reported.
  expect(isReportable('DAC7', year(0, 0, 0))).toBe(false);
  expect(isReportable('1099', year(0, 0, -3))).toBe(false);
});

it('[BOOK-825] names what the report of the country asks for and is not known', () => {
  const unknown: TaxPerson = {
    country: null,
    kind: null,
    legalName: null,
    street: null,
    city: null,
    postalCode: null,
    birthDate: null,
    registrationNumber: null,
    taxIdCountries: [],
    hasTaxIdAtProvider: false,
  };
  const missing = (known: Partial<TaxPerson>) => missingIn({ ...unknown, ...known });
  expect(missing({})).toEqual(['country']);
  expect(missing({ country: 'GB' })).toEqual([]);
  expect(missing({ country: 'DE' })).toEqual(['kind', 'name', 'address', 'tax id']);
  const named = { legalName: 'Ada', street: 'Weg 1', city: 'Bonn', postalCode: '53111' };
  expect(missing({ ...named, country: 'DE', kind: 'person' })).toEqual(['date of birth', 'tax id']);
  expect(missing({ ...named, country: 'DE', kind: 'company' })).toEqual(['tax id', 'registration number']);
  // Stripe can file forms of the United States with the number that only it has, and no other report.
  const atStripe = { ...named, kind: 'person', hasTaxIdAtProvider: true } as const;
  expect(missing({ ...atStripe, country: 'US' })).toEqual([]);
  expect(missing({ ...atStripe, country: 'DE', birthDate: '1990-01-01' })).toEqual(['tax id']);
});
