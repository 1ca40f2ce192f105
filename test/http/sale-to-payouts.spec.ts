import { expect, it } from '@jest/globals';
import { BalanceTransactions } from '../../application/payments/balance-transactions.js';
import { beancountAccount } from '../../application/ledger/export.js';
import { recordPack } from '../support/catalogue.js';
import { keyed, type HttpClient } from '../support/http-client.js';
import { balance, checkOut, startWithStaff, comesTo } from '../support/money-back.js';
import { addedByBeancount, addedByHledger, itWith } from '../support/plain-text-accounting.js';
import { caughtUp } from '../support/product.js';
import { onboard, press, sdkFor } from '../support/stripe.js';

const PACK = 'trio';
const HOLD_DAYS = 15;
const itWithBoth = itWith('hledger') === it ? itWith('bean-check') : it.skip;

itWithBoth(
  '[GIFT-759] a pack with its own price, shared by three creators and bought with a discounted gift, ends in three payouts; hledger and beancount add its books again',
  async () => {
    const { product, petra } = await startWithStaff();
    try {
      const { eventStore, database, storage, stripeSimulator } = product.resources;
      const stripe = sdkFor(stripeSimulator!);
      const coupon = await stripe.coupons.create({ percent_off: 20, duration: 'once' });
      await stripe.promotionCodes.create({
        promotion: { type: 'coupon', coupon: coupon.id },
        code: 'BAND-20',
      });
      const creator = async (): Promise<HttpClient> => {
        const client = await product.signedUp();
        await client.post('/api/creator/application', {});
        await database.pool.query('update user_account set email_verified_at = now() where user_id = $1', [
          client.userId,
        ]);
        const { body } = await client.post('/api/stripe/connect/create-account', { country: 'US' });
        await onboard(body.url, 'completed');
        return client;
      };
      const [junie, otto, mira] = [await creator(), await creator(), await creator()];
      await recordPack(
        eventStore,
        { packId: PACK, creatorId: junie.userId },
        Array.from({ length: 4 }, () => ({ priceCredits: 300 })),
      );
      const { rows } = await database.pool.query(
        'select original_key as key from sample where pack_id = $1',
        [PACK],
      );
      for (const { key } of rows) await storage.put(key, Buffer.from('x'), { contentType: 'audio/wav' });
      expect((await junie.put(`/api/creator/packs/${PACK}/price`, { credits: 1_000 })).status).toBe(200);
      for (const [other, bps] of [
        [otto, 3_000],
        [mira, 2_000],
      ] as const) {
        const offer = { creator: other.email, bps };
        const { body } = await junie.post(`/api/creator/packs/${PACK}/splits`, offer, keyed());
        expect((await other.post(`/api/splits/${body.id}/accept`, undefined, keyed())).status).toBe(200);
      }
      // Ada pays 167.92 instead of 209.90 dollars for a gift of 1,000 credits. Ben redeems it and buys the pack.
      const [ada, ben] = [await product.signedUp(), await product.signedUp()];
      const { body: page } = await checkOut(ada, { product: 'top-up-100', quantity: 10, giftTo: 'print' });
      await press(page.url, { outcome: 'paid', promotionCode: 'BAND-20' });
      const gifts = async () => (await ada.get('/api/gifts')).body.items;
      await comesTo(async () => (await gifts()).length, 1);
      const [{ code }] = await gifts();
      expect((await ben.post('/api/gifts/redeem', { code }, keyed())).body).toMatchObject({ balance: 1_000 });
      const bought = await ben.post(`/api/packs/${PACK}/downloads`, { expectedCredits: 1_000 }, keyed());
      expect([bought.status, await balance(ben)]).toEqual([201, 0]);
      await stripeSimulator!.advance(HOLD_DAYS);
      await caughtUp(product);
      const paid: number[] = [];
      for (const each of [junie, otto, mira]) {
        const { body } = await each.post('/api/creator/withdrawals', {}, keyed());
        const payout = async () =>
          (await each.get('/api/creator/statements')).body.items.find(
            ({ id }: { id: string }) => id === body.id,
          );
        await comesTo(async () => (await payout())?.status, 'paid');
        paid.push((await payout()).amountUsdCents);
      }
      // 60 % of 167.92 is 100.752 dollars, of which Otto has 30 % and Mira 20 %.
      expect(paid).toEqual([5_037, 3_022, 2_015]);
      await product.app.get(BalanceTransactions, { strict: false }).sweep();
      await caughtUp(product);
      const { body: trial } = await petra.get('/api/finance/trial-balance');
      const expected = new Map<string, number>();
      for (const { account, debitMicroUsd, creditMicroUsd } of trial.accounts)
        expected.set(account, debitMicroUsd - creditMicroUsd);
      const dollars = (sums: ReadonlyMap<string, number>, named: (account: string) => string) =>
        [...expected.keys()].map((account) => [account, sums.get(named(account)) ?? 0]);
      const journal = async (format: string): Promise<string> =>
        (await petra.get(`/api/finance/export?format=${format}`)).body;
      const byHledger = dollars(addedByHledger(await journal('hledger')), (account) => account);
      const byBeancount = dollars(addedByBeancount(await journal('beancount')), beancountAccount);
      expect(byHledger).toEqual([...expected]);
      expect(byBeancount).toEqual([...expected]);
      expect(expected.get('credits')).toBe(-167_920_000);
      expect(expected.get('royalties')).toBe(100_752_000);
      const { invariants } = (await petra.get('/api/finance/reconciliation')).body;
      expect(
        invariants.filter(({ holds, number }: { holds: boolean; number: number }) => !holds && number <= 13),
      ).toEqual([]);
    } finally {
      await product.stop();
    }
  },
);
