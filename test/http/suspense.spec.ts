import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Reconcile } from '../../application/ledger/reconcile.js';
import { BalanceTransactions } from '../../application/payments/balance-transactions.js';
import { keyed, type HttpClient } from '../support/http-client.js';
import { bookOf, pull, startWithStaff, comesTo } from '../support/money-back.js';
import type { TestProduct } from '../support/product.js';
import { signedUpAs } from '../support/staff.js';

let product: TestProduct;
let pia: HttpClient;
let petra: HttpClient;
let quinn: HttpClient;

beforeAll(async () => {
  ({ product, pia, petra } = await startWithStaff());
  quinn = await signedUpAs(product, 'finance');
});
afterAll(() => product?.stop());

interface Item {
  account: string;
  about: string;
  amountMicro: number;
  aged: boolean;
  note: { text: string; byName: string } | null;
  requestId: string | null;
}
const items = async (): Promise<Item[]> => (await petra.get('/api/finance/open-items')).body.items;
const itemOf = async (about: string) => (await items()).find((item) => item.about === about);
/** Moves money at Stripe without a fact of ours. @returns the subject of its item */
const moved = async (amountUsdCents: number, currency?: string): Promise<string> => {
  const before = new Set((await items()).map(({ about }) => about));
  await pull(product, 'movement', { type: 'topup', amountUsdCents, ...(currency && { currency }) });
  await product.app.get(BalanceTransactions, { strict: false }).sweep();
  return (await items()).find(({ about }) => !before.has(about))?.about ?? '';
};
const WHY = {
  reason: 'Our own money, put there before the first payouts',
  evidence: 'Bank statement 2026-11, line 14',
};
const ask = (who: HttpClient, body: object, key?: string) =>
  who.post(
    '/api/finance/adjusting-entries',
    { account: 'suspense', to: 'bank', ...WHY, ...body },
    keyed(key),
  );
const approve = (who: HttpClient, id: string) =>
  who.post(`/api/finance/approvals/${id}/approve`, {}, keyed());
const broken = async () => {
  const { invariants } = await product.app.get(Reconcile, { strict: false }).run();
  return invariants.filter(({ holds }) => !holds).map(({ number }) => number);
};
const book = (account: string) => bookOf(petra, account);

it('[FIN-36, FIN-60] an item in suspense is red from its own age on; it is cleared by an entry that a second person agreed to, and rule 15 holds again', async () => {
  const about = await moved(100_000);
  await product.resources.stripeSimulator!.advance(10);
  expect(await broken()).toEqual([15]);
  // An item of today does not make the old one younger.
  expect(await itemOf(await moved(1_000))).toMatchObject({ amountMicro: 10_000_000 });
  expect(await broken()).toEqual([15]);
  const [suspense, bank] = [await book('suspense'), await book('bank')];
  const key = crypto.randomUUID();
  const asked = await ask(petra, { about }, key);
  expect([asked.status, asked.body]).toEqual([202, { id: expect.any(String), status: 'waiting' }]);
  const { id } = asked.body;
  expect((await ask(petra, { about }, key)).body).toEqual(asked.body);
  expect(await itemOf(about)).toMatchObject({ amountMicro: 1_000_000_000, requestId: id });
  expect((await approve(petra, id)).body.code).toBe('SecondPersonNeeded');
  expect(await book('suspense')).toBe(suspense);
  const facts = (await quinn.get(`/api/finance/approvals/${id}`)).body;
  expect(facts).toMatchObject({
    work: {
      kind: 'adjusting-entry',
      evidence: WHY.evidence,
      lines: [
        { account: 'suspense', commodity: 'usd', delta: 1_000_000_000, about },
        { account: 'bank', commodity: 'usd', delta: -1_000_000_000 },
      ],
    },
    reason: WHY.reason,
  });
  const agreed = await Promise.all([approve(quinn, id), approve(quinn, id)]);
  expect(agreed.map(({ body }) => body.status)).toEqual(['carried out', 'carried out']);
  expect([await book('suspense'), await book('bank')]).toEqual([
    suspense + 1_000_000_000,
    bank - 1_000_000_000,
  ]);
  expect(await itemOf(about)).toBeUndefined();
  expect(await broken()).toEqual([]);

  // The entry is in every view of the books.
  const posted = (await petra.get('/api/finance/events?type=AdjustingEntryPosted')).body.items;
  expect(posted).toMatchObject([
    { data: { entryId: id, requestedBy: petra.userId, approvedBy: quinn.userId, reason: '' } },
  ]);
  for (const format of ['csv', 'hledger', 'beancount', 'json'])
    expect(JSON.stringify((await petra.get(`/api/finance/export?format=${format}`)).body)).toContain(
      'adjusting-entry',
    );
  const lines = (await petra.get('/api/finance/accounts/bank')).body.entries;
  expect(lines.at(-1)).toMatchObject({ fact: 'adjusting-entry', deltaMicroUsd: -1_000_000_000 });
  const acts = (await pia.get('/api/admin/audit?kind=adjusting-entry')).body.items;
  expect(acts).toMatchObject([
    {
      did: 'approved',
      by: quinn.userId,
      subject: about,
      microUsd: 1_000_000_000,
      askedByName: expect.any(String),
    },
    { did: 'asked', by: petra.userId, subject: about, note: WHY.reason },
  ]);
});

