import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { erasePerson, exportPerson } from '../../adapters/accounts/erase-personal-data.js';
import { FollowerNotices } from '../../application/library/follower-notices.js';
import { Notices } from '../../application/mail/notices.js';
import { MAIL } from '../../application/mail/outbox.js';
import { NoticeMails } from '../../application/notices/notice-mails.js';
import { CreatorMails } from '../../application/publishing/creators/creator-mails.js';
import { PayoutNotices } from '../../application/payouts/payout-notices.js';
import type { Recorded } from '../../application/shared/event-store.js';
import type { HttpClient } from '../support/http-client.js';
import { caughtUp, jobsDone, startTestProduct, type TestProduct } from '../support/product.js';
import { listenerWith } from '../support/shop.js';
import { stock } from '../support/stock.js';

let product: TestProduct;
let creator: HttpClient;
let buyer: HttpClient;
let samples: string[];

interface Sent {
  to: string;
  subject: string;
  text: string;
  links: string[];
  headers: Record<string, string> | null;
}

beforeAll(async () => {
  product = await startTestProduct();
  creator = await product.signedUp();
  await creator.post('/api/creator/application', {});
  await sql('update user_account set email_verified_at = now() where user_id = $1', [creator.userId]);
  buyer = await listenerWith(product, 20);
  samples = await stock(product.resources.database, 5, { prefix: 'inbox-', creatorId: creator.userId });
  for (const id of samples)
    await product.resources.storage.put(`Users/x/${id}`, Buffer.from('RIFF'), { contentType: 'audio/wav' });
});
afterAll(() => product?.stop());

const sql = async (text: string, values: unknown[] = []) =>
  (await product.resources.database.pool.query(text, values)).rows;
const get = <Service>(type: new (...given: never[]) => Service): Service =>
  product.app.get(type, { strict: false });
async function buy(sampleId: string | undefined): Promise<void> {
  const headers = { 'idempotency-key': randomUUID() };
  const answer = await buyer.post('/api/downloads', { sampleId, expectedCredits: 1 }, { headers });
  expect(answer.status).toBe(201);
  await caughtUp(product);
}
const inbox = async (who = creator) =>
  (await who.get('/api/inbox')).body.items as {
    text: string;
    href: string;
    isRead: boolean;
    position: number;
  }[];
const texts = async () => (await inbox()).map(({ text }) => text);
const state = async () => (await creator.get('/api/inbox/state')).body as { newest: number; unread: number };
const mails = async (): Promise<Sent[]> =>
  (await product.browser().get('/dev/mailbox?format=json')).body.filter(
    ({ to, headers }: Sent) => to === creator.email && headers !== null,
  );
const sendDue = async () => {
  await get(NoticeMails).run();
  await jobsDone(product.resources.database, [MAIL]);
};
const SALES = /^(\d) samples? sold on \d+ \w+, (?:\$\d+\.\d\d for you|without a share)$/;
const soldToday = async () => (await texts()).flatMap((text) => SALES.exec(text)?.[1] ?? []);

it('[NEWS-700] counts the sales of a day in one notice, each once, and names the first', async () => {
  await buy(samples[0]);
  expect(await texts()).toContain('You sold your first sample');
  expect(await soldToday()).toEqual(['1']);
  await buy(samples[1]);
  expect(await soldToday()).toEqual(['2']);
  const { eventStore } = product.resources;
  const log = await eventStore.readAll({ after: 0, limit: 1_000 });
  const sales = log.filter(({ type }) => type === 'SamplePurchased') as Recorded<never>[];
  await get(PayoutNotices).handleAll(sales);
  await get(PayoutNotices).handleAll(sales.slice(0, 1));
  expect(await soldToday()).toEqual(['2']);
  expect((await texts()).filter((text) => text.includes('first'))).toHaveLength(1);
  // Notices are deleted after a year.
  await sql(`delete from notice where user_id = $1 and kind = 'sales'`, [creator.userId]);
  await buy(samples[4]);
  await get(PayoutNotices).handleAll(sales.slice(1));
  expect((await texts()).filter((text) => text.includes('first'))).toEqual([]);
  await get(PayoutNotices).handleAll(sales);
  expect((await texts()).filter((text) => text.includes('first'))).toHaveLength(1);
});

it('[NEWS-701] counts what is unread, also again after a change, and shows notices to their user only', async () => {
  const before = await state();
  expect(before.unread).toBe((await inbox()).length);
  expect((await creator.post('/api/inbox/read', { position: before.newest })).status).toBe(204);
  expect(await state()).toEqual({ newest: before.newest, unread: 0 });
  await buy(samples[2]);
  const after = await state();
  expect(after).toMatchObject({ unread: 1 });
  expect(after.newest).toBeGreaterThan(before.newest);
  expect((await inbox())[0]).toMatchObject({ isRead: false, href: '/earnings', position: after.newest });
  expect(await inbox(await product.signedUp())).toEqual([]);
  expect((await product.browser().get('/api/inbox')).status).toBe(401);
  const [first, second] = await Promise.all([
    creator.get('/api/inbox?limit=1'),
    creator.get('/api/inbox?limit=100'),
  ]);
  const next = await creator.get(`/api/inbox?limit=1&cursor=${first.body.nextCursor}`);
  expect([first.body.items[0], next.body.items[0]]).toEqual(second.body.items.slice(0, 2));
});

