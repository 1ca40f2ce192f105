import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CommandBus } from '@nestjs/cqrs';
import { Reconcile } from '../../application/ledger/reconcile.js';
import { InvoiceLots } from '../../application/payments/invoice-lots.js';
import { RecordDispute } from '../../application/payments/money-back.js';
import { PaymentRecords } from '../../application/payments/payment-records.js';
import { ExpireGifts } from '../../application/subscriptions/gifts.js';
import { giftAccountOf } from '../../domain/credits/gift.js';
import { keyed, type HttpClient } from '../support/http-client.js';
import {
  balance,
  bookOf,
  checkOut,
  linesOf,
  mailsTo as mailsOf,
  newestInvoiceOf,
  pull,
  refundBy,
  startWithStaff,
  comesTo,
} from '../support/money-back.js';
import { caughtUp, type TestProduct } from '../support/product.js';
import { purchaseOf } from '../support/stock.js';
import { signedUpAs } from '../support/staff.js';
import { press } from '../support/stripe.js';

let product: TestProduct;
let pia: HttpClient;
let petra: HttpClient;
let samples: string[];
beforeAll(async () => {
  ({ product, pia, petra, samples } = await startWithStaff({ stocked: 20, prefix: 'gifts-' }));
});
afterAll(() => product?.stop());

const order = (who: HttpClient, body: object) => checkOut(who, { product: 'top-up-25', ...body });
const redeem = (who: HttpClient, code: string, key?: string) =>
  who.post('/api/gifts/redeem', { code }, keyed(key));
const gifts = async (who: HttpClient) => (await who.get('/api/gifts')).body.items;

/** Buys a gift of 25 credits and returns it as its payer sees it, with its invoice. */
async function buyGift(who: HttpClient, body: object = { giftTo: 'print' }) {
  const before = (await gifts(who)).length;
  const { status, body: page } = await order(who, body);
  expect(status).toBe(200);
  const paid = await press(page.url, { outcome: 'paid' });
  await comesTo(async () => (await gifts(who)).length, before + 1);
  const [gift] = await gifts(who);
  expect(paid.headers.get('location')).toContain(`/gifts?checkout=success&gift=${gift.id}`);
  return { ...gift, invoiceId: await newestInvoiceOf(product, who) };
}

const mailsTo = (email: string, subject: string) => mailsOf(product, { email }, subject);
/** Waits for the only mail with this beginning of the subject. */
async function mailed(email: string, subject: string): Promise<string> {
  await comesTo(async () => (await mailsTo(email, subject)).length, 1);
  return (await mailsTo(email, subject))[0] as string;
}

const people = async () => [await product.signedUp(), await product.signedUp()] as const;

