import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { monthName } from '../../web/src/staff/dates.js';
import { PAST_MONTH, THIS_MONTH, cellsOf, openBooks, startBooks, table } from './support/books.js';
import { leave } from './support/render.js';
import { type StubServer, refused } from './support/server.js';

const month = (name: string, openingMicroUsd: number, closingMicroUsd: number) => ({
  month: name,
  openingMicroUsd,
  invoicedMicroUsd: 9_990_000,
  promotionsMicroUsd: 0,
  returnedMicroUsd: 0,
  recognisedMicroUsd: 1_500_001,
  refundedMicroUsd: 0,
  chargedBackMicroUsd: 0,
  forfeitedMicroUsd: 0,
  adjustedMicroUsd: 0,
  closingMicroUsd,
});
const DEFERRED = 'GET /api/finance/reports/deferred';
const AGEING = 'GET /api/finance/reports/ageing';
const MARGIN = 'GET /api/finance/reports/margin';

let server: StubServer;
beforeEach(() => {
  server = startBooks();
  server.on(DEFERRED, {
    json: { items: [month(PAST_MONTH, 0, 8_489_999), month(THIS_MONTH, 8_489_999, 16_979_998)] },
  });
  server.on('GET /api/finance/periods', {
    json: {
      items: [
        {
          month: PAST_MONTH,
          lastPosition: 1,
          hash: 'ab',
          closedBy: 'noor',
          closedByName: 'Noor',
          closedAt: '2026-11-01T00:00:00.000Z',
          signedBy: null,
          signedByName: null,
          signedAt: null,
          totalDebitMicroUsd: 1,
        },
      ],
    },
  });
  const bank = { account: 'bank', name: 'Bank', code: '1030' };
  server.on('GET /api/finance/account-map', { json: { accounts: [bank], unmapped: ['tax', 'rounding'] } });
  server.on('PUT /api/finance/account-map', { json: { accounts: [bank], unmapped: [] } });
  server.on(MARGIN, {
    json: {
      items: [
        {
          month: PAST_MONTH,
          plan: 'starter',
          recognisedMicroUsd: 10_000_000,
          forfeitedMicroUsd: 0,
          refundsMicroUsd: -500_000,
          sharesMicroUsd: -6_000_000,
          feesMicroUsd: -1_000_001,
          chargebacksMicroUsd: 0,
          goodwillMicroUsd: 0,
          lossesMicroUsd: 0,
          marginMicroUsd: 2_499_999,
        },
        {
          month: PAST_MONTH,
          plan: 'none',
          recognisedMicroUsd: 0,
          forfeitedMicroUsd: 0,
          refundsMicroUsd: 0,
          sharesMicroUsd: 0,
          feesMicroUsd: -250_000,
          chargebacksMicroUsd: 0,
          goodwillMicroUsd: 0,
          lossesMicroUsd: 0,
          marginMicroUsd: -250_000,
        },
      ],
    },
  });
  server.on(AGEING, {
    json: {
      asOf: '2026-11-20T12:00:00.000Z',
      items: [
        { age: '0–30', lots: 2, paidMicroUsd: 3, promotionalMicroUsd: 1, totalMicroUsd: 4 },
        { age: 'over 365', lots: 1, paidMicroUsd: 5, promotionalMicroUsd: 0, totalMicroUsd: 5 },
      ],
    },
  });
});
afterEach(leave);

it('[FIN-711] shows profit and loss beside the month before, and leads to the entries of the month', async () => {
  const STATEMENT = 'GET /api/finance/reports/statement';
  const line = (account: string, kind: string, amountMicroUsd: number, beforeMicroUsd: number) => ({
    account,
    kind,
    amountMicroUsd,
    beforeMicroUsd,
  });
  server.on(STATEMENT, ({ query }) => ({
    json: {
      month: query.get('month'),
      monthBefore: '2026-09',
      isClosed: query.get('month') === PAST_MONTH,
      profitAndLoss: {
        lines: [
          line('credits', 'income', 3_000_000, 1_000_000),
          line('royalties', 'expense', 1_800_000, 600_000),
        ],
        resultMicroUsd: 1_200_000,
        resultBeforeMicroUsd: 400_000,
      },
      balanceSheet: {
        lines: [
          line('stripe:balance', 'asset', 10_000_000, 5_000_000),
          line('deferred:*', 'liability', 8_800_000, 4_600_000),
        ],
        resultMicroUsd: 1_200_000,
        resultBeforeMicroUsd: 400_000,
      },
    },
  }));
  openBooks('/finance/statement');
  const profit = await table('Profit and loss');
  const cells = (name: RegExp) => cellsOf(within(profit).getByRole('row', { name }));
  expect(cells(/^Royalties/)).toEqual(['1.80', '0.60']);
  expect(cells(/^Result of the month/)).toEqual(['1.20', '0.40']);
  expect(within(profit).getByRole('link', { name: 'Royalties' }).getAttribute('href')).toBe(
    `/finance/accounts/royalties?month=${PAST_MONTH}`,
  );
  expect(screen.getByText('Month closed')).toBeTruthy();
  expect(screen.getByText('Balanced')).toBeTruthy();
  // 14.40 less 8.64 less 8.92 may be shown as −3.15.
  expect(screen.getByText(/cut off to whole cents; each shows its exact value/)).toBeTruthy();
  fireEvent.change(screen.getByLabelText('Month'), { target: { value: THIS_MONTH } });
  expect(await screen.findByText('Month open, figures may change')).toBeTruthy();
  expect(screen.getByRole('link', { name: 'PDF' }).getAttribute('href')).toContain(
    `statement.pdf?month=${THIS_MONTH}`,
  );
});

