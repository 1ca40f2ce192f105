import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CommandBus } from '@nestjs/cqrs';
import { PayoutSchedules, PayoutScheduleStore } from '../../application/payouts/payout-schedules.js';
import type { HttpClient } from '../support/http-client.js';
import { startTestProduct, type TestProduct } from '../support/product.js';
import { sellTo } from '../support/sales.js';
import { onboard, sdkFor } from '../support/stripe.js';
import { valueOnce } from '../support/until.js';

let product: TestProduct;
beforeAll(async () => {
  product = await startTestProduct();
});
afterAll(() => product?.stop());

const simulator = () => product.resources.stripeSimulator!;
const sell = (client: HttpClient) => sellTo(product, client);
const schedules = () => product.app.get(PayoutSchedules, { strict: false });
const choose = (client: HttpClient, schedule: string) =>
  client.put('/api/creator/payout-schedule', { schedule });
const payoutsOf = async (client: HttpClient) => (await client.get('/api/creator/statements')).body.items;
/** Advances the clock just past the next first of a month (UTC). */
const toNextMonth = async () => {
  const now = simulator().now();
  const first = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1);
  await simulator().advance((first - now.getTime()) / 86_400_000 + 0.01);
};

async function creator(): Promise<HttpClient> {
  const client = await product.signedUp();
  await client.post('/api/creator/application');
  const { body } = await client.post('/api/stripe/connect/create-account', { country: 'US' });
  await onboard(body.url, 'completed');
  return client;
}

const paid = (client: HttpClient): Promise<{ amountUsdCents: number; status: string }[]> =>
  valueOnce(
    () => payoutsOf(client),
    (items) => items.length > 0 && items.every(({ settledAt }: { settledAt: string | null }) => settledAt),
  );

describe('when creators are paid', () => {
  it('is on demand until they choose, and theirs to choose', async () => {
    const client = await creator();
    const get = async () => (await client.get('/api/creator/payout-schedule')).body;
    expect(await get()).toEqual({ schedule: 'on_demand', nextAt: null });
    const chosen = await choose(client, 'monthly');
    const now = simulator().now();
    const nextAt = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1)).toISOString();
    expect([chosen.status, chosen.body]).toEqual([200, { schedule: 'monthly', nextAt }]);
    expect(await get()).toEqual(chosen.body);
    expect((await choose(client, 'on_demand')).body).toEqual({ schedule: 'on_demand', nextAt: null });
    expect((await choose(client, 'weekly')).status).toBe(400);
    expect((await choose(await product.signedUp(), 'monthly')).status).toBe(403);
    expect((await product.browser().get('/api/creator/payout-schedule')).status).toBe(401);
  });

  it('[PAY-03, PAY-07] monthly: on the first, all that is available, once however often it is swept', async () => {
    const [monthly, onDemand] = [await creator(), await creator()];
    for (const client of [monthly, onDemand]) await sell(client);
    await choose(monthly, 'monthly');
    await simulator().advance(20);
    await schedules().run();
    await toNextMonth();
    // Depending on today's date, the shares are past their hold at the first or second monthly payout.
    await schedules().run();
    if ((await payoutsOf(monthly)).length === 0) await toNextMonth();
    await Promise.all([schedules().run(), schedules().run(), schedules().run()]);
    await schedules().run();
    expect(await paid(monthly)).toMatchObject([{ amountUsdCents: 1_199, status: 'paid' }]);
    const { accountId } = (await monthly.get(`/api/stripe/connect/status/${monthly.userId}`)).body;
    expect((await sdkFor(simulator()).transfers.list({ destination: accountId })).data).toHaveLength(1);
    expect(await payoutsOf(onDemand)).toEqual([]);
    const [requested] = await product.resources.eventStore.readStream(`payouts-${monthly.userId}`);
    expect(requested?.metadata.actor).toBe('system:payout-schedule');
  });

  it('[PAY-03] waits for the month after the one in which it was chosen', async () => {
    const client = await creator();
    await sell(client);
    await simulator().advance(15);
    await choose(client, 'monthly');
    await schedules().run();
    expect(await payoutsOf(client)).toEqual([]);
    await toNextMonth();
    await schedules().run();
    expect(await paid(client)).toHaveLength(1);
  });

  it('[PAY-03] leaves too little for a later month, and asks once a month', async () => {
    const client = await creator();
    await choose(client, 'monthly');
    await toNextMonth();
    await schedules().run();
    await sell(client);
    await simulator().advance(14.5);
    const sameMonth = simulator().now().getUTCDate() > 14;
    await schedules().run();
    expect(sameMonth).toBe(true);
    expect(await payoutsOf(client)).toEqual([]);
    await toNextMonth();
    await schedules().run();
    expect(await paid(client)).toHaveLength(1);
  });

  it('[PAY-03, FIN-29] killed between the withdrawal and the note of it, withdraws once', async () => {
    const client = await creator();
    await sell(client);
    await choose(client, 'monthly');
    await simulator().advance(15);
    await toNextMonth();
    const store = product.app.get(PayoutScheduleStore, { strict: false });
    const dying = Object.assign(Object.create(store) as PayoutScheduleStore, {
      markDone: () => Promise.reject(new Error('killed')),
    });
    const commands = product.app.get(CommandBus, { strict: false });
    const { clock } = product.resources;
    await expect(new PayoutSchedules(dying, commands, clock).run()).rejects.toThrow('killed');
    expect(await paid(client)).toHaveLength(1);
    await sell(client);
    await schedules().run();
    await schedules().run();
    expect(await paid(client)).toHaveLength(1);
  });

  it('[PAY-03] pays nobody who is suspended', async () => {
    const client = await creator();
    await sell(client);
    await choose(client, 'monthly');
    await simulator().advance(15);
    await toNextMonth();
    const { pool } = product.resources.database;
    await pool.query(`update creator_standing set status = 'suspended' where user_id = $1`, [client.userId]);
    await schedules().run();
    await pool.query(`update creator_standing set status = 'approved' where user_id = $1`, [client.userId]);
    expect(await payoutsOf(client)).toEqual([]);
    await schedules().run();
    expect(await paid(client)).toHaveLength(1);
  });
});
