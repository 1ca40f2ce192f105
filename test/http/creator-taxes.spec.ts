import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PersonalDataExport } from '../../application/accounts/personal-data.js';
import { PayoutAccounts } from '../../application/payouts/payout-accounts.js';
import { paidInvoice } from '../support/books.js';
import { recordPack } from '../support/catalogue.js';
import { parseCsv } from '../support/csv.js';
import { keyed, type HttpClient } from '../support/http-client.js';
import { bookOf } from '../support/money-back.js';
import { startTestProduct, type TestProduct } from '../support/product.js';
import { signedUpAs } from '../support/staff.js';
import { purchaseOf } from '../support/stock.js';
import { onboard } from '../support/stripe.js';
import { LIMIT_MS } from '../support/until.js';

const NUMBER = '86095742719';
const OTTO = {
  kind: 'person',
  legalName: 'Otto Weiss',
  street: 'Lange Str. 5',
  city: 'Köln',
  region: null,
  postalCode: '50667',
  country: 'DE',
  birthDate: '1990-12-10',
  registrationNumber: null,
  taxIds: [{ country: 'DE', number: '86 095 742 719' }],
  vatId: 'DE 136 695 976',
};
const DETAILS = '/api/creator/tax-details';

let product: TestProduct;
/** Onboarded at Stripe in the United States. */
let junie: HttpClient;
/** Stated everything, in Germany. */
let otto: HttpClient;
/** Said nothing. */
let mia: HttpClient;
let ada: HttpClient;
let petra: HttpClient;
let admin: HttpClient;
let year: string;

const settled = async () => {
  const { eventStore, logSubscriptions } = product.resources;
  expect(await logSubscriptions.caughtUp((await eventStore.head()).position, LIMIT_MS)).toBe(true);
};
const sell = async (sampleId: string) => {
  const { outcome } = await product.resources.creditExecutor.buy(purchaseOf(ada.userId, [sampleId]));
  expect(outcome.status).toBe('bought');
  await settled();
};
const report = (path = '') => `/api/finance/reports/creator-taxes/${year}${path}`;
/** The rows of the file, by heading. */
const exported = async (who = petra, query = '') => {
  const answer = await who.get(`${report('.csv')}${query}`);
  expect(answer.status).toBe(200);
  const [header = [], ...rows] = parseCsv(answer.body);
  return rows.map((row) => Object.fromEntries(header.map((name, at) => [name, row[at] ?? ''])));
};
const microUsd = (row: Record<string, string>, ...names: string[]) =>
  Math.round(names.reduce((sum, name) => sum + Number(row[name]), 0) * 1e6);

beforeAll(async () => {
  product = await startTestProduct();
  const { clock, eventStore, creditExecutor, database, stripeSimulator } = product.resources;
  // All sales are in one year, whatever day it is.
  const startedAt = clock.now();
  const january = Date.UTC(startedAt.getUTCFullYear() + 1, 0, 2);
  await stripeSimulator!.advance((january - startedAt.getTime()) / 86_400_000);
  [junie, otto, mia, ada] = [
    await product.signedUp(),
    await product.signedUp(),
    await product.signedUp(),
    await product.signedUp(),
  ];
  petra = await signedUpAs(product, 'finance');
  admin = await signedUpAs(product, 'admin');
  for (const each of [junie, otto, mia]) await each.post('/api/creator/application', {});
  const prices = Array.from({ length: 12 }, () => ({ priceCredits: 1 }));
  await recordPack(eventStore, { packId: 'duo', creatorId: junie.userId }, prices);
  await recordPack(eventStore, { packId: 'solo', creatorId: mia.userId }, prices);
  await creditExecutor.grantInvoice(paidInvoice(ada.userId), { correlationId: 'c' });
  for (const n of [0, 1, 2, 3]) await sell(`duo-${n}`);
  await sell('solo-0');
  await stripeSimulator!.advance(32);
  const { rows } = await database.pool.query('select handle from creator_profile where user_id = $1', [
    otto.userId,
  ]);
  const offer = { creator: (rows[0] as { handle: string }).handle, bps: 3_333 };
  const split = await junie.post('/api/creator/packs/duo/splits', offer, keyed());
  expect((await otto.post(`/api/splits/${split.body.id}/accept`, undefined, keyed())).status).toBe(200);
  await settled();
  for (const n of [4, 5, 6]) await sell(`duo-${n}`);
  await admin.post('/api/admin/defects', { sampleId: 'duo-4', reason: 'Only silence' });
  await admin.post('/api/admin/takedowns', { sampleId: 'duo-0', reason: 'Not their own work' });
  await settled();
  year = product.resources.clock.now().toISOString().slice(0, 4);
  await onboard(
    (await junie.post('/api/stripe/connect/create-account', { country: 'US' })).body.url,
    'completed',
  );
  expect((await otto.put(DETAILS, OTTO)).status).toBe(200);
});
afterAll(() => product?.stop());