describe('a gift', () => {
  it('[GIFT-700] is bought like a top-up, is in no balance until its code is redeemed, and then in that of its receiver', async () => {
    const [ada, ben] = await people();
    const deferred = async () => {
      const { body } = await petra.get('/api/finance/trial-balance');
      return body.accounts
        .filter(({ account }: { account: string }) => account.startsWith('deferred'))
        .reduce((sum: number, { creditMicroUsd }: { creditMicroUsd: number }) => sum + creditMicroUsd, 0);
    };
    const owed = await deferred();
    const gift = await buyGift(ada, { giftTo: 'carla@example.com', quantity: 2 });
    expect(gift).toMatchObject({
      name: 'Gift, 2 × 25 credits',
      credits: 50,
      email: 'carla@example.com',
      state: 'open',
      code: expect.stringMatching(/^([0-9A-HJKMNP-TV-Z]{5}-){4}[0-9A-HJKMNP-TV-Z]{6}$/),
    });
    expect(Date.parse(gift.expiresAt) - Date.parse(gift.boughtAt)).toBe(365 * 86_400_000);
    expect([await balance(ada), await deferred()]).toEqual([0, owed + 11_980_000]);
    // Case, spaces and letters that look alike do not matter.
    const typed = ` ${gift.code.toLowerCase().replaceAll('-', ' ').replaceAll('0', 'o')} `;
    const { status, body } = await redeem(ben, typed);
    expect([status, body]).toEqual([200, { credits: 50, balance: 50 }]);
    expect([await balance(ada), await balance(ben), await deferred()]).toEqual([0, 50, owed + 11_980_000]);
    expect(await linesOf(ben)).toEqual(['gift 50']);
    expect((await ben.get('/api/credits')).body.lots[0]).toMatchObject({
      source: 'gift',
      valueMicroUsd: 11_980_000,
    });
    expect((await gifts(ada))[0]).toMatchObject({ state: 'redeemed', code: null });
    await product.resources.creditExecutor.buy(purchaseOf(ben.userId, samples.slice(0, 2)));
    expect(await deferred()).toBeLessThan(owed + 11_980_000);
  });

  it('[GIFT-701] gives its credits once, however often and by whom the code is sent again', async () => {
    const [ada, ben] = await people();
    const { code } = await buyGift(ada);
    const key = crypto.randomUUID();
    const others = await Promise.all(Array.from({ length: 3 }, () => product.signedUp()));
    const [mine, ...theirs] = await Promise.all([
      redeem(ben, code, key),
      ...others.map((other) => redeem(other, code)),
    ]);
    const answers = [mine!, ...theirs].map(({ status }) => status).sort();
    expect(answers).toEqual([200, 409, 409, 409]);
    const sum = (await Promise.all([ben, ...others].map(balance))).reduce((all, one) => all + one, 0);
    expect(sum).toBe(25);
    expect(await redeem(ben, code, key)).toMatchObject({
      status: mine!.status,
      body: { ...mine!.body, ...(mine!.status === 409 && { requestId: expect.any(String) }) },
    });
    expect((await redeem(ada, code)).body).toMatchObject({ code: 'GiftRedeemed', own: false });
    expect((await redeem(ada, 'AAAAA-AAAAA-AAAAA-AAAAA-AAAAAA')).body.code).toBe('GiftUnknown');
  });

  it('[GIFT-742] answers a repeated key to the account that used it, and refuses another account with that key', async () => {
    const [ada, ben] = await people();
    const { code } = await buyGift(ada);
    const key = crypto.randomUUID();
    expect((await redeem(ben, code, key)).status).toBe(200);
    expect(await redeem(ada, code, key)).toMatchObject({
      status: 409,
      body: { code: 'GiftRedeemed', own: false },
    });
  });

  it('[GIFT-702] refuses plans, bad addresses and too many, and nothing is sold', async () => {
    const ada = await product.signedUp();
    const refusals = [
      await order(ada, { product: 'starter', giftTo: 'print' }),
      await order(ada, { giftTo: 'no-address' }),
      await order(ada, { giftTo: '' }),
      await order(ada, { giftTo: 'print', quantity: 11 }),
      await redeem(ada, ''),
      await ada.post('/api/gifts/redeem', { code: 'A' }),
    ];
    expect(refusals.map(({ status }) => status)).toEqual([400, 400, 400, 400, 400, 400]);
    expect(await gifts(ada)).toEqual([]);
  });

  it('[GIFT-703] limits attempts per account and per address', async () => {
    const ada = await product.signedUp();
    const { headers } = await redeem(ada, 'wrong');
    const policy = headers.get('ratelimit-policy');
    expect(policy).toContain('"gift-code-0"');
    expect(policy).toContain('"gift-code-1"');
  });

  it('[GIFT-704] stores the hash of its code only', async () => {
    const ada = await product.signedUp();
    const { code } = await buyGift(ada);
    const { pool } = product.resources.database;
    const { rows } = await pool.query(
      `select (select count(*) from event where strpos(data::text, $1) > 0) as events,
              (select count(*) from gift where strpos(gift::text, $1) > 0) as rows`,
      [code],
    );
    expect(rows).toEqual([{ events: 0, rows: 0 }]);
  });
});