it('[FIN-61] an explanation leads from the movement to the entry that cleared it, and back', async () => {
  const { id, about } = await cleared(2_500);
  const entry = (await petra.get(`/api/finance/trace/${id}`)).body;
  expect(entry.selected).toBe(`adjusting-entry:${id}`);
  const card = entry.cards.find(({ kind }: { kind: string }) => kind === 'adjusting-entry');
  expect(card).toMatchObject({ amountMicroUsd: 25_000_000, sum: { microUsd: 25_000_000 } });
  expect(card.facts).toContainEqual({ label: 'Proof', text: WHY.evidence });
  const movement = entry.cards.find(({ kind }: { kind: string }) => kind === 'movement');
  expect(card.from).toEqual([movement.key]);
  for (const asked of [about, movement.id]) {
    const trace = (await petra.get(`/api/finance/trace/${asked}`)).body;
    expect([trace.selected, trace.cards.map(({ kind }: { kind: string }) => kind).sort()]).toEqual([
      movement.key,
      ['adjusting-entry', 'movement'],
    ]);
  }
  const found = (await petra.get(`/api/finance/find?q=${id}`)).body.items;
  expect(found[0]).toMatchObject({ id, title: expect.stringContaining('Adjusting entry') });
});

async function cleared(amountUsdCents: number): Promise<{ id: string; about: string }> {
  const about = await moved(amountUsdCents);
  const { id } = (await ask(petra, { about })).body;
  expect((await approve(quinn, id)).body.status).toBe('carried out');
  await comesTo(async () => (await petra.get(`/api/finance/trace/${id}`)).status, 200);
  return { id, about };
}

it('[FIN-60] entries take no more than there is, also together, and go where entries may go only', async () => {
  const about = await moved(500);
  const codes = async (body: object) => {
    const { status, body: problem } = await ask(petra, body);
    return [status, problem.code];
  };
  expect(await codes({ about: 'nobody-knows' })).toEqual([404, 'NotFound']);
  expect(await codes({ about, amountMicro: 5_010_000 })).toEqual([409, 'MoreThanOpen']);
  for (const to of ['refunds', 'chargeback-loss', 'creator-losses', 'stripe:reserve'])
    expect(await codes({ about, to })).toEqual([422, 'WrongDirection']);
  for (const to of ['forfeited', 'owed-to-customers'])
    expect(await codes({ about: await moved(-500), to })).toEqual([422, 'WrongDirection']);
  expect(await codes({ about, to: 'suspense' })).toEqual([422, 'NotAdjustable']);
  expect(await codes({ about, to: 'creator:junie' })).toEqual([400, 'InvalidRequest']);
  expect(await codes({ about, to: 'stripe:balance' })).toEqual([400, 'InvalidRequest']);
  expect(await codes({ about, amountMicro: 15 })).toEqual([400, 'InvalidRequest']);
  expect(await codes({ about, month: '2020-01' })).toEqual([422, 'PeriodBeforeBooks']);
  const asked = await Promise.all([
    ask(petra, { about, amountMicro: 3_000_000 }),
    ask(quinn, { about, amountMicro: 3_000_000, to: 'forfeited' }),
  ]);
  const decided = await Promise.all([approve(quinn, asked[0].body.id), approve(petra, asked[1].body.id)]);
  expect(decided.map(({ body }) => body.status).sort()).toEqual(['carried out', 'not carried out']);
  expect((await itemOf(about))?.amountMicro).toBe(2_000_000);
  expect(await broken()).toEqual([]);
});

