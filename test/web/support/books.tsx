import { screen, within } from '@testing-library/react';
import { Route, Routes } from 'react-router-dom';
import FinanceScreen from '../../../web/src/screens/finance/finance-screen.js';
import { AreaNav } from '../../../web/src/staff/staff-nav.js';
import { pageWith } from './page.js';
import { NOOR, renderAt, signedInAs } from './render.js';
import { StubServer } from './server.js';

/** The state of the stubbed books. Tests change it before they ask. */
export const books = {
  holds: true,
  nightAt: '',
};

/** One event as the audit log shows it. */
export const event = (position: number) => ({
  position,
  stream: 'purchase-ada.s1',
  version: 1,
  type: 'SamplePurchased',
  data: { sampleId: 's1', shareMicroUsd: 119_880 },
  metadata: { actor: 'ada', correlationId: 'c' },
  recordedAt: '2026-11-20T12:00:00.000Z',
  hash: 'ab'.repeat(32),
});
const row = (account: string, kind: string, debitMicroUsd: number, creditMicroUsd: number, accounts = 1) => ({
  account,
  kind,
  accounts,
  position: 12,
  debitMicroUsd,
  creditMicroUsd,
});
const GROUPED = [
  row('stripe:balance', 'asset', 9_990_000, 0),
  row('deferred:*', 'liability', 0, 9_790_200, 1),
  row('creator:*', 'liability', 0, 119_880, 1),
  row('suspense', 'liability', 0, 0),
  row('credits', 'income', 0, 199_800),
  row('royalties', 'expense', 119_880, 0),
];

const month = (name: string, opening: number, granted: number, spent: number) => ({
  month: name,
  opening,
  granted,
  spent,
  returned: 0,
  revoked: 2,
  adjusted: 0,
  closing: opening + granted - spent - 2,
});
/** The last completed month, and the current one. */
export const PAST_MONTH = (() => {
  const at = new Date();
  at.setUTCDate(0);
  return at.toISOString().slice(0, 7);
})();
export const THIS_MONTH = new Date().toISOString().slice(0, 7);
const MONTHS = [month(PAST_MONTH, 0, 100, 10), month(THIS_MONTH, 88, 50, 20)];