describe('what a creator states', () => {
  it('[BOOK-820] is stored with encrypted numbers, and shown with their last characters; a number that is left out stays', async () => {
    const answer = (await otto.get(DETAILS)).body;
    const { taxIds: _, vatId: __, ...said } = OTTO;
    expect(answer).toMatchObject({
      stated: { ...said, taxIds: [{ country: 'DE', ending: '719' }], vatId: '976' },
      report: 'DAC7',
      missing: [],
    });
    const { pool } = product.resources.database;
    const everything = await pool.query(
      `select (select string_agg(t::text, ' ') from tax_detail t) as details,
              (select string_agg(data::text, ' ') from event) as log, (select string_agg(text, ' ') from mailbox) as mails`,
    );
    for (const [place, text] of Object.entries(everything.rows[0] as Record<string, string | null>))
      for (const secret of [NUMBER, Buffer.from(NUMBER).toString('hex'), '136695976'])
        expect([place, text?.includes(secret) ?? false]).toEqual([place, false]);
    const { taxIds, vatId, ...rest } = OTTO;
    const moved = { ...rest, city: 'Bonn' };
    expect((await otto.put(DETAILS, moved)).body.stated).toMatchObject({
      city: 'Bonn',
      taxIds: [{ country: 'DE', ending: '719' }],
      vatId: '976',
    });
    const without = await otto.put(DETAILS, { ...rest, taxIds: [], vatId: null });
    expect(without.body).toMatchObject({ stated: { taxIds: [], vatId: null }, missing: ['tax id'] });
    expect((await otto.put(DETAILS, { ...rest, taxIds, vatId })).body.missing).toEqual([]);
  });

  it('[BOOK-821] is refused field by field if it is not valid, and then changes nothing', async () => {
    const before = (await otto.get(DETAILS)).body;
    const bad: [string, object][] = [
      ['kind', { kind: 'robot' }],
      ['legalName', { legalName: '' }],
      ['street', { street: 'a\nb' }],
      ['country', { country: 'Germany' }],
      ['birthDate', { birthDate: '2990-01-01' }],
      ['birthDate', { birthDate: '1990-02-30' }],
      ['taxIds.0.number', { taxIds: [{ country: 'DE', number: '12' }] }],
      ['taxIds.0.number', { taxIds: [{ country: 'DE', number: '=1+2+3+4' }] }],
      ['taxIds.0.number', { taxIds: [{ country: 'US', number: '12-345678' }] }],
      ['taxIds', { taxIds: Array.from({ length: 4 }, () => ({ country: 'DE', number: NUMBER })) }],
      ['vatId', { vatId: '136695976' }],
      ['', { passport: 'X' }],
    ];
    for (const [path, change] of bad) {
      const { status, body } = await otto.put(DETAILS, { ...OTTO, ...change });
      expect([path, status, body.code, body.errors?.[0]?.path]).toEqual([path, 400, 'InvalidRequest', path]);
    }
    expect((await otto.get(DETAILS)).body).toEqual(before);
    const other = await product.signedUp();
    await other.post('/api/creator/application', {});
    for (const number of ['123-45-6789', '12-3456789'])
      expect(
        (await other.put(DETAILS, { ...OTTO, country: 'US', taxIds: [{ country: 'US', number }] })).body,
      ).toMatchObject({ stated: { taxIds: [{ country: 'US', ending: '789' }] }, missing: [] });
    expect((await ada.get(DETAILS)).status).toBe(403);
  });

  it('[BOOK-823] comes from Stripe as far as Stripe shares it: the country, and that it has the number', async () => {
    const { body } = await junie.get(DETAILS);
    expect(body).toMatchObject({
      stated: null,
      fromProvider: { country: 'US', kind: 'person', hasTaxId: true, legalName: null },
      report: '1099',
      missing: ['name', 'address'],
    });
    expect((await mia.get(DETAILS)).body).toMatchObject({ fromProvider: null, missing: ['country'] });
  });
});

