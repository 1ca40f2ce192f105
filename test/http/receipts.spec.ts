import { randomUUID } from 'node:crypto';
import { CommandBus } from '@nestjs/cqrs';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { AccountSettings } from '../../application/accounts/account-settings.js';
import { Notices } from '../../application/mail/notices.js';
import { SentMails } from '../../application/mail/sent-mails.js';
import { FactMails, ReceiptBook } from '../../application/mail/fact-mails.js';
import { AccountStore } from '../../application/accounts/account-store.js';
import type { RecordedEvent, Reactor } from '../../application/shared/event-store.js';
import type { Mail } from '../../application/mail/mailer.js';
import { Receipts, RenewalMails } from '../../application/subscriptions/payment-mails.js';
import { TaxTerms } from '../../application/subscriptions/tax.js';
import { SettleInvoice } from '../../application/payments/settle-invoice.js';
import { Streams } from '../../application/shared/streams.js';
import type { HttpClient } from '../support/http-client.js';
import { expectLog } from '../support/log.js';
import { startTestProduct, type TestProduct } from '../support/product.js';
import { purchaseOf, stock } from '../support/stock.js';
import { press } from '../support/stripe.js';
import { grantRoles } from '../support/staff.js';
import { until, valueOnce } from '../support/until.js';

let product: TestProduct;
beforeAll(async () => {
  product = await startTestProduct();
});
afterAll(() => product?.stop());

const receipts = (): Reactor => product.app.get(Receipts, { strict: false });
/** Returns a user's mails with this subject, once all subscriptions have caught up. */
async function mailsTo(client: HttpClient, subject: string): Promise<(Mail & { sentAt: string })[]> {
  const { eventStore, logSubscriptions } = product.resources;
  const { position } = await eventStore.head();
  expect(await logSubscriptions.caughtUp(position, 10_000, ['receipts', 'renewal-mails'])).toBe(true);
  const mails = (await product.browser().get('/dev/mailbox?format=json')).body as (Mail & {
    sentAt: string;
  })[];
  return mails.filter((mail) => mail.to === client.email && mail.subject.startsWith(subject));
}
async function subscribed(plan: string, card = '4242424242424242'): Promise<HttpClient> {
  const client = await product.signedUp();
  const { body } = await client.post('/api/stripe/create-checkout-session', { plan });
  await press(body.url, { outcome: 'paid', card });
  await until(async () => (await client.get('/api/credits')).body.balance > 0);
  return client;
}
const grantTo = async (client: HttpClient): Promise<RecordedEvent> => {
  const history = await product.resources.eventStore.readStream(`credits-${client.userId}`);
  return history.find(({ type }) => type === 'CreditsGranted') as RecordedEvent;
};
const invoiceOf = (event: RecordedEvent) => (event.data.invoice as { invoiceId: string }).invoiceId;

