import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { ENDPOINTS } from '../../application/all-endpoints.js';
import { isRawAnswer, type Endpoint } from '../../application/shared/endpoint.js';
import { MAPPED_ACCOUNTS } from '../../domain/ledger/account-map.js';
import { randomFrom } from '../../domain/shared/seeded-random.js';
import { paidInvoice } from '../support/books.js';
import { FORMULA, parseCsv } from '../support/csv.js';
import { keyed, type HttpClient } from '../support/http-client.js';
import { breaksBooks } from '../support/invariants.js';
import { stock } from '../support/stock.js';
import { startTestProduct, type TestProduct } from '../support/product.js';
import { signedUpAs } from '../support/staff.js';

const random = randomFrom('tables');
const pick = (items: readonly string[]): string => items[Math.floor(random() * items.length)] ?? '';
const LEADS = ['=', '+', '-', '@', '＝', '＋', '－', '＠', '"', ' ='];
const RESTS = [
  '1+1',
  "cmd|'/C calc'!A0",
  'SUM(A1:A9)',
  'HYPERLINK("http://x.example","y")',
  'a,=1',
  '"=1"',
  '-',
];
/** A text that a person could write. */
const written = (): string => pick(LEADS) + pick(RESTS) + Math.floor(random() * 1e6);
/** A text that only another system could send. */
const foreign = (): string => pick(['\t', '\r', '\n', ...LEADS]) + written();

const typesOf = ({ answers }: Endpoint): readonly string[] => {
  const answer = answers[200];
  return answer && isRawAnswer(answer) ? answer.mediaTypes : [];
};
const isTable = (mediaType: string) => mediaType.startsWith('text/csv');
const tables = ENDPOINTS.filter((endpoint) => typesOf(endpoint).some(isTable));

const ROUNDS = 20;
const PAYOUT = '0c5c1c9e-3f53-4d3a-9a4e-6a3f1f0f6a01';
const month = new Date().toISOString().slice(0, 7);

let product: TestProduct;
let creator: HttpClient;
let admin: HttpClient;
let finance: HttpClient;

/** The reader and addresses of each table, and whether it contains texts of other users. */
const READS: Record<string, { by: () => HttpClient; at: string[]; hasTexts: boolean; isEmpty?: true }> = {
  'GET /api/admin/audit.csv': { by: () => admin, at: ['/api/admin/audit.csv'], hasTexts: true },
  // Contains only months and amounts, from the journal, in which the inserted sales are not: test/http/payouts.
  'GET /api/creator/monthly-statements.csv': {
    by: () => creator,
    at: ['/api/creator/monthly-statements.csv'],
    hasTexts: false,
    isEmpty: true,
  },
  // Contains only months and amounts of the journal, which is empty, and their totals: test/http/creator-years.
  'GET /api/creator/years/:year.csv': {
    by: () => creator,
    at: ['/api/creator/years/2026.csv'],
    hasTexts: false,
  },
  // Contains creators with entries in the journal, which is empty: test/http/creator-taxes.
  'GET /api/finance/reports/creator-taxes/:year.csv': {
    by: () => finance,
    at: ['/api/finance/reports/creator-taxes/2026.csv'],
    hasTexts: false,
    isEmpty: true,
  },
  // Contains countries, VAT ids and amounts; nothing was sold with reverse charge: test/http/tax.
  'GET /api/finance/vat/:quarter/firms.csv': {
    by: () => finance,
    at: ['/api/finance/vat/2026-Q3/firms.csv'],
    hasTexts: false,
    isEmpty: true,
  },
  'GET /api/creator/sales.csv': { by: () => creator, at: ['/api/creator/sales.csv'], hasTexts: true },
  'GET /api/creator/sales/report.csv': {
    by: () => creator,
    at: ['/api/creator/sales/report.csv?from=2026-01-01&to=2026-12-31'],
    hasTexts: true,
  },
  'GET /api/creator/sales/reach.csv': {
    by: () => creator,
    at: ['/api/creator/sales/reach.csv?from=2026-01-01&to=2026-12-31'],
    hasTexts: true,
  },
  'GET /api/creator/statements.csv': {
    by: () => creator,
    at: ['/api/creator/statements.csv'],
    hasTexts: true,
  },
  'GET /api/creator/statements/:id.csv': {
    by: () => creator,
    at: [`/api/creator/statements/${PAYOUT}.csv`],
    hasTexts: true,
  },
  // Contains only ids, kinds of facts and accounts, none of which a person writes.
  'GET /api/finance/export': { by: () => finance, at: ['/api/finance/export?format=csv'], hasTexts: false },
  'GET /api/finance/periods/:month/journal': {
    by: () => finance,
    at: ['quickbooks', 'xero'].map(
      (format) => `/api/finance/periods/${month}/journal?format=${format}&draft=true`,
    ),
    hasTexts: true,
  },
};