describe('a gift whose payment goes back', () => {
  it('[GIFT-710, GIFT-754] freezes what its holder has not spent, also if it was redeemed while the dispute was being recorded', async () => {
    const [ada, ben] = await people();
    const gift = await buyGift(ada);
    const lots = product.app.get(InvoiceLots, { strict: false });
    // All webhooks of the dispute look the lot up, then wait; meanwhile the code is redeemed.
    const find = lots.find.bind(lots);
    let found!: () => void;
    let goOn!: () => void;
    const looked = new Promise<void>((resolve) => (found = resolve));
    const redeemed = new Promise<void>((resolve) => (goOn = resolve));
    lots.find = async (of) => {
      const answer = await find(of);
      found();
      await redeemed;
      return answer;
    };
    const dispute = pull(product, 'dispute', { invoice: gift.invoiceId });
    await looked;
    expect((await redeem(ben, gift.code)).status).toBe(200);
    lots.find = find;
    goOn();
    const { id } = await dispute;
    await comesTo(() => balance(ben), 0);
    expect((await ben.get('/api/credits')).body.lots[0]).toMatchObject({ frozen: true, creditsLeft: 25 });
    expect(await balance(ada)).toBe(0);
    await pull(product, 'close-dispute', { dispute: id, outcome: 'won' });
    await comesTo(() => balance(ben), 25);
    await mailed(ben.email, '25 credits of your gift are frozen');
    await mailed(ben.email, 'You can spend 25 credits of your gift again');
    expect(await mailsTo(ada.email, '25 credits of your gift')).toEqual([]);
  });

  it('[GIFT-711, GIFT-758] cannot be redeemed while a bank decides, nor after the bank took the money, unless an appeal is won', async () => {
    const [ada, ben] = await people();
    const gift = await buyGift(ada);
    const { id } = await pull(product, 'dispute', { invoice: gift.invoiceId });
    await comesTo(async () => (await gifts(ada))[0].state, 'frozen');
    expect(await redeem(ben, gift.code)).toMatchObject({ status: 409, body: { code: 'GiftFrozen' } });
    await pull(product, 'close-dispute', { dispute: id, outcome: 'lost' });
    await comesTo(async () => (await gifts(ada))[0].state, 'withdrawn');
    expect(await redeem(ben, gift.code)).toMatchObject({ status: 410, body: { code: 'GiftWithdrawn' } });
    await pull(product, 'close-dispute', { dispute: id, outcome: 'won' });
    await comesTo(async () => (await gifts(ada))[0].state, 'open');
    expect((await redeem(ben, gift.code)).body).toEqual({ credits: 25, balance: 25 });
  });

  it('[GIFT-712, GIFT-754] loses at its holder what is unspent, when the dispute is lost or the payment is refunded', async () => {
    const [ada, ben] = await people();
    const lost = await buyGift(ada);
    await redeem(ben, lost.code);
    await product.resources.creditExecutor.buy(purchaseOf(ben.userId, samples.slice(5, 7)));
    const { id } = await pull(product, 'dispute', { invoice: lost.invoiceId });
    await comesTo(() => balance(ben), 0);
    await pull(product, 'close-dispute', { dispute: id, outcome: 'lost' });
    await comesTo(async () => (await ben.get('/api/credits')).body.lots, []);
    const refunded = await buyGift(ada);
    await redeem(ben, refunded.code);
    const cash = await bookOf(petra, 'stripe:balance');
    expect((await refundBy(pia, refunded.invoiceId)).status).toBe(201);
    await comesTo(() => balance(ben), 0);
    expect(cash - (await bookOf(petra, 'stripe:balance'))).toBe(5_990_000);
    const [mail] = await mailsTo(ada.email, 'Your refund, $5.99');
    expect(mail).toContain('back to the card that paid');
    const decided = await mailed(ben.email, '23 credits of your gift were taken back');
    expect(decided).toContain('A bank took back the payment for a gift that you redeemed.');
    expect(decided).toContain('Samples that you bought with the gift stay yours, with their licences.');
    const back = await mailed(ben.email, '25 credits of your gift were taken back');
    expect(back).toContain('went back to the person who gave it');
    // Mails and notices are jobs, of which several run at a time.
    const noticed = async () =>
      (await ben.get('/api/inbox')).body.items.map(({ text }: { text: string }) => text);
    await comesTo(
      async () => (await noticed()).toSorted(),
      [
        '23 credits of your gift are frozen',
        '23 credits of your gift were taken back',
        '25 credits of your gift were taken back',
      ],
    );
  });

  it('[GIFT-713] can be withdrawn from by its payer before it is redeemed', async () => {
    const [ada, ben] = await people();
    const gift = await buyGift(ada);
    expect((await ada.get('/api/me/contracts')).body.items[0]).toMatchObject({ sold: ['Gift, 25 credits'] });
    const declared = { name: 'Ada', orderNumber: gift.invoiceId, email: ada.email };
    await product.browser().post('/api/withdrawals', declared);
    await comesTo(async () => (await gifts(ada))[0].state, 'withdrawn');
    expect((await redeem(ben, gift.code)).body.code).toBe('GiftWithdrawn');
  });

  it('[GIFT-749] gives the money back and takes the credits, whether the refund or the redemption comes first', async () => {
    const [ada, ben] = await people();
    for (let time = 0; time < 4; time += 1) {
      const { code, invoiceId } = await buyGift(ada);
      const [refund, redemption] = await Promise.all([refundBy(pia, invoiceId), redeem(ben, code)]);
      expect(refund).toMatchObject({ status: 201, body: { amountUsdCents: 599, creditsRevoked: 25 } });
      expect([200, 410]).toContain(redemption.status);
      expect(await balance(ben)).toBe(0);
    }
  });

  it('[GIFT-714] names its receiver as the owner when the same dispute comes as a command', async () => {
    const [ada, ben] = await people();
    const gift = await buyGift(ada);
    await redeem(ben, gift.code);
    const [lot] = await product.app.get(InvoiceLots, { strict: false }).find({ invoiceId: gift.invoiceId });
    expect(lot).toMatchObject({ userId: ben.userId, payerId: ada.userId, giftId: gift.id });
    const dispute = {
      disputeId: 'dp_gift',
      invoiceId: gift.invoiceId,
      amountUsdCents: 599,
      feeUsdCents: 0,
      status: 'open' as const,
      openedAt: new Date(),
      adjustments: [],
    };
    const report = { dispute, causationId: 'evt_gift', chargeId: 'ch_gift' };
    const outcome = await product.app.get(CommandBus).execute(new RecordDispute(report));
    expect(outcome.accepted).toBe(true);
    expect(await balance(ben)).toBe(0);
    const { rows } = await product.resources.database.pool.query(
      `select stream from event where type = 'DisputeOpened' and data->>'disputeId' = 'dp_gift'`,
    );
    expect(rows).toEqual([{ stream: `credits-${ben.userId}` }]);
  });
});