describe('receipts by e-mail', () => {
  it('tell amount, plan, credits, period and number of a paid invoice, and lead to it', async () => {
    const ada = await subscribed('studio');
    const [mail, ...more] = await mailsTo(ada, 'Your receipt');
    expect(more).toEqual([]);
    const invoice = await product.resources.payments.readInvoice(invoiceOf(await grantTo(ada)));
    expect(invoice?.number).toMatch(/-0001$/);
    expect(mail?.subject).toBe('Your receipt, $19.99');
    expect(mail?.text).toContain(`Invoice: ${invoice?.number}`);
    expect(mail?.text).toContain(`Order number: ${invoice?.invoiceId}`);
    expect(mail?.links).toContain(`${product.url}/withdraw?order=${invoice?.invoiceId}`);
    expect(mail?.text).toContain('Paid: $19.99, on ');
    expect(mail?.text).toMatch(/Studio, 150 credits, \d+ \w+ \d{4} to \d+ \w+ \d{4}/);
    expect(mail?.links[0]).toBe(invoice?.hostedUrl);
    const page = await (await fetch(mail?.links[0] as string)).text();
    expect(page).toContain(`Invoice ${invoice?.number}`);
    expect(page).toContain('$19.99');
  });

  it('[FIN-14] go out once, whatever webhooks and subscribers repeat', async () => {
    const ada = await subscribed('starter');
    const granted = await grantTo(ada);
    const invoice = await product.resources.payments.readInvoice(invoiceOf(granted));
    for (const causationId of ['evt_again', 'evt_late'])
      await product.app
        .get(CommandBus)
        .execute(new SettleInvoice(invoice!, { actor: 'system:payments', causationId }));
    // Waits for the product's own job, beside which another attempt would be refused.
    expect(await mailsTo(ada, 'Your receipt')).toHaveLength(1);
    await Promise.all([receipts().handle(granted), receipts().handle(granted)]);
    expect(await mailsTo(ada, 'Your receipt')).toHaveLength(1);
    await product.resources.stripeSimulator!.advance(32);
    await until(async () => (await mailsTo(ada, 'Your receipt')).length >= 2);
    // The renewal has a receipt of its own.
    const texts = (await mailsTo(ada, 'Your receipt')).map(({ text }) => /Invoice: \S+/.exec(text)?.[0]);
    expect(new Set(texts).size).toBe(2);
  });

  it('tell of a refund, once', async () => {
    const ada = await subscribed('premium');
    const [sample] = await stock(product.resources.database, 1, {
      creatorId: 'x',
      priceCredits: 40,
      prefix: 'r',
    });
    await product.resources.creditExecutor.buy(
      purchaseOf(ada.userId, [sample as string], { expectedCredits: 40 }),
    );
    const admin = await product.signedUp();
    await grantRoles(product.resources.database, admin.userId, 'admin');
    const invoiceId = invoiceOf(await grantTo(ada));
    const answer = await admin.post(
      '/api/admin/refunds',
      { invoiceId, reason: 'asked for it' },
      { headers: { 'idempotency-key': randomUUID() } },
    );
    expect(answer.status).toBe(201);
    const [mail, ...more] = await mailsTo(ada, 'Your refund');
    expect(more).toEqual([]);
    const invoice = await product.resources.payments.readInvoice(invoiceId);
    // 60 of 100 credits for 15.99, in whole cents.
    expect(mail?.subject).toBe('Your refund, $9.59');
    expect(mail?.text).toContain(`$9.59 of invoice ${invoice?.number}`);
    const history = await product.resources.eventStore.readStream(`credits-${ada.userId}`);
    for (const event of history.filter(({ type }) => type === 'InvoiceRefunded'))
      await receipts().handle(event);
    expect(await mailsTo(ada, 'Your refund')).toHaveLength(1);
  });

  it('[OPS-08] go out once, later, when a worker died between claiming and sending', async () => {
    const ada = await subscribed('starter');
    const granted = await grantTo(ada);
    const fact = `invoice ${invoiceOf(granted)}`;
    // Waits for the product's own job, which would mark the mail as sent.
    expect(await mailsTo(ada, 'Your receipt')).toHaveLength(1);
    const { database, eventStore, payments, clock } = product.resources;
    const book = product.app.get(ReceiptBook, { strict: false });
    const accounts = product.app.get(AccountStore, { strict: false });
    const settings = product.app.get(AccountSettings, { strict: false });
    const sent: Mail[] = [];
    const deliver = async (mail: Mail) => void sent.push(mail);
    await database.pool.query(`delete from receipt where fact = $1`, [fact]);
    let now = clock.now();
    const mails = new FactMails(
      book,
      accounts,
      { deliver },
      product.app.get(Notices, { strict: false }),
      { now: () => now },
      product.resources.secrets,
      product.app.get(SentMails, { strict: false }),
    );
    const own: Reactor = new Receipts(
      mails,
      new Streams(eventStore),
      payments,
      settings,
      new TaxTerms(false, ''),
    );
    const dead = await book.claim(fact, now, new Date(now.getTime() - 60_000));
    expect(dead).toBe('claimed');
    // The rejection keeps the checkpoint before the event, so the event is handled again.
    await expect(own.handle(granted)).rejects.toThrow('under way');
    expect(sent).toEqual([]);
    const begun = now;
    now = new Date(now.getTime() + 61_000);
    await own.handle(granted);
    await own.handle(granted);
    expect(sent).toHaveLength(1);
    // A worker that was considered dead releases only its own claim.
    await book.release(fact, begun);
    await own.handle(granted);
    expect(sent).toHaveLength(1);
  });

  it('[FIN-40] go out however far the calendar was moved while they waited', async () => {
    const { mailer, stripeSimulator } = product.resources;
    const deliver = mailer.deliver.bind(mailer);
    let refused = 0;
    let away = true;
    expectLog(/^warn \[Jobs\] receipts about event \d+ failed .*: no mail server$/);
    const waiting = jest.spyOn(mailer, 'deliver').mockImplementation(async (mail) => {
      if (!away || !mail.subject.startsWith('Your receipt')) return deliver(mail);
      refused += 1;
      throw new Error('no mail server');
    });
    const ada = await subscribed('starter');
    while (refused === 0) await new Promise((resolve) => setTimeout(resolve, 20));
    await stripeSimulator!.advance(5);
    away = false;
    expect(await mailsTo(ada, 'Your receipt')).toHaveLength(1);
    waiting.mockRestore();
  });

  it('are tried again when the mail server is away, and are not sent for history or to the erased', async () => {
    const granted = await grantTo(await subscribed('starter'));
    const { pool } = product.resources.database;
    const sent: Mail[] = [];
    let away = true;
    const deliver = async (mail: Mail) => {
      if (away) throw new Error('no mail server');
      sent.push(mail);
    };
    const { eventStore, payments, clock } = product.resources;
    const [book, accounts, settings] = [ReceiptBook, AccountStore, AccountSettings].map((token) =>
      product.app.get(token as never, { strict: false }),
    ) as unknown as [ReceiptBook, AccountStore, AccountSettings];
    let now = clock.now();
    const mails = new FactMails(
      book,
      accounts,
      { deliver },
      product.app.get(Notices, { strict: false }),
      { now: () => now },
      product.resources.secrets,
      product.app.get(SentMails, { strict: false }),
    );
    const own: Reactor = new Receipts(
      mails,
      new Streams(eventStore),
      payments,
      settings,
      new TaxTerms(false, ''),
    );
    expect((await mailsTo({ email: 'nobody' } as HttpClient, '')).length).toBe(0);
    await pool.query(`delete from receipt where fact = $1`, [`invoice ${invoiceOf(granted)}`]);
    await expect(own.handle(granted)).rejects.toThrow('no mail server');
    away = false;
    await own.handle(granted);
    expect(sent).toHaveLength(1);
    await pool.query(`delete from receipt where fact = $1`, [`invoice ${invoiceOf(granted)}`]);
    now = new Date(clock.now().getTime() + 4 * 86_400_000);
    await own.handle(granted);
    await accounts.erase(granted.data.userId as string, clock.now());
    now = clock.now();
    await own.handle(granted);
    expect(sent).toHaveLength(1);
  });
});

