import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { cellsOf, openBooks, startBooks, table } from './support/books.js';
import { leave } from './support/render.js';
import { type StubServer, refused } from './support/server.js';

let server: StubServer;
beforeEach(() => void (server = startBooks()));
afterEach(leave);

const row = {
  month: '2026-10',
  country: 'DE',
  state: null,
  sales: 2,
  soldMicroUsd: 39_980_000,
  returnedMicroUsd: 19_990_000,
  taxableMicroUsd: 19_990_000,
  reverseChargeMicroUsd: 0,
  collectedMicroUsd: 7_600_000,
  givenBackMicroUsd: 3_800_000,
  dueMicroUsd: 3_800_000,
};

it('[TAX-13] shows tax by month and place with totals, leads to the accounts, and asks for a span of months', async () => {
  const york = { ...row, country: 'US', state: 'NY', sales: 1, dueMicroUsd: 890_000 };
  server.on('GET /api/finance/tax', { json: { items: [row, york] } });
  const { path } = openBooks('/finance/tax');
  const shown = within(await table('By month and place'));
  const place = (name: string) => shown.getByRole('link', { name }).getAttribute('href');
  expect(place('Germany (DE)')).toBe('/finance/accounts/tax%3ADE');
  expect(place('United States (US), NY')).toBe('/finance/accounts/tax%3AUS-NY');
  const lines = shown.getAllByRole('row');
  expect(cellsOf(lines.at(-1) as HTMLElement).slice(-1)).toEqual(['4.69']);
  fireEvent.change(screen.getByLabelText('From'), { target: { value: '2026-10' } });
  fireEvent.change(screen.getByLabelText('To'), { target: { value: '2026-11' } });
  await waitFor(() => expect(path()).toBe('/finance/tax?from=2026-10&to=2026-11'));
  await waitFor(() => {
    const asked = server.seen('GET /api/finance/tax').at(-1)?.query;
    expect([asked?.get('from'), asked?.get('to')]).toEqual(['2026-10-01', '2026-11-30']);
  });
});

it('[TAX-13] says that nothing was sold, or that the report could not be loaded', async () => {
  server.on('GET /api/finance/tax', { json: { items: [] } });
  openBooks('/finance/tax');
  expect(await screen.findByText('No sales whose tax is known.')).toBeTruthy();
  await leave();
  server = startBooks();
  server.on('GET /api/finance/tax', refused('InternalError'));
  openBooks('/finance/tax');
  expect(await screen.findByText('The report of tax could not be loaded')).toBeTruthy();
});

it('[FIN-713] adds up the return in euros, whose columns are missing until the rate of its last day is stored', async () => {
  const state = (country: string, taxableEurCents: number | null, taxEurCents: number | null) => ({
    country,
    sales: 1,
    taxableMicroUsd: 10_000_000,
    taxMicroUsd: 2_100_000,
    reverseChargeMicroUsd: 0,
    taxableEurCents,
    taxEurCents,
  });
  const quarter = { quarter: '2026-Q3', lastDay: '2026-09-30' };
  const vat = (usdPerEur: string | null, items: ReturnType<typeof state>[]) =>
    server.on('GET /api/finance/vat/2026-Q3', { json: { ...quarter, usdPerEur, items } });
  vat('1.1741', [state('DE', 123_450, 25_925), state('NL', 50_000, 10_500)]);
  openBooks('/finance/vat?quarter=2026-Q3');
  const shown = within(await table('2026 Q3'));
  const lines = shown.getAllByRole('row').slice(1);
  expect(lines.map((line) => cellsOf(line).slice(-2))).toEqual([
    ['1,234.50', '259.25'],
    ['500.00', '105.00'],
    ['1,734.50', '364.25'],
  ]);
  await leave();
  server = startBooks();
  vat(null, [state('DE', null, null)]);
  openBooks('/finance/vat?quarter=2026-Q3');
  await table('2026 Q3');
  expect(screen.queryByRole('columnheader', { name: /EUR/ })).toBeNull();
});