it('[NEWS-702] has the mails about decisions, too, with their pages', async () => {
  expect(await inbox()).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ text: 'You can publish on Offcut', href: '/dashboard' }),
    ]),
  );
});

it('[NEWS-702] links to pages of this site only', async () => {
  const notice = (fact: string, path: string) =>
    ({ userId: creator.userId, fact, kind: 'account', subject: fact, path, at: new Date() }) as const;
  await product.app
    .get(Notices, { strict: false })
    .add(
      [
        notice('elsewhere', 'https://pay.example/invoice'),
        notice('here', `${product.url}/settings?tab=credits`),
      ],
      true,
    );
  const links = (await inbox()).map(({ text, href }) => [text, href]);
  expect(links).toContainEqual(['elsewhere', null]);
  expect(links).toContainEqual(['here', '/settings?tab=credits']);
});

it('[NEWS-703] mails a notice again when it changed, also on the same day', async () => {
  const payouts = get(PayoutNotices);
  const event = (type: string, position: number) =>
    ({
      type,
      position,
      recordedAt: new Date(),
      data: { creatorId: creator.userId, withdrawalId: 'w1', amountMicroUsd: 12_340_000 },
    }) as unknown as Recorded<never>;
  for (const [type, position] of [
    ['WithdrawalRequested', 1],
    ['TransferCreated', 2],
  ] as const) {
    await payouts.handle(event(type, position));
    await sendDue();
  }
  const texts = (await mails()).map(({ text }) => text);
  expect(texts.some((text) => text.includes('Your withdrawal of'))).toBe(true);
  expect(texts.some((text) => text.includes('12.34 was paid'))).toBe(true);
  await sql(`delete from mailbox where recipient = $1 and headers is not null`, [creator.email]);
  await sql(`delete from notice where fact = 'withdrawal w1'`);
  await sql(`update notice set mail_due = now() where fact = 'first sale'`);
});