it('[FIN-60] what came twice in opposite directions clears itself, and other currencies stay in their own', async () => {
  const [came, went] = [await moved(700), await moved(-700)];
  const offset = await ask(petra, { about: came, to: 'suspense', toAbout: went });
  expect((await approve(quinn, offset.body.id)).body.status).toBe('carried out');
  expect([await itemOf(came), await itemOf(went)]).toEqual([undefined, undefined]);
  const euros = await moved(1_500, 'eur');
  const kept = await ask(petra, { account: 'suspense:eur', about: euros, to: 'forfeited' });
  expect((await approve(quinn, kept.body.id)).body.status).toBe('carried out');
  expect(await itemOf(euros)).toBeUndefined();
  expect((await petra.get('/api/finance/trial-balance')).body.otherCurrencies).toEqual([
    {
      currency: 'eur',
      accounts: [
        { account: 'forfeited:eur', balanceMicro: -15_000_000 },
        { account: 'stripe:balance:eur', balanceMicro: 15_000_000 },
      ],
    },
  ]);
  expect(await broken()).toEqual([]);
});

it('[FIN-510, FIN-513] what turns out to be owed or reserved waits in its own account until an entry clears it from there', async () => {
  const [owed, kept] = [await moved(600), await moved(-800)];
  const clear = async (body: object) => {
    const { id } = (await ask(petra, body)).body;
    expect((await approve(quinn, id)).body.status).toBe('carried out');
  };
  await clear({ about: owed, to: 'owed-to-customers' });
  await clear({ about: kept, to: 'stripe:reserve' });
  await product.resources.stripeSimulator!.advance(10);
  const open = (await items()).filter(({ account }) => account !== 'suspense');
  expect(open).toMatchObject([
    { account: 'owed-to-customers', about: owed, amountMicro: 6_000_000, aged: false },
    { account: 'stripe:reserve', about: 'reserve', amountMicro: 8_000_000, aged: false },
  ]);
  const onOwed = { account: 'owed-to-customers', about: owed };
  expect((await ask(petra, { ...onOwed, amountMicro: 6_010_000 })).body.code).toBe('MoreThanOpen');
  expect((await ask(petra, { ...onOwed, to: 'owed-to-customers' })).body.code).toBe('NotAdjustable');
  await clear({ ...onOwed, amountMicro: 2_000_000 });
  // The rest is the other half of a payment that we made by hand.
  await clear({ ...onOwed, to: 'suspense', toAbout: await moved(-400) });
  await clear({ account: 'stripe:reserve', about: 'reserve', to: 'chargeback-loss' });
  expect((await items()).filter(({ account }) => account !== 'suspense')).toEqual([]);
});

it('[FIN-62] an item in suspense is explained by a note, which everybody of finance reads', async () => {
  const about = await moved(300);
  const note = { account: 'suspense', about, note: 'Asked Stripe, case 4711' };
  expect((await petra.post('/api/finance/open-items/notes', note)).status).toBe(204);
  expect(
    (await petra.post('/api/finance/open-items/notes', { ...note, note: 'Case 4711: a loan' })).status,
  ).toBe(204);
  expect((await itemOf(about))?.note).toMatchObject({
    text: 'Case 4711: a loan',
    byName: expect.any(String),
  });
  expect((await petra.post('/api/finance/open-items/notes', { ...note, about: 'x' })).status).toBe(404);
  const withdrawn = await ask(petra, { about });
  const path = `/api/finance/approvals/${withdrawn.body.id}/withdraw`;
  expect((await quinn.post(path, {}, keyed())).body.code).toBe('NotAllowed');
  expect((await petra.post(path, {}, keyed())).body.status).toBe('withdrawn');
  expect((await itemOf(about))?.requestId).toBeNull();
});

it('[FIN-124] an entry into a month before takes only what was in suspense at its end', async () => {
  const month = product.resources.stripeSimulator!.now().toISOString().slice(0, 7);
  const about = await moved(900);
  await product.resources.stripeSimulator!.advance(40);
  const late = await moved(400);
  const refused = await ask(petra, { about: late, month });
  expect([refused.status, refused.body]).toMatchObject([409, { code: 'MoreThanOpen', openMicro: 0 }]);
  const asked = await ask(petra, { about, month });
  expect((await approve(quinn, asked.body.id)).body.status).toBe('carried out');
  expect(await itemOf(about)).toBeUndefined();
  expect((await itemOf(late))?.amountMicro).toBe(4_000_000);
});
