import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parseCsv } from '../support/csv.js';
import { paidInvoice } from '../support/books.js';
import { recordPack } from '../support/catalogue.js';
import { keyed, type HttpClient } from '../support/http-client.js';
import { bookOf } from '../support/money-back.js';
import { startTestProduct, type TestProduct } from '../support/product.js';
import { grantRoles, signedUpAs } from '../support/staff.js';
import { purchaseOf } from '../support/stock.js';
import { LIMIT_MS } from '../support/until.js';

const PACK = 'duo';

interface Fact {
  type: string;
  month: string;
  data: {
    creatorId: string;
    purchaseId: string;
    valueMicroUsd: number;
    shareMicroUsd: number;
    amountMicroUsd: number;
    shares?: { creatorId: string; shareMicroUsd: number }[];
  };
}

let product: TestProduct;
let junie: HttpClient;
let otto: HttpClient;
let ada: HttpClient;
let petra: HttpClient;
let year: string;

const settled = async () => {
  const { eventStore, logSubscriptions } = product.resources;
  expect(await logSubscriptions.caughtUp((await eventStore.head()).position, LIMIT_MS)).toBe(true);
};
const sell = async (n: number) => {
  const { outcome } = await product.resources.creditExecutor.buy(purchaseOf(ada.userId, [`${PACK}-${n}`]));
  expect(outcome.status).toBe('bought');
  await settled();
};
const facts = async (): Promise<Fact[]> => {
  const { rows } = await product.resources.database.pool.query(
    `select type, data, to_char(recorded_at at time zone 'UTC', 'YYYY-MM') as month from event
      where type in ('SamplePurchased', 'PurchaseReturned', 'WithdrawalRequested') order by position`,
  );
  return rows as Fact[];
};

beforeAll(async () => {
  product = await startTestProduct();
  const { eventStore, creditExecutor, database, stripeSimulator } = product.resources;
  [junie, otto, ada] = [await product.signedUp(), await product.signedUp(), await product.signedUp()];
  petra = await signedUpAs(product, 'finance');
  for (const each of [junie, otto]) await each.post('/api/creator/application', {});
  const prices = Array.from({ length: 8 }, () => ({ priceCredits: 1 }));
  await recordPack(eventStore, { packId: PACK, creatorId: junie.userId }, prices);
  await creditExecutor.grantInvoice(paidInvoice(ada.userId), { correlationId: 'c' });
  // Four sales of Junie alone in one month, and shared ones in a later month.
  for (const n of [0, 1, 2, 3]) await sell(n);
  await stripeSimulator!.advance(32);
  const { rows } = await database.pool.query('select handle from creator_profile where user_id = $1', [
    otto.userId,
  ]);
  const offer = { creator: (rows[0] as { handle: string }).handle, bps: 3_333 };
  const split = await junie.post(`/api/creator/packs/${PACK}/splits`, offer, keyed());
  expect(split.status).toBe(201);
  expect((await otto.post(`/api/splits/${split.body.id}/accept`, undefined, keyed())).status).toBe(200);
  await settled();
  for (const n of [4, 5, 6]) await sell(n);
  const admin = await product.signedUp();
  await grantRoles(database, admin.userId, 'admin');
  await admin.post('/api/admin/defects', { sampleId: `${PACK}-4`, reason: 'Only silence' });
  await settled();
  year = product.resources.clock.now().toISOString().slice(0, 4);
});
afterAll(() => product?.stop());

const yearOf = async (who: HttpClient, of = year) => (await who.get(`/api/creator/years/${of}`)).body;
const sumOf = (items: Record<string, number>[], name: string) =>
  items.reduce((sum, item) => sum + (item[name] as number), 0);