it('[NEWS-703] mails at once, once a day or not at all, each notice once, and stops with one click', async () => {
  await sendDue();
  expect((await mails()).map(({ subject }) => subject)).toEqual(['You sold your first sample']);
  // The day of the sales is over.
  await sql(`update notice set mail_due = now() where fact like 'sales %'`);
  await sendDue();
  await sendDue();
  const [digest, ...others] = await mails();
  expect(others).toHaveLength(1);
  expect(digest?.subject).toMatch(SALES);
  const address = new URL(/<(.+)>/.exec(digest?.headers?.['List-Unsubscribe'] ?? '')?.[1] ?? '');
  expect(digest?.headers?.['List-Unsubscribe-Post']).toBe('List-Unsubscribe=One-Click');
  const click = (search: string) =>
    product.browser().post(`${address.pathname}${search}`, undefined, {
      raw: 'List-Unsubscribe=One-Click',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
  expect((await click(`${address.search}x`)).body.code).toBe('TokenInvalid');
  expect((await click(address.search)).status).toBe(204);
  const choices = (await creator.get('/api/inbox/choices')).body;
  expect(choices).toEqual({
    sales: 'off',
    payouts: 'mail',
    followers: 'digest',
    releases: 'digest',
    files: 'mail',
    applications: 'mail',
    cases: 'mail',
  });
  await buy(samples[3]);
  expect(await sql('select fact from notice where mail_due is not null')).toEqual([]);
  expect(await creator.put('/api/inbox/choices', { ...choices, sales: 'weekly' })).toMatchObject({
    status: 400,
  });
  expect((await creator.put('/api/inbox/choices', { ...choices, sales: 'mail' })).body.sales).toBe('mail');
});

it('[NEWS-704] adds notices once a day of new followers, ended holds and details that Stripe needs', async () => {
  const handle = (await creator.get('/api/creator/profile')).body.username;
  await buyer.put(`/api/creators/${handle}/follow`);
  await sql(`update follow set created_at = now() - interval '1 day'`);
  await sql(`update notice set fact = 'sales ' || to_char((now() at time zone 'UTC') - interval '15 days', 'YYYY-MM-DD'),
                               at = now() - interval '15 days' where fact like 'sales %'`);
  await sql(
    `insert into connect_account values ($1, 'acct_1', false, false, '{individual.dob.day}', now(), now())
     on conflict (creator_id) do update set payouts_enabled = false, requirements = excluded.requirements`,
    [creator.userId],
  );
  for (let time = 0; time < 2; time += 1) {
    await get(PayoutNotices).nightly();
    await get(FollowerNotices).nightly();
  }
  const daily = (await texts()).filter((text) => /^(1 new|The hold|Stripe needs)/.test(text));
  expect(daily.sort()).toEqual([
    expect.stringMatching(/^1 new follower on \d+ \w+$/),
    'Stripe needs details from you before it can pay you',
    expect.stringMatching(/^The hold on your sales of \d+ \w+ has ended$/),
  ]);
});

it('[TOLD-700] tells of the statement of the last month once, also by mail, and only those whose account moved', async () => {
  const lastMonth = `(date_trunc('month', now() at time zone 'UTC') - interval '1 day') at time zone 'UTC'`;
  await sql(`insert into journal_line values (999999, 0, ${lastMonth}, 'share-earned', $1, 'usd', -5)`, [
    `creator:${creator.userId}`,
  ]);
  const statements = async (who = creator) =>
    (await inbox(who)).filter(({ text }) => /^Your statement for \w+ \d{4} is ready$/.test(text));
  const before = await statements();
  expect(before).toEqual([]);
  for (let time = 0; time < 3; time += 1) await get(PayoutNotices).nightly();
  const [statement, ...others] = await statements();
  expect([statement?.href, others]).toEqual(['/earnings', []]);
  expect(await statements(buyer)).toEqual([]);
  await sendDue();
  await sql('delete from journal_line where position = 999999');
  await get(PayoutNotices).nightly();
  await sendDue();
  const subject = statement?.text ?? '';
  expect((await mails()).filter((mail) => `${mail.subject} ${mail.text}`.includes(subject))).toHaveLength(1);
  expect((await mails()).find((mail) => mail.text.includes(subject))?.headers).toHaveProperty(
    'List-Unsubscribe-Post',
    'List-Unsubscribe=One-Click',
  );
});

it("[TOLD-720] follows the user's choice for mails about applications, always mails suspensions, and lists both in the inbox", async () => {
  const { clock } = product.resources;
  const choose = async (applications: string) => {
    const chosen = await creator.put('/api/inbox/choices', { applications });
    expect(chosen).toMatchObject({ status: 200, body: { applications, sales: 'mail', cases: 'mail' } });
  };
  const step = async (type: string, version: number) =>
    get(CreatorMails).handle({
      type,
      version,
      data: { userId: creator.userId, reason: 'Stolen loops', by: 'staff' },
      recordedAt: clock.now(),
    } as never);
  await sql(`delete from mailbox where recipient = $1`, [creator.email]);
  await choose('off');
  await step('CreatorDeclined', 900);
  await sendDue();
  await choose('digest');
  await step('CreatorDeclined', 901);
  const due = await sql(`select fact, mail_due > now() as later from notice where fact like 'creator % 90_'
                          and mail_due is not null`);
  expect(due).toEqual([{ fact: expect.stringMatching(/ 901$/), later: true }]);
  await step('CreatorSuspended', 902);
  await choose('mail');
  await step('CreatorDeclined', 903);
  await sendDue();
  const sent = ((await product.browser().get('/dev/mailbox?format=json')).body as Sent[]).filter(
    ({ to }) => to === creator.email,
  );
  expect(sent.map(({ subject, headers }) => [subject, headers?.['List-Unsubscribe-Post'] ?? null])).toEqual(
    expect.arrayContaining([
      ['Your creator access is suspended', null],
      ['Your application was declined', 'List-Unsubscribe=One-Click'],
    ]),
  );
  expect(sent).toHaveLength(2);
  expect((await texts()).filter((text) => /declined|suspended/.test(text))).toHaveLength(4);
  // The link of the mail turns off its kind only.
  const { headers } = sent.find(({ subject }) => subject.includes('declined')) as Sent;
  const address = new URL(/<(.+)>/.exec(headers?.['List-Unsubscribe'] ?? '')?.[1] ?? '');
  await product.browser().post(`${address.pathname}${address.search}`, undefined, {
    raw: 'List-Unsubscribe=One-Click',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
  expect((await creator.get('/api/inbox/choices')).body).toMatchObject({
    applications: 'off',
    cases: 'mail',
  });
});

it('[NEWS-705] belongs to the account: in its export, gone with it', async () => {
  const { db } = product.resources.database;
  const exported = new Map();
  for await (const [heading, value] of exportPerson(db, creator.userId)) exported.set(heading, value);
  expect(exported.get('notices')).toHaveLength((await inbox()).length);
  await erasePerson(db, creator.userId, new Date());
  expect(await sql('select from notice where user_id = $1', [creator.userId])).toEqual([]);
  expect(await sql('select from notice_choice where user_id = $1', [creator.userId])).toEqual([]);
});