describe('the reports', () => {
  it('[FIN-104] show what is left of each plan, with costs as negative and what belongs to no plan', async () => {
    openBooks('/finance/reports');
    const margin = await table('Gross margin by plan');
    const cells = (name: RegExp) => cellsOf(within(margin).getByRole('row', { name }));
    expect(cells(/Starter/)).toEqual([
      'Starter',
      '10.00',
      '0.00',
      '−0.50',
      '−6.00',
      '−1.000001',
      '0.00',
      '0.00',
      '0.00',
      '2.499999',
      '25.0 %',
    ]);
    expect(cells(/No product/).slice(-2)).toEqual(['−0.25', '']);
    expect(cells(/^Total/)).toContain('2.249999');
  });

  it('[FIN-106] show deferred revenue by month, newest first, with what was taken as negative and sums', async () => {
    openBooks('/finance/reports');
    const deferred = await table('Deferred revenue');
    const row = (name: string) => within(deferred).getByRole('row', { name: new RegExp(`^${name}`) });
    const zeros = Array.from({ length: 4 }, () => '0.00');
    expect(cellsOf(row(monthName(PAST_MONTH)))).toEqual([
      '0.00',
      '9.99',
      '0.00',
      '0.00',
      '−1.500001',
      ...zeros,
      '8.489999',
    ]);
    expect(cellsOf(row('Total'))).toEqual([
      '0.00',
      '19.98',
      '0.00',
      '0.00',
      '−3.000002',
      ...zeros,
      '16.979998',
    ]);
    expect(within(deferred).getAllByRole('rowheader')[0]?.textContent).toBe(monthName(THIS_MONTH));
    expect(screen.getByText('Every month ties')).toBeTruthy();
  });

  it('[FIN-106] say when a month does not tie', async () => {
    server.on(DEFERRED, { json: { items: [month(THIS_MONTH, 1, 8_490_000)] } });
    openBooks('/finance/reports');
    expect(await screen.findByText('A month does not tie')).toBeTruthy();
  });

  it('[FIN-106] show the ages at a day that is chosen', async () => {
    openBooks('/finance/reports');
    const ages = await table('Age of what is deferred');
    expect(cellsOf(within(ages).getByRole('row', { name: /^Total/ }))).toEqual([
      '3',
      '0.000008',
      '0.000001',
      '0.000009',
    ]);
    fireEvent.change(screen.getByLabelText(/^Ages at the end of/), {
      target: { value: '2026-10-31' },
    });
    await waitFor(() => expect(server.seen(AGEING).at(-1)?.query.get('asOf')).toBe('2026-10-31'));
  });

  it('[FIN-102] lead to the file of a month, a draft while it is open', async () => {
    const address = (name: string) =>
      screen
        .getByRole('link', { name })
        .getAttribute('href')
        ?.replace(/^.*\/api/, '/api');
    openBooks('/finance/reports');
    const months = await screen.findByLabelText('Month');
    await waitFor(() =>
      expect(address('Xero')).toBe(`/api/finance/periods/${PAST_MONTH}/journal?format=xero&draft=false`),
    );
    fireEvent.change(months, { target: { value: THIS_MONTH } });
    expect(address('QuickBooks')).toBe(
      `/api/finance/periods/${THIS_MONTH}/journal?format=quickbooks&draft=true`,
    );
    expect(screen.getByText('Draft: the month is open')).toBeTruthy();
  });

  it('[FIN-103] take names and codes of accounts, both or neither', async () => {
    openBooks('/finance/reports');
    fireEvent.click(await screen.findByRole('button', { name: 'Name the accounts' }));
    const dialog = within(await screen.findByRole('dialog'));
    fireEvent.change(dialog.getByLabelText('Sales tax, place unknown'), { target: { value: 'VAT' } });
    fireEvent.click(dialog.getByRole('button', { name: 'Save' }));
    expect((await dialog.findByRole('alert')).textContent).toBe(
      'An account needs a name and a code, or neither',
    );
    fireEvent.change(dialog.getByLabelText('Code of Sales tax, place unknown'), {
      target: { value: '2200' },
    });
    fireEvent.click(dialog.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(server.seen('PUT /api/finance/account-map').at(-1)?.body).toEqual({
      accounts: [
        { account: 'bank', name: 'Bank', code: '1030' },
        { account: 'tax', name: 'VAT', code: '2200' },
      ],
    });
  });

  it('[FIN-106] fail each alone', async () => {
    server.on(DEFERRED, refused('InternalError'));
    openBooks('/finance/reports');
    expect(await screen.findByText('The deferred revenue could not be loaded')).toBeTruthy();
    expect(await table('Age of what is deferred')).toBeTruthy();
  });
});