describe('the year of a creator', () => {
  it('[BOOK-806] equals the log, added up apart from the books, for each creator and month, and the ledger’s accounts in all', async () => {
    const log = await facts();
    const years = [...new Set(log.map(({ month }) => month.slice(0, 4)))];
    const all: Record<string, number>[] = [];
    for (const who of [junie, otto])
      for (const each of years) {
        const { items, openingMicroUsd, closingMicroUsd } = await yearOf(who, each);
        let balance = openingMicroUsd;
        for (const month of items) {
          const of = log.filter((fact) => fact.month === month.month);
          const expected = { sales: 0, returns: 0, earned: 0, takenBack: 0 };
          for (const { type, data } of of) {
            const shares = data.shares ?? [data];
            const mine = shares.find(({ creatorId }) => creatorId === who.userId)?.shareMicroUsd ?? 0;
            if (type === 'SamplePurchased' && mine > 0) {
              expected.sales += 1;
              expected.earned += mine;
            } else if (type === 'PurchaseReturned' && mine > 0) {
              expected.returns += 1;
              expected.takenBack += mine;
            }
          }
          expect(month).toMatchObject({
            sales: expected.sales,
            returns: expected.returns,
            earnedMicroUsd: expected.earned,
            takenBackMicroUsd: expected.takenBack,
          });
          const kept = month.grossMicroUsd - month.grossReturnedMicroUsd - month.feesMicroUsd;
          expect(kept).toBe(month.earnedMicroUsd - month.takenBackMicroUsd);
          balance += kept - month.withdrawnMicroUsd + month.writtenOffMicroUsd;
          all.push(month);
        }
        expect(closingMicroUsd).toBe(balance);
        if (each === years.at(-1)) expect(-balance).toBe(await bookOf(petra, `creator:${who.userId}`));
      }
    const value = (type: string) =>
      sumOf(
        log.filter((fact) => fact.type === type).map(({ data }) => ({ ...data }) as never),
        'valueMicroUsd',
      );
    expect(sumOf(all, 'grossMicroUsd')).toBe(value('SamplePurchased'));
    expect(sumOf(all, 'grossReturnedMicroUsd')).toBe(value('PurchaseReturned'));
    expect(sumOf(all, 'grossMicroUsd') - sumOf(all, 'grossReturnedMicroUsd')).toBe(
      -(await bookOf(petra, 'credits')),
    );
    expect(sumOf(all, 'earnedMicroUsd') - sumOf(all, 'takenBackMicroUsd')).toBe(
      await bookOf(petra, 'royalties'),
    );
    expect(sumOf(all, 'returns')).toBe(2);
  });

  it('[BOOK-816] counts what promotion codes gave in each month and file, and no amount includes it', async () => {
    const before = await yearOf(otto);
    const { eventStore } = product.resources;
    await recordPack(eventStore, { packId: 'gift', creatorId: otto.userId }, [
      { priceCredits: 1 },
      { priceCredits: 2 },
    ]);
    await otto.post('/api/creator/promotions', { code: 'A-GIFT', packId: 'gift', limit: 2 }, keyed());
    expect((await ada.post('/api/promotions/redeem', { code: 'a-gift' }, keyed())).status).toBe(201);
    await settled();
    const after = await yearOf(otto);
    const given = ({ items }: { items: Record<string, number>[] }) => sumOf(items, 'freeDownloads');
    expect([given(before), given(after)]).toEqual([0, 2]);
    for (const name of ['sales', 'grossMicroUsd', 'earnedMicroUsd'])
      expect(sumOf(after.items, name)).toBe(sumOf(before.items, name));
    expect(after.closingMicroUsd).toBe(before.closingMicroUsd);
    for (const path of [`/api/creator/years/${year}.csv`, '/api/creator/monthly-statements.csv']) {
      const [header = [], ...rows] = parseCsv((await otto.get(path)).body);
      expect(rows.map((row) => row[header.indexOf('free_downloads')])).toContain('2');
    }
    expect(
      (await yearOf(junie)).items.every((month: { freeDownloads: number }) => month.freeDownloads === 0),
    ).toBe(true);
  });

  it('[BOOK-807] is downloaded as a table with its totals and as a PDF, by its creator only', async () => {
    const path = `/api/creator/years/${year}`;
    const [header = [], ...rows] = parseCsv((await junie.get(`${path}.csv`)).body);
    const { items, closingMicroUsd } = await yearOf(junie);
    const gross = header.indexOf('gross_usd');
    expect(rows).toHaveLength(items.length + 1);
    const dollars = rows.slice(0, -1).reduce((sum, row) => sum + Number(row[gross]) * 1e6, 0);
    expect(Math.round(dollars)).toBe(Math.round(Number(rows.at(-1)?.[gross]) * 1e6));
    expect(Number(rows.at(-1)?.[header.indexOf('closing_usd')])).toBe(closingMicroUsd / 1e6);
    const pdf = await junie.get(`${path}.pdf`);
    expect([pdf.status, pdf.headers.get('content-type')]).toEqual([200, 'application/pdf']);
    // Nothing of another creator, and nothing for a year before the books or an invalid one.
    expect((await yearOf(otto)).items.every(({ sales }: { sales: number }) => sales <= 3)).toBe(true);
    expect(await yearOf(junie, '2001')).toMatchObject({ items: [], openingMicroUsd: 0, closingMicroUsd: 0 });
    expect((await junie.get('/api/creator/years/26')).body.code).toBe('InvalidRequest');
    expect((await product.browser().get(path)).status).toBe(401);
  });
});