beforeAll(async () => {
  product = await startTestProduct();
  const { pool } = product.resources.database;
  creator = await product.signedUp();
  await creator.post('/api/creator/application', {});
  admin = await signedUpAs(product, 'admin');
  finance = await signedUpAs(product, 'finance');
  for (let round = 0; round < ROUNDS; round += 1) {
    const somebody = await product.signedUp();
    expect((await somebody.patch('/api/me', { displayName: written() })).status).toBe(200);
    const adjusted = { userId: somebody.userId, credits: 1, reason: written() };
    expect((await admin.post('/api/admin/adjustments', adjusted, keyed())).status).toBe(201);
  }
  await product.resources.creditExecutor.grantInvoice(paidInvoice(creator.userId), { correlationId: 'test' });
  const accounts = MAPPED_ACCOUNTS.map((account) => ({
    account,
    name: written(),
    code: written().slice(0, 10),
  }));
  expect((await finance.put('/api/finance/account-map', { accounts })).status).toBe(200);
  // Values that no provider sends and no purchase has.
  breaksBooks(product.resources.database, 'payouts and earnings are inserted', ['payouts', 'earnings']);
  await pool.query(
    `insert into earning (position, at, creator_id, buyer_id, purchase_id, sample_id, credits_used, share_micro_usd)
     values (900000001, '2026-06-01', $1, 'b', $2, $3, 1, 1000000)`,
    [creator.userId, foreign(), foreign()],
  );
  const reached = await stock(product.resources.database, 1, { prefix: 'table-', creatorId: creator.userId });
  await pool.query('update sample set title = $2 where sample_id = $1', [reached[0], `=${written()}`]);
  await pool.query(`insert into sample_reach values ($1, '2026-06-01', 1, 0, 0)`, [reached[0]]);
  const spans = JSON.stringify([{ fromMicroUsd: 0, toMicroUsd: 1_000_000 }]);
  await pool.query(
    `insert into payout (withdrawal_id, creator_id, version, account_id, amount_usd_cents, spans, deducted_micro_usd, status, requested_at, transfer_id)
     select case n when 0 then $1 else gen_random_uuid()::text end, $2, n + 1, 'acct_x', 100, $3, 0, 'paid', now(), t
     from unnest($4::text[]) with ordinality as given (t, at), lateral (select at::int - 1 as n) as counted`,
    [PAYOUT, creator.userId, spans, Array.from({ length: ROUNDS }, foreign)],
  );
});
afterAll(() => product?.stop());

it('[FIN-20] every route that may answer a table is read here', () => {
  expect(tables.map(({ key }) => key).toSorted()).toEqual(Object.keys(READS).toSorted());
});

it.each(tables.map((endpoint) => [endpoint.key, endpoint] as const))(
  '[FIN-20] %s: no cell is a formula, and the contract names its kind',
  async (key, endpoint) => {
    const { by, at, hasTexts, isEmpty = false } = READS[key] ?? { by: () => admin, at: [], hasTexts: true };
    for (const path of at) {
      const { status, headers, body } = await by().get(path);
      expect([path, status]).toEqual([path, 200]);
      expect(typesOf(endpoint)).toContain(headers.get('content-type'));
      expect(headers.get('content-type')).toMatch(/^text\/csv/);
      const [heads, ...rows] = parseCsv(body as string);
      expect(rows.length === 0).toBe(isEmpty);
      expect(rows.filter((cells) => cells.length !== heads?.length)).toEqual([]);
      const cells = rows.flat();
      // A number may be negative.
      expect(cells.filter((cell) => FORMULA.test(cell) && !/^-\d+(\.\d+)?$/.test(cell))).toEqual([]);
      expect(cells.some((cell) => cell.startsWith("'"))).toBe(hasTexts);
    }
  },
);

it.each(['csv', 'hledger', 'beancount', 'json'])(
  '[FIN-20] the journal as %s is of a kind that the contract names',
  async (format) => {
    const exported = ENDPOINTS.find(({ key }) => key === 'GET /api/finance/export') as Endpoint;
    const { headers } = await finance.get(`/api/finance/export?format=${format}`);
    expect(typesOf(exported)).toContain(headers.get('content-type'));
  },
);