/** Signs in a finance user, with a server that has small books. */
export function startBooks(): StubServer {
  signedInAs({ ...NOOR, roles: ['finance'] });
  Object.assign(books, { holds: true, nightAt: new Date().toISOString() });
  return new StubServer({
    'GET /api/finance/names': ({ query }) => ({
      json: {
        items: (query.get('ids') ?? '')
          .split(',')
          .filter((id) => id === 'ada')
          .map((id) => ({ id, name: 'Ada Ray' })),
      },
    }),
    'GET /api/finance/alerts': { json: { items: [], nextCursor: null, causes: [] } },
    'GET /api/finance/tie-outs': { json: { items: [], fetch: null } },
    'GET /api/finance/materiality': { json: { amountMicroUsd: 0, by: null, at: null } },
    'GET /api/finance/provider-balances': { json: { items: [] } },
    'GET /api/finance/approvals': { json: { items: [], nextCursor: null } },
    'GET /api/auth/session': () => ({ json: { user: NOOR, expiresAt: 2_000_000_000 } }),
    'POST /api/auth/sign-out': { status: 204 },
    'GET /api/finance/exports': { json: { items: [] } },
    'GET /api/finance/trial-balance': ({ query }) => ({
      json: {
        asOf: '2026-11-20T12:00:00.000Z',
        position: 12,
        accounts:
          query.get('grouped') === 'true'
            ? GROUPED
            : [row('stripe:balance', 'asset', 9_990_000, 0), row('creator:junie', 'liability', 0, 119_880)],
        totals: { debitMicroUsd: 10_109_880, creditMicroUsd: 10_109_880 },
        credits: {
          accounts: [
            {
              account: 'issued',
              kind: 'credits',
              accounts: 1,
              position: 12,
              debitCredits: 0,
              creditCredits: 150,
            },
            {
              account: 'user:*',
              kind: 'credits',
              accounts: 2,
              position: 12,
              debitCredits: 126,
              creditCredits: 0,
            },
            {
              account: 'spent',
              kind: 'credits',
              accounts: 1,
              position: 12,
              debitCredits: 24,
              creditCredits: 0,
            },
          ],
          totals: { debitCredits: 150, creditCredits: 150 },
        },
        otherCurrencies: [],
      },
    }),
    'GET /api/finance/credit-rollforward': () => ({
      json: { opening: 100, granted: 50, spent: 20, returned: 1, revoked: 0, adjusted: -5, closing: 126 },
    }),
    'GET /api/finance/reconciliation': () => ({
      json: {
        checkedAt: '2026-11-20T12:00:00.000Z',
        invariants: [
          { number: 1, name: 'Every entry sums to zero', holds: true },
          {
            number: 3,
            name: 'A wallet is its lines',
            holds: books.holds,
            ...(books.holds ? {} : { detail: 'user ada shows 5' }),
          },
        ],
        chain: { verified: true, position: 1204 },
        heads: {
          verified: 5,
          newest: { date: '2026-11-20', signedAt: '2026-11-20T11:00:00.000Z', position: 1200 },
          isLate: false,
          missingDays: ['2026-11-18'],
          restores: [{ at: '2026-11-19T10:00:00.000Z', position: 797, heads: ['2026-11-19T08'] }],
        },
        drift: [{ projection: 'journal', rows: books.holds ? 0 : 2 }],
        unreadable: books.holds ? [] : [{ position: 17, type: 'CreditsGranted' }],
        proof: {
          since: { position: 1_100, signedAt: '2026-11-20T02:00:00.000Z' },
          whole: {
            log: '2026-11-18T05:00:00.000Z',
            rules: '2026-11-18T05:10:00.000Z',
            readModels: '2026-11-17T05:20:00.000Z',
            files: '2026-11-14T06:00:00.000Z',
          },
        },
      },
    }),
    'GET /api/finance/checks': () => ({
      json: {
        items: [
          {
            night: '2026-11-20',
            checkedAt: books.nightAt,
            position: 1204,
            holds: books.holds,
            broken: books.holds
              ? []
              : [{ number: 3, name: 'A wallet is its lines', detail: 'user ben shows 7' }],
          },
        ],
      },
    }),
    'GET /api/finance/accounts/creator%3Ajunie': () => ({
      json: {
        account: 'creator:junie',
        kind: 'liability',
        name: 'Junie Moss',
        balanceMicroUsd: -119_880,
        balanceCredits: 0,
        entries: [
          {
            position: 9,
            at: '2026-11-20T12:00:00.000Z',
            fact: 'share-earned',
            deltaMicroUsd: -119_880,
            balanceMicroUsd: -119_880,
            deltaCredits: 0,
            balanceCredits: 0,
            event: event(9),
          },
        ],
        nextCursor: null,
      },
    }),
    'GET /api/finance/events': ({ query }) => ({
      json: { items: [event(query.get('type') === 'SamplePurchased' ? 9 : 12)], nextCursor: null },
    }),
    'GET /api/finance/credit-rollforward/months': ({ query }) => ({
      json: { items: query.get('userId') === 'nobody' ? [] : MONTHS },
    }),
    'GET /api/finance/balances-over-time': () => ({
      json: {
        items: MONTHS.map(({ month }, at) => ({
          month,
          cashMicroUsd: 9_990_000 * (at + 1),
          deferredMicroUsd: 8_000_000,
          creatorsMicroUsd: -119_880,
        })),
      },
    }),
    'GET /api/finance/open-items': () => ({
      json: {
        items: [
          {
            account: 'payouts-in-transit',
            about: 'w1',
            since: '2026-11-01T00:00:00.000Z',
            ageDays: 19,
            aged: true,
            amountMicroUsd: 25_000_000,
            currency: 'usd',
            amountMicro: 25_000_000,
            note: null,
            requestId: null,
            position: 40,
            reason: '',
          },
        ],
      },
    }),
  });
}

const FinancePage = pageWith('finance', FinanceScreen);

export const openBooks = (address = '/finance/trial-balance') =>
  renderAt(
    address,
    <Routes>
      <Route
        path="/finance/*"
        element={
          <>
            <AreaNav area="finance" />
            <FinancePage />
          </>
        }
      />
      <Route path="/auth" element={<p>The sign-in page</p>} />
    </Routes>,
  );

export const table = (name: string) => screen.findByRole('table', { name });

export const cellsOf = (row: HTMLElement) =>
  within(row)
    .getAllByRole('cell')
    .map(({ textContent }) => textContent);
