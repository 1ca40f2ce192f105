import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { finance, type FinanceRequest } from '../../cli/finance/finance.command.js';
import { openTools } from '../../cli/tools.js';
import { BookChecks, NightlyCheck } from '../../application/ledger/nightly-check.js';
import { Reconcile } from '../../application/ledger/reconcile.js';
import { RuleMails } from '../../application/ledger/rule-mails.js';
import { Clock } from '../../application/shared/clock.js';
import { EventStore } from '../../application/shared/event-store.js';
import { paidInvoice } from '../support/books.js';
import type { HttpClient } from '../support/http-client.js';
import { startTestProduct, type TestProduct } from '../support/product.js';
import { stock } from '../support/stock.js';
import { signedUpAs } from '../support/staff.js';

class Tomorrow extends Clock {
  override now(): Date {
    return new Date(Date.now() + 86_400_000);
  }
}

describe('finance over HTTP and on the command line', () => {
  let product: TestProduct;
  let petra: HttpClient;
  let ada: HttpClient;
  let creator: HttpClient;
  let samples: string[];

  const get = async (path: string) => (await petra.get(`/api/finance/${path}`)).body;
  const buy = (sampleId: string) =>
    ada.post(
      '/api/downloads',
      { sampleId, expectedCredits: 1 },
      { headers: { 'idempotency-key': randomUUID() } },
    );
  const cli = async (request: FinanceRequest) => {
    const tools = await openTools(product.resources.config);
    const lines: string[] = [];
    try {
      return { well: await finance(tools, request, (line) => lines.push(line)), lines };
    } finally {
      await tools.close();
    }
  };

  beforeAll(async () => {
    product = await startTestProduct();
    [petra, ada, creator] = [
      await signedUpAs(product, 'finance'),
      await product.signedUp(),
      await product.signedUp(),
    ];
    const { database, storage, creditExecutor } = product.resources;
    samples = await stock(database, 12, { creatorId: creator.userId });
    for (const id of samples)
      await storage.put(`Users/x/${id}`, Buffer.from('x'), { contentType: 'audio/wav' });
    await creditExecutor.grantInvoice(paidInvoice(ada.userId), { correlationId: 'c' });
    for (const sample of samples.slice(0, 8)) await buy(sample);
  });
  afterAll(() => product.stop());

  it.each([
    'trial-balance',
    'accounts/stripe:balance',
    'credit-rollforward',
    'credit-rollforward/months',
    'balances-over-time',
    'open-items',
    'late-facts',
    'sales-under-review',
    'periods',
    'people?q=nobody',
    'creators',
    'creators/somebody/statements',
    'checks',
    'events',
    'proof/ADA',
    'reconciliation',
    'missing-facts?since=2026-11-27T00:00:00Z',
    'reports/deferred',
    'reports/ageing',
    'account-map',
    'export?format=csv',
  ])('[ROLE-04] %s needs the role', async (given) => {
    const admin = await signedUpAs(product, 'admin');
    const path = `/api/finance/${given.replace('ADA', ada.userId)}`;
    expect((await product.browser().get(path)).status).toBe(401);
    expect((await ada.get(path)).status).toBe(403);
    expect((await admin.get(path)).status).toBe(403);
    expect((await petra.get(path)).status).toBe(200);
  });

  it('[FIN-102, FIN-103] a month goes to another bookkeeping by names that finance gives its accounts', async () => {
    const month = new Date().toISOString().slice(0, 7);
    const path = `/api/finance/periods/${month}/journal?format=quickbooks`;
    expect((await petra.get(path)).body.code).toBe('PeriodIsOpen');
    const { accounts } = await get('account-map');
    const named = accounts.map((mapped: { account: string }) =>
      mapped.account === 'stripe:balance' ? { ...mapped, name: '=Stripe, "ours"' } : mapped,
    );
    const put = (json: unknown) => petra.put('/api/finance/account-map', json);
    expect(await put({ accounts: named })).toMatchObject({ status: 200, body: { accounts: named } });
    expect(await get('account-map')).toEqual({ accounts: named, unmapped: [] });
    const draft = await petra.get(`${path}&draft=true`);
    expect(draft.headers.get('content-disposition')).toContain(`OFFCUT-${month}-quickbooks.csv`);
    expect(draft.body).toContain(`"'=Stripe, ""ours""",9.99,,DRAFT Offcut ${month} stripe:balance`);
    const without = named.filter(({ account }: { account: string }) => !account.startsWith('stripe'));
    expect((await put({ accounts: without })).body.unmapped).toEqual([
      'stripe:balance',
      'stripe:reserve',
      'stripe-fees',
    ]);
    expect((await petra.get(`${path}&draft=true`)).body).toMatchObject({
      status: 422,
      code: 'AccountsUnmapped',
      accounts: ['stripe:balance'],
    });
    for (const wrong of [
      [...named, named[0]],
      [{ ...named[0], account: 'user:*' }],
      [{ ...named[0], code: '' }],
    ])
      expect((await put({ accounts: wrong })).status).toBe(400);
    expect((await petra.get(path.replace('quickbooks', 'datev'))).status).toBe(400);
  });

  it('[FIN-15] the trial balance has what was bought a moment ago', async () => {
    const before = await get('trial-balance');
    expect((await buy(samples[8] as string)).status).toBe(201);
    const after = await get('trial-balance');
    expect(after.position).toBe((await product.resources.eventStore.head()).position);
    const income = ({ accounts }: { accounts: { account: string; creditMicroUsd: number }[] }) =>
      accounts.find(({ account }) => account === 'credits')?.creditMicroUsd ?? 0;
    expect(income(after) - income(before)).toBe(199_800);
    expect(after.totals.debitMicroUsd).toBe(after.totals.creditMicroUsd);
    expect(await get(`trial-balance?asOf=${before.asOf}`)).toEqual(before);
    expect((await get('trial-balance?grouped=true')).accounts).toHaveLength(22);
  });

  it('[FIN-15] drills down from an account to the event behind a line', async () => {
    const { entries } = await get(`accounts/creator:${creator.userId}`);
    const { event } = entries[0];
    expect(event).toMatchObject({
      type: 'SamplePurchased',
      data: { sampleId: samples[0], buyerId: ada.userId },
    });
    const { items } = await get(`events?from=${event.position}&limit=1`);
    expect(items[0]).toEqual(event);
    expect((await petra.get('/api/finance/accounts/no-such-account')).status).toBe(404);
    expect((await petra.get('/api/finance/accounts/stripe:balance')).body.balanceMicroUsd).toBe(9_990_000);
  });

  it('[FIN-16] rolls the credits of a user forward', async () => {
    const forward = await get(`credit-rollforward?userId=${ada.userId}`);
    const { opening, granted, spent, returned, revoked, adjusted, closing } = forward;
    expect(opening + granted - spent + returned - revoked + adjusted).toBe(closing);
    expect(closing).toBe((await ada.get('/api/credits')).body.balance);
    const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
    expect(await get(`credit-rollforward?to=${yesterday}`)).toMatchObject({ granted: 0, closing: 0 });
  });

  it('[FIN-16] rolls them forward by month, of one user and of all', async () => {
    const months = (await get(`credit-rollforward/months?userId=${ada.userId}`)).items;
    expect(months.at(-1)).toMatchObject({
      month: new Date().toISOString().slice(0, 7),
      closing: (await ada.get('/api/credits')).body.balance,
    });
    expect((await get('credit-rollforward/months')).items.at(-1).closing).toBe(
      (await get('credit-rollforward')).closing,
    );
    const balances = (await get('balances-over-time')).items;
    expect(balances.at(-1)).toMatchObject({ cashMicroUsd: 9_990_000 });
    expect((await petra.get('/api/finance/credit-rollforward/months?userId=a%20b')).status).toBe(400);
  });

  it('[FIN-30] finds whose balance is meant by an e-mail address', async () => {
    const { email } = (await ada.get('/api/auth/session')).body.user;
    expect((await get(`people?q=${encodeURIComponent(email)}`)).items[0]).toMatchObject({
      id: ada.userId,
      email,
    });
    expect((await petra.get('/api/finance/people?q=a')).status).toBe(400);
    const { user } = (await ada.get('/api/auth/session')).body;
    expect((await get(`names?ids=nobody,${ada.userId}`)).items).toEqual([
      { id: ada.userId, name: user.displayName },
    ]);
    expect((await petra.get('/api/finance/names')).status).toBe(400);
    const accounts = (await get('trial-balance')).accounts as { account: string; name?: string }[];
    const theirs = accounts.find(({ account }) => account === `creator:${creator.userId}`);
    expect(theirs).toMatchObject({ name: expect.any(String), position: expect.any(Number) });
    expect((await get(`accounts/user:${ada.userId}?order=newest`)).name).toBe(user.displayName);
  });

  it('[PAY-07, FIN-460] shows what a creator is owed, by when it may be withdrawn', async () => {
    const { items, total, totals } = await get('creators');
    const { creatorId: _, displayName: __, handle: ___, ...amounts } = items[0];
    expect({ total, totals }).toEqual({ total: 1, totals: amounts });
    expect((await get('creators?search=nobody')).total).toBe(0);
    expect(items).toMatchObject([{ creatorId: creator.userId, paidMicroUsd: 0 }]);
    const account = await get(`creators/${creator.userId}`);
    expect(account).toMatchObject({ availableMicroUsd: 0, heldMicroUsd: account.balanceMicroUsd });
    expect(account.earnedMicroUsd).toBe(account.balanceMicroUsd);
    expect(Date.parse(account.heldUntil)).toBeGreaterThan(Date.now());
    expect(await get(`creators/${creator.userId}/statements`)).toEqual({ items: [], nextCursor: null });
    for (const missing of ['creators/nobody', `creators/${creator.userId}/statements/none`])
      expect((await petra.get(`/api/finance/${missing}`)).status).toBe(404);
    expect((await ada.get(`/api/finance/creators/${creator.userId}`)).status).toBe(403);
  });

  it('[FIN-30] pages the log by stream and type, either way round', async () => {
    const stream = `credits-${ada.userId}`;
    const seen: number[] = [];
    for (let cursor = ''; ;) {
      const page = await get(
        `events?stream=${stream}&type=CreditsSpent&limit=3${cursor && `&cursor=${cursor}`}`,
      );
      seen.push(...page.items.map((event: { position: number }) => event.position));
      if (page.nextCursor === null) break;
      cursor = page.nextCursor;
    }
    const expected = (await product.resources.eventStore.readStream(stream)).filter(
      ({ type }) => type === 'CreditsSpent',
    );
    expect(seen).toEqual(expected.map(({ position }) => position));
    const newest = await get(`events?stream=${stream}&order=newest&limit=2`);
    expect(newest.items[0].position).toBeGreaterThan(newest.items[1].position);
    const category = await get('events?stream=credits-&limit=100');
    expect(category.items.every((event: { stream: string }) => event.stream.startsWith('credits-'))).toBe(
      true,
    );
    expect((await get(`events?from=${new Date(Date.now() + 60_000).toISOString()}`)).items).toEqual([]);
    expect((await petra.get('/api/finance/events?order=sideways')).status).toBe(400);
  });

  it('[FIN-30] proves a balance event by event, and tells a balance that was tampered with', async () => {
    const proof = await get(`proof/${ada.userId}`);
    const { balance } = (await ada.get('/api/credits')).body;
    expect(proof).toMatchObject({ balance, shownBalance: balance, holds: true });
    expect(proof.events.reduce((sum: number, event: { delta: number }) => sum + event.delta, 0)).toBe(
      balance,
    );
    expect(proof.events.at(-1).balanceAfter).toBe(balance);
    expect(proof.head).toEqual(await product.resources.eventStore.head());
    const { pool } = product.resources.database;
    await pool.query(`update credit_account set balance = balance + 7 where user_id = $1`, [ada.userId]);
    expect(await get(`proof/${ada.userId}`)).toMatchObject({
      balance,
      shownBalance: balance + 7,
      holds: false,
    });
    await pool.query(`update credit_account set balance = balance - 7 where user_id = $1`, [ada.userId]);
    expect(await get('proof/nobody')).toMatchObject({ status: 404, code: 'NotFound' });
  });

  it('[FIN-21, FIN-37] closes no month that is not over, or from before the books', async () => {
    const close = (month: string) => petra.post(`/api/finance/periods/${month}/close`, {});
    const thisMonth = new Date().toISOString().slice(0, 7);
    const early = await close('2025-05');
    expect([early.status, early.body]).toMatchObject([
      422,
      { code: 'PeriodBeforeBooks', firstMonth: thisMonth },
    ]);
    const now = await close(thisMonth);
    expect([now.status, now.body.code]).toEqual([422, 'PeriodNotOver']);
    expect((await close('2025-13')).status).toBe(400);
    expect((await ada.post('/api/finance/periods/2025-11/close', {})).status).toBe(403);
  });

  it('[FIN-22] tells what each night found', async () => {
    // The check of this night may have run when the product started.
    const anywhere = { strict: false };
    const { app } = product;
    const nightly = new NightlyCheck(
      app.get(Reconcile, anywhere),
      app.get(BookChecks, anywhere),
      app.get(EventStore, anywhere),
      new Tomorrow(),
      app.get(RuleMails, anywhere),
    );
    const found = await nightly.run();
    expect(found).toBeDefined();
    expect((await get('checks')).items[0]).toEqual(found);
  });

  it('reconciles in the shape that was promised', async () => {
    const { checkedAt, invariants, chain, drift, proof } = await get('reconciliation');
    expect(Date.parse(checkedAt)).not.toBeNaN();
    expect(invariants).toHaveLength(25);
    expect(chain).toEqual({ verified: true, position: expect.any(Number) });
    expect(drift).toContainEqual({ projection: 'journal', rows: 0 });
    expect(proof).toMatchObject({ since: null, whole: { log: checkedAt } });
  });

  it.each([
    ['csv', 'text/csv', /^position,line,at/],
    ['json', 'application/json', /^$/],
    ['hledger', 'text/plain', /^commodity/],
    ['beancount', 'text/plain', /^option/],
  ])('[FIN-20] exports %s as a file', async (format, type, start) => {
    const answer = await petra.get(`/api/finance/export?format=${format}`);
    expect(answer.headers.get('content-type')).toContain(type);
    expect(answer.headers.get('content-disposition')).toMatch(/attachment; filename="journal\.\w+"/);
    if (format === 'json') expect(answer.body.lines.length).toBeGreaterThan(10);
    else expect(answer.body).toMatch(start);
    expect((await petra.get('/api/finance/export?format=xls')).status).toBe(400);
  });

  it('[FIN-22] verify passes a healthy store rule by rule, and fails naming what is wrong', async () => {
    const { database } = product.resources;
    // The shop was stocked by hand: files of one byte, and no events behind the catalogue.
    await database.pool.query(`update sample set original_sha256 = encode(sha256('x'), 'hex')`);
    const { lines } = await cli({ command: 'verify' });
    expect(lines.filter((line) => line.startsWith('FAILED') && !line.includes('18 '))).toEqual([]);
    expect(lines.filter((line) => /^(ok|FAILED)/.test(line))).toHaveLength(25);
    expect(lines).toContain('checked all events');
    await database.pool.query(`update credit_account set balance = balance + 1 where user_id = $1`, [
      ada.userId,
    ]);
    const broken = await cli({ command: 'verify' });
    expect(broken.well).toBe(false);
    expect(broken.lines.find((line) => line.startsWith('FAILED   3'))).toContain(ada.userId);
    await database.pool.query(`update credit_account set balance = balance - 1 where user_id = $1`, [
      ada.userId,
    ]);
  });

  it('prints on the command line what it answers over HTTP', async () => {
    const { totals } = await get('trial-balance');
    const balance = await cli({ command: 'trial-balance' });
    expect(balance.lines.join('\n')).toContain((totals.debitMicroUsd / 1e6).toFixed(6));
    const { lines } = await cli({ command: 'credit-rollforward', userId: ada.userId });
    expect(lines.at(-1)).toMatch(new RegExp(`^closing +${(await ada.get('/api/credits')).body.balance}$`));
    const exported = await cli({ command: 'export', format: 'csv' });
    expect(exported.lines.join('\n').trim()).toBe(
      (await petra.get('/api/finance/export?format=csv')).body.trim(),
    );
    await expect(cli({ command: 'trial-balance', asOf: 'yesterday' })).rejects.toThrow('asOf');
  });
});