it('[GIFT-746] a gift of which a part was refunded shows and gives the credits that are left', async () => {
  const [ada, ben] = await people();
  const gift = await buyGift(ada);
  await pull(product, 'refund', { invoice: gift.invoiceId, amountUsdCents: 300 });
  await comesTo(async () => (await gifts(ada))[0].credits < 25, true);
  const [{ credits, state, code }] = await gifts(ada);
  expect(state).toBe('open');
  expect((await redeem(ben, code)).body).toEqual({ credits, balance: credits });
  expect((await gifts(ada))[0]).toMatchObject({ credits, state: 'redeemed' });
});

describe('a gift in the office', () => {
  it('[GIFT-743] is an invoice of its payer, wherever its credits are', async () => {
    const [ada, ben] = await people();
    const invoicesOf = async (who: HttpClient) =>
      (await pia.get(`/api/admin/people/${who.userId}/invoices`)).body.items;
    const { code, invoiceId } = await buyGift(ada);
    const sold = { invoiceId, amountUsdCents: 599, credits: 25, creditsLeft: 25, refundedUsdCents: 0 };
    expect(await invoicesOf(ada)).toMatchObject([sold]);
    await redeem(ben, code);
    await product.resources.creditExecutor.buy(purchaseOf(ben.userId, samples.slice(10, 11)));
    const left = await balance(ben);
    expect(left).toBeLessThan(25);
    expect([await invoicesOf(ada), await invoicesOf(ben)]).toMatchObject([
      [{ ...sold, creditsLeft: left }],
      [],
    ]);
    const { body } = await refundBy(pia, invoiceId);
    expect(await invoicesOf(ada)).toMatchObject([
      { ...sold, creditsLeft: 0, refundedUsdCents: body.amountUsdCents },
    ]);
  });

  it('[GIFT-744] is not refunded by the staff member who paid for it, redeemed or not', async () => {
    const ben = await product.signedUp();
    const gift = await buyGift(pia);
    expect(await refundBy(pia, gift.invoiceId)).toMatchObject({ status: 403, body: { code: 'OwnInterest' } });
    await redeem(ben, gift.code);
    expect(await refundBy(pia, gift.invoiceId)).toMatchObject({ status: 403, body: { code: 'OwnInterest' } });
    expect(await balance(ben)).toBe(25);
  });
});