describe('mails about a renewal that was not paid', () => {
  const ofAttempts = async (client: HttpClient, count: number) => {
    const all = async () => [
      ...(await mailsTo(client, 'Your payment')),
      ...(await mailsTo(client, 'Your bank wants')),
    ];
    return valueOnce(all, ({ length }) => length >= count);
  };

  it('[CRED-45] come once an attempt, with amount, card, next try and a way to pay; and once when the plan ends', async () => {
    const ada = await subscribed('starter', '4000000000000341');
    const { clock, stripeSimulator, payments } = product.resources;
    // Only the first attempt is due, whatever the length of the month. It comes an hour after the renewal.
    const { currentPeriodEnd } = (await ada.get('/api/subscription')).body;
    const leftMs = Date.parse(currentPeriodEnd) - clock.now().getTime();
    await stripeSimulator!.advance(leftMs / 86_400_000 + 1);
    const [first, ...more] = await ofAttempts(ada, 1);
    expect(more).toEqual([]);
    expect(first?.subject).toBe('Your payment of $9.99 failed');
    expect(first?.text).toContain('the card ending in 0341 was refused');
    expect(first?.text).toMatch(/We will try again on \d+ \w+ \d{4}\./);
    expect(first?.links[1]).toMatch(/\/settings\?tab=credits$/);
    expect(await (await fetch(first?.links[0] as string)).text()).toContain('Pay $9.99');
    for (const [days, count] of [
      [3, 2],
      [5, 3],
    ] as const) {
      await stripeSimulator!.advance(days);
      expect(await ofAttempts(ada, count)).toHaveLength(count);
    }
    await stripeSimulator!.advance(7);
    await until(async () => (await mailsTo(ada, 'Your Starter plan has ended')).length > 0);
    const history = await product.resources.eventStore.readStream(`subscription-${ada.userId}`);
    const mails = product.app.get(RenewalMails, { strict: false }) as Reactor;
    for (const event of history.filter(({ type }) => mails.types.includes(type))) await mails.handle(event);
    expect(await ofAttempts(ada, 3)).toHaveLength(3);
    expect(await mailsTo(ada, 'Your Starter plan has ended')).toHaveLength(1);
    expect(history.filter(({ type }) => type === 'PaymentFailed').map(({ data }) => data['attempt'])).toEqual(
      [1, 2, 3],
    );
    const invoiceId = history.find(({ type }) => type === 'PaymentFailed')?.data['invoiceId'];
    expect(await payments.readOpenInvoice(invoiceId as string)).toMatchObject({ nextAttemptAt: null });
  });

  it('[CRED-45] lead to the bank’s question where it asks; once that is answered the plan runs on', async () => {
    const ada = await subscribed('starter', '4000002760003184');
    await product.resources.stripeSimulator!.advance(32);
    const [mail] = await ofAttempts(ada, 1);
    expect(mail?.subject).toBe('Your bank wants you to confirm $9.99');
    expect(mail?.text).toContain('the bank of the card ending in 3184');
    expect((await ada.get('/api/subscription')).body.status).toBe('past_due');
    // The settings lead to the same page.
    expect((await ada.post('/api/subscription/pending/pay', {})).body).toEqual({ url: mail?.links[0] });
    const body = new URLSearchParams({ outcome: 'confirmed' });
    expect((await fetch(mail?.links[0] as string, { method: 'POST', body })).status).toBe(200);
    expect((await ada.get('/api/subscription')).body.status).toBe('active');
    expect((await ada.get('/api/credits')).body.balance).toBe(100);
  });

  it('[CRED-45] are not sent to the erased, nor for a plan that somebody ended', async () => {
    const [gone, left] = [await subscribed('starter', '4000000000000341'), await subscribed('starter')];
    const headers = { 'idempotency-key': randomUUID() };
    expect((await left.post('/api/subscription/cancel', {}, { headers })).status).toBe(200);
    await product.app.get(AccountStore, { strict: false }).erase(gone.userId, product.resources.clock.now());
    await product.resources.stripeSimulator!.advance(32);
    for (const { userId } of [gone, left])
      await valueOnce(
        () => product.resources.eventStore.readStream(`subscription-${userId}`),
        (history) => history.some(({ type }) => type === 'PaymentFailed' || type === 'SubscriptionEnded'),
      );
    for (const client of [gone, left])
      for (const subject of ['Your payment', 'Your Starter plan has ended'])
        expect(await mailsTo(client, subject)).toEqual([]);
  });
});
