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