it('[GIFT-756] a second person reads how many payments the payer of gifts disputed, wherever the gifts are', async () => {
  const [ada, ben] = await people();
  const quinn = await signedUpAs(product, 'admin');
  for (const isRedeemed of [true, false]) {
    const { code, invoiceId } = await buyGift(ada);
    if (isRedeemed) await redeem(ben, code);
    await pull(product, 'dispute', { invoice: invoiceId });
  }
  await comesTo(async () => (await gifts(ada))[0].state, 'frozen');
  const disputesOf = async ({ userId }: HttpClient) => {
    const asked = { userId, credits: 501, reason: 'A contest' };
    const { body } = await pia.post('/api/admin/adjustments', asked, keyed());
    return (await quinn.get(`/api/admin/approvals/${body.id}`)).body.person.disputes;
  };
  expect([await disputesOf(ada), await disputesOf(ben)]).toEqual([2, 0]);
});

it('[GIFT-757] gifts are listed in pages, newest first', async () => {
  const ada = await product.signedUp();
  const bought = [await buyGift(ada), await buyGift(ada), await buyGift(ada)];
  const pages: string[][] = [];
  let cursor = '';
  do {
    const { body } = await ada.get(`/api/gifts?limit=2${cursor && `&cursor=${cursor}`}`);
    pages.push(body.items.map(({ id }: { id: string }) => id));
    cursor = body.nextCursor;
  } while (cursor);
  const [first, second, third] = bought.map(({ id }) => id);
  expect(pages).toEqual([[third, second], [first]]);
});

describe('mails about a gift', () => {
  it('[GIFT-720] bring the code to the receiver, a receipt that names it to the payer, and word of its redemption', async () => {
    const [ada, ben] = await people();
    const gift = await buyGift(ada, { giftTo: 'dora@example.com' });
    const [mail, ...more] = await mailsTo('dora@example.com', 'A gift for you: 25 credits');
    expect(more).toEqual([]);
    expect(mail).toContain(gift.code);
    expect(mail).toContain(`/gifts#${gift.code}`);
    const [receipt] = await mailsTo(ada.email, 'Your receipt, $5.99');
    expect(receipt).toContain('Gift, 25 credits\n');
    expect(receipt).not.toContain(gift.code);
    await redeem(ben, gift.code);
    expect(await mailsTo(ada.email, 'Your gift was redeemed')).toHaveLength(1);
    const printed = await buyGift(ada);
    expect(await mailsTo('dora@example.com', 'A gift')).toHaveLength(1);
    expect(printed.email).toBeNull();
  });
});

