import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { HttpClient } from '../support/http-client.js';
import {
  balance,
  bookOf,
  checkOut,
  newestInvoiceOf,
  pull,
  refundBy,
  startWithStaff,
  comesTo,
} from '../support/money-back.js';
import type { TestProduct } from '../support/product.js';
import { press, sdkFor } from '../support/stripe.js';

let product: TestProduct;
let pia: HttpClient;
let petra: HttpClient;
beforeAll(async () => {
  ({ product, pia, petra } = await startWithStaff());
  const stripe = sdkFor(product.resources.stripeSimulator!);
  const offers = [
    ['HALF', { percent_off: 50, duration: 'once' }],
    ['ALWAYS-20', { percent_off: 20, duration: 'forever' }],
    ['MINUS-3', { amount_off: 300, currency: 'usd', duration: 'once' }],
    ['FREE', { percent_off: 100, duration: 'once' }],
  ] as const;
  for (const [code, terms] of offers) {
    const coupon = await stripe.coupons.create(terms);
    await stripe.promotionCodes.create({
      promotion: { type: 'coupon', coupon: coupon.id },
      code,
      max_redemptions: 5,
    });
  }
});
afterAll(() => product?.stop());

const pageFor = async (who: HttpClient, sold: string): Promise<string> =>
  (await checkOut(who, { product: sold })).body.url;
const lotsOf = async (who: HttpClient) =>
  ((await who.get('/api/credits')).body.lots as { creditsGranted: number; valueMicroUsd: number }[]).map(
    ({ creditsGranted, valueMicroUsd }) => [creditsGranted, valueMicroUsd],
  );
async function buy(sold: string, promotionCode: string, credits: number): Promise<HttpClient> {
  const ada = await product.signedUp();
  const answer = await press(await pageFor(ada, sold), { outcome: 'paid', promotionCode });
  expect(answer.status).toBe(303);
  await comesTo(() => balance(ada), credits);
  return ada;
}

describe('codes of the shop at checkout', () => {
  it('[PROMO-720] make a lot worth what was paid: a part of a plan, an amount off, and a top-up', async () => {
    expect(await lotsOf(await buy('starter', 'half', 50))).toEqual([[50, 4_990_000]]);
    expect(await lotsOf(await buy('premium', 'MINUS-3', 100))).toEqual([[100, 12_990_000]]);
    expect(await lotsOf(await buy('top-up-50', 'HALF', 50))).toEqual([[50, 5_490_000]]);
  });

  it('[PROMO-721] discount the first invoice of a plan or each of them, as the coupon says', async () => {
    const once = await buy('starter', 'HALF', 50);
    const always = await buy('starter', 'ALWAYS-20', 50);
    await pull(product, 'advance', { days: 32 });
    for (const each of [once, always]) await comesTo(() => balance(each), 100);
    expect((await lotsOf(once)).map(([, value]) => value)).toEqual([4_990_000, 9_990_000]);
    expect((await lotsOf(always)).map(([, value]) => value)).toEqual([7_990_000, 7_990_000]);
  });

  it('[PROMO-722] an invoice of nothing grants credits that are worth nothing, and cannot be refunded', async () => {
    const cash = await bookOf(petra, 'stripe:balance');
    for (const [sold, credits] of [
      ['starter', 50],
      ['top-up-50', 50],
    ] as const) {
      const ada = await buy(sold, 'FREE', credits);
      expect(await lotsOf(ada)).toEqual([[credits, 0]]);
      const { status, body } = await refundBy(pia, await newestInvoiceOf(product, ada));
      expect([status, body.code]).toEqual([422, 'NothingToRefund']);
      expect(body.title).toMatch(/nothing was paid for them$/);
    }
    expect(await bookOf(petra, 'stripe:balance')).toBe(cash);
    const { invariants } = (await petra.get('/api/finance/reconciliation')).body;
    expect(invariants.filter(({ holds }: { holds: boolean }) => !holds)).toEqual([]);
  });

  it('[PROMO-723] a code that Stripe does not know is refused on its page, and nothing is charged', async () => {
    const ada = await product.signedUp();
    const url = await pageFor(ada, 'starter');
    expect(await (await fetch(url)).text()).toContain('name="promotionCode"');
    const refused = await press(url, { outcome: 'paid', promotionCode: 'NO-SUCH' });
    expect(refused.status).toBe(400);
    expect(await refused.text()).toContain('This code is invalid. Nothing was charged.');
    expect(await balance(ada)).toBe(0);
  });
});