describe('the report of a year', () => {
  it('[BOOK-824] has every creator, and its sums equal their years and the ledger, after returns, shares and takedowns', async () => {
    const rows = await exported();
    expect(rows.map(({ creator, country, report: of }) => [creator, country, of])).toEqual([
      [otto.userId, 'DE', 'DAC7'],
      [junie.userId, 'US', '1099'],
      [mia.userId, '', 'unknown'],
    ]);
    const quarters = (name: string) => [1, 2, 3, 4].map((number) => `q${number}_${name}`);
    const months = Object.keys(rows[0] ?? {}).filter((name) => name.startsWith('k_box_5'));
    expect(months).toHaveLength(12);
    let [royalties, gross] = [0, 0];
    for (const [who, row] of [
      [otto, rows[0]],
      [junie, rows[1]],
      [mia, rows[2]],
    ] as const) {
      const { items } = (await who.get(`/api/creator/years/${year}`)).body as {
        items: Record<string, number>[];
      };
      const sum = (name: string) => items.reduce((total, month) => total + (month[name] as number), 0);
      const earned = sum('earnedMicroUsd') - sum('takenBackMicroUsd');
      expect(microUsd(row!, ...quarters('consideration_usd'))).toBe(earned);
      expect(microUsd(row!, 'misc_box_2_royalties_usd')).toBe(earned);
      expect(microUsd(row!, ...quarters('fees_usd'))).toBe(sum('feesMicroUsd'));
      expect(microUsd(row!, ...months)).toBe(sum('grossMicroUsd'));
      expect(microUsd(row!, 'k_box_1a_gross_usd')).toBe(sum('grossMicroUsd'));
      const counted = (name: string) => quarters(name).reduce((total, each) => total + Number(row![each]), 0);
      expect([counted('sales'), counted('returns')]).toEqual([sum('sales'), sum('returns')]);
      royalties += earned;
      gross += sum('grossMicroUsd') - sum('grossReturnedMicroUsd');
    }
    expect(royalties).toBe(await bookOf(petra, 'royalties'));
    expect(gross).toBe(-(await bookOf(petra, 'credits')));
    expect((await exported(petra, '?country=DE')).map(({ creator }) => creator)).toEqual([otto.userId]);
  });

  it('[BOOK-826] has the numbers in full only in the file, which finance takes after a fresh sign-in, and the staff’s acts name who took it', async () => {
    const [row] = await exported();
    expect(row).toMatchObject({
      tax_ids: `DE ${NUMBER}`,
      vat_id: 'DE136695976',
      legal_name: 'Otto Weiss',
      birth_date: '1990-12-10',
      missing: '',
      reportable: 'yes',
      form_1099_misc: '',
    });
    await settled();
    const { items } = (await admin.get('/api/admin/audit?kind=creator-taxes')).body;
    expect(items[0]).toMatchObject({ by: petra.userId, kind: 'creator-taxes', subject: year });
    expect((await otto.get(report('.csv'))).body.code).toBe('NotAllowed');
    const taken = items.length;
    await product.resources.database.pool.query(
      `update session set authenticated_at = now() - interval '11 minutes' where user_id = $1`,
      [petra.userId],
    );
    expect((await petra.get(report('.csv'))).body.code).toBe('FreshSignInRequired');
    await petra.post('/api/auth/confirm', { password: 'a fine pass phrase' });
    await settled();
    expect((await admin.get('/api/admin/audit?kind=creator-taxes')).body.items).toHaveLength(taken);
  });

  it('[BOOK-827] counts by country who is reportable and incomplete, lists what is missing page by page, and asks once', async () => {
    const { items } = (await petra.get(report())).body;
    const counted = (country: string | null) =>
      items.find((item: { country: string | null }) => item.country === country);
    expect(counted('DE')).toMatchObject({ report: 'DAC7', creators: 1, reportable: 1, incomplete: 0 });
    expect(counted(null)).toMatchObject({ report: 'unknown', creators: 1, reportable: 1, incomplete: 1 });
    // Below 10 dollars of royalties, no form is due.
    const [, us] = await exported();
    const isDue = microUsd(us!, 'misc_box_2_royalties_usd') >= 10_000_000;
    expect(counted('US')).toMatchObject({ reportable: isDue ? 1 : 0 });
    expect(us).toMatchObject({
      missing: 'name; address',
      tax_id_at_stripe: 'yes',
      form_1099_misc: isDue ? 'yes' : 'no',
    });
    const first = (await petra.get(report('/incomplete?limit=1'))).body;
    expect(first.total).toBe(isDue ? 2 : 1);
    const listed = [...first.items];
    for (let cursor = first.nextCursor; cursor;) {
      const next = (await petra.get(report(`/incomplete?limit=1&cursor=${cursor}`))).body;
      listed.push(...next.items);
      cursor = next.nextCursor;
    }
    expect(listed.map(({ creatorId }) => creatorId)).toEqual([...(isDue ? [junie.userId] : []), mia.userId]);
    expect(listed.at(-1)).toMatchObject({ missing: ['country'], country: null });
    for (const _ of [1, 2]) expect((await petra.post(report('/ask'))).body).toEqual({ asked: listed.length });
    const asked = (await mia.get('/api/inbox')).body.items.filter(({ text }: { text: string }) =>
      text.includes('tax details'),
    );
    expect(asked).toHaveLength(1);
  });

  it('[BOOK-829] has amounts in euros for each quarter whose rate is stored', async () => {
    const now = product.resources.clock.now();
    const number = Math.floor(now.getUTCMonth() / 3) + 1;
    const quarter = `${year}-Q${number}`;
    expect((await petra.get(report())).body.quartersWithoutRate).toContain(quarter);
    const [before] = await exported();
    expect(before![`q${number}_consideration_eur`]).toBe('');
    await product.resources.stripeSimulator!.advance(92);
    expect((await petra.put(`/api/finance/vat/${quarter}/rate`, { usdPerEur: '1.2500' })).status).toBe(200);
    expect((await petra.get(report())).body.quartersWithoutRate).not.toContain(quarter);
    const [after] = await exported();
    for (const name of ['consideration', 'fees'])
      expect(after![`q${number}_${name}_eur`]).toBe(
        (Math.round(microUsd(after!, `q${number}_${name}_usd`) / 12_500) / 100).toFixed(6),
      );
  });
});