describe('an unredeemed gift', () => {
  it('[GIFT-750] can be redeemed after its payer left, and the receiver’s address is forgotten', async () => {
    const [ada, ben] = await people();
    const { id, code } = await buyGift(ada, { giftTo: 'erin@example.com' });
    expect((await ada.delete('/api/me')).status).toBe(204);
    const { rows } = await product.resources.database.pool.query(
      'select email from gift where gift_id = $1',
      [id],
    );
    expect(rows).toEqual([{ email: null }]);
    expect((await redeem(ben, code)).body).toEqual({ credits: 25, balance: 25 });
  });

  it('[GIFT-730] goes to its payer as credits when its code expires, once', async () => {
    const [ada, ben] = await people();
    const gift = await buyGift(ada);
    const used = await buyGift(ada);
    await redeem(ben, used.code);
    await product.resources.stripeSimulator!.advance(366);
    const sweep = product.app.get(ExpireGifts, { strict: false });
    expect(await redeem(ben, gift.code)).toMatchObject({ status: 410, body: { code: 'GiftExpired' } });
    await Promise.all([sweep.run(), sweep.run()]);
    expect(await sweep.run()).toBe(0);
    expect([await balance(ada), await balance(ben)]).toEqual([25, 25]);
    expect((await gifts(ada)).map(({ state }: { state: string }) => state)).toEqual(['redeemed', 'expired']);
    expect((await redeem(ben, gift.code)).body.code).toBe('GiftExpired');
    expect(await mailsTo(ada.email, 'Your gift expired, and you have its 25 credits')).toHaveLength(1);
    const account = await product.resources.database.pool.query(
      `select balance from credit_account where user_id = $1`,
      [giftAccountOf(gift.id)],
    );
    expect(account.rows).toEqual([{ balance: 0 }]);
  });

  it('[GIFT-752] whose payer left before its code expired stays with the code, and never expires', async () => {
    const [ada, ben] = await people();
    const { code } = await buyGift(ada);
    expect((await ada.delete('/api/me')).status).toBe(204);
    await product.resources.stripeSimulator!.advance(366);
    expect(await product.app.get(ExpireGifts, { strict: false }).run()).toBe(0);
    expect((await redeem(ben, code)).body).toEqual({ credits: 25, balance: 25 });
  });

  it('[GIFT-753] whose payer left before a slow payment settled is mailed to its receiver', async () => {
    const [ada, ben] = await people();
    const { body: page } = await order(ada, { giftTo: 'fay@example.com' });
    // The payment is recorded as soon as the webhook arrives. It waits until the account is gone.
    const records = product.app.get(PaymentRecords, { strict: false });
    const giftOf = records.giftOf.bind(records);
    let heard!: () => void;
    let goOn!: () => void;
    const paid = new Promise<void>((resolve) => (heard = resolve));
    const gone = new Promise<void>((resolve) => (goOn = resolve));
    records.giftOf = async (giftId) => {
      heard();
      await gone;
      return giftOf(giftId);
    };
    const pressed = press(page.url, { outcome: 'paid' });
    await paid;
    expect((await ada.delete('/api/me')).status).toBe(204);
    records.giftOf = giftOf;
    goOn();
    await pressed;
    const mail = await mailed('fay@example.com', 'A gift for you');
    const [code] = /([0-9A-Z]{5}-){4}[0-9A-Z]{6}/.exec(mail) ?? [];
    expect((await redeem(ben, code as string)).body).toEqual({ credits: 25, balance: 25 });
  });

  it('[GIFT-755] forgets its receiver 60 days after the order, unless the code can still be redeemed', async () => {
    const [ada, ben] = await people();
    const mailed = (name: string) => ({ giftTo: `${name}@example.com` });
    await order(ada, mailed('unpaid'));
    await buyGift(ada, mailed('open'));
    await redeem(ben, (await buyGift(ada, mailed('redeemed'))).code);
    const kept = async () => {
      await product.app.get(ExpireGifts, { strict: false }).forgetReceivers();
      const { rows } = await product.resources.database.pool.query(
        'select email from gift where user_id = $1 and email is not null order by email',
        [ada.userId],
      );
      return rows.map(({ email }) => email.split('@')[0]);
    };
    await product.resources.stripeSimulator!.advance(59);
    expect(await kept()).toEqual(['open', 'redeemed', 'unpaid']);
    await product.resources.stripeSimulator!.advance(2);
    expect(await kept()).toEqual(['open']);
    expect((await gifts(ada)).map(({ email }: { email: string | null }) => email)).toEqual([
      null,
      'open@example.com',
    ]);
  });
});

it('[GIFT-745] all these gifts keep the rules of the books about credits, lots, invoices and shares', async () => {
  await caughtUp(product);
  const { invariants } = await product.app.get(Reconcile, { strict: false }).run();
  expect(invariants.filter(({ number, holds }) => number <= 13 && !holds)).toEqual([]);
});