it('[BOOK-833] numbers that no known key opens are missing for the creator, the list and the file, until they are stated again', async () => {
  await product.resources.database.pool.query(
    `update tax_detail set numbers = '\\x00' || numbers where creator_id = $1`,
    [otto.userId],
  );
  const others = (await exported()).slice(1).map(({ creator }) => creator);
  expect(others).toEqual([junie.userId, mia.userId]);
  const [row] = await exported();
  expect(row).toMatchObject({ creator: otto.userId, missing: 'tax id', tax_ids: '', vat_id: '' });
  expect((await petra.get(report('/incomplete'))).body.items[0]).toMatchObject({ creatorId: otto.userId });
  expect((await otto.get(DETAILS)).body.missing).toEqual(['tax id']);
  const { vatId: _, ...stated } = OTTO;
  expect((await otto.put(DETAILS, stated)).body).toMatchObject({ missing: [], stated: { vatId: null } });
  expect((await exported())[0]).toMatchObject({ missing: '', tax_ids: `DE ${NUMBER}` });
  await otto.put(DETAILS, OTTO);
});

it('[BOOK-828] the details of a creator who earned outlive the account, for nine years; those of others go with it', async () => {
  const idle = await product.signedUp();
  await idle.post('/api/creator/application', {});
  await onboard(
    (await idle.post('/api/stripe/connect/create-account', { country: 'US' })).body.url,
    'completed',
  );
  const { accountId } = (await idle.get(`/api/stripe/connect/status/${idle.userId}`)).body;
  await idle.put(DETAILS, OTTO);
  const copy = await product.app.get(PersonalDataExport, { strict: false }).read(otto.userId);
  expect(copy['taxDetails']).toMatchObject({ stated: { legalName: 'Otto Weiss', vatId: '976' } });
  expect(JSON.stringify(copy)).not.toContain(NUMBER);
  const { pool } = product.resources.database;
  const kept = async (who: HttpClient) =>
    (await pool.query('select closed_at from tax_detail where creator_id = $1', [who.userId])).rows;
  expect((await idle.delete('/api/me')).status).toBe(204);
  // Stripe may still report the account.
  expect(await product.app.get(PayoutAccounts, { strict: false }).refresh(accountId)).toBe(true);
  expect(await kept(idle)).toEqual([]);
  expect((await otto.delete('/api/me', { claimPayout: true })).status).toBeLessThan(300);
  expect(await kept(otto)).toEqual([{ closed_at: expect.any(Date) }]);
  const [row] = await exported();
  expect(row).toMatchObject({ creator: otto.userId, legal_name: 'Otto Weiss', tax_ids: `DE ${NUMBER}` });
});
