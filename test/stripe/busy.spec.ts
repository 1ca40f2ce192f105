import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { PaymentGatewayUnavailable } from '../../application/payments/payment-gateway.js';
import type { PayoutGateway } from '../../application/payments/payout-gateway.js';
import type { StripeSimulator } from '../../simulators/stripe/server.js';
import {
  onboard,
  payoutGatewayFor,
  sdkFor,
  startStripeSimulator,
  WEBHOOK_SECRET,
} from '../support/stripe.js';

let simulator: StripeSimulator;
let gateway: PayoutGateway;
let accountId: string;

const hook = async (name: string, fields: object): Promise<Record<string, { times: number }>> => {
  const answer = await fetch(`${simulator.url}/_test/${name}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(fields),
  });
  expect([name, answer.status]).toEqual([name, 200]);
  return (await answer.json()) as Record<string, { times: number }>;
};

beforeAll(async () => {
  simulator = await startStripeSimulator({ webhookUrl: 'http://127.0.0.1:9', webhookSecret: WEBHOOK_SECRET });
  gateway = payoutGatewayFor(simulator);
  const account = {
    creatorId: 'c',
    email: 'c@example.com',
    country: 'US',
    isAbroad: false,
    idempotencyKey: 'account',
  };
  ({ accountId } = await gateway.createAccount(account));
  const returnUrl = 'http://127.0.0.1:9/';
  await onboard(
    (await gateway.openOnboarding({ accountId, returnUrl, refreshUrl: returnUrl })).url,
    'completed',
  );
  await hook('top-up', { amountUsdCents: 100_000 });
});
afterAll(() => simulator.close());
beforeEach(() => hook('refuse', { times: 0 }));

const transfer = (name: string) =>
  gateway.createTransfer({ accountId, amountUsdCents: 1_000, transferGroup: name, idempotencyKey: name });
const made = async (group: string) => (await gateway.findTransfers(group)).length;

it.each(['rate_limit', 'lock_timeout'])(
  '[FIN-59] a transfer refused with 429 %s is made once, after some repeats',
  async (code) => {
    await hook('refuse', { times: 3, code, path: '/v1/transfers' });
    await transfer(code);
    expect(await made(code)).toBe(1);
  },
);

it('[FIN-59] a list is whole after a repeat in the middle of it, and names nothing twice', async () => {
  const known = await sdkFor(simulator).payouts.create({ amount: 1_000, currency: 'usd' });
  await hook('refuse', { times: 2, path: '/v1/payouts' });
  expect((await gateway.listBankPayouts(new Date(0))).map(({ payoutId }) => payoutId)).toEqual([known.id]);
});

it('[FIN-59] it is left open when Stripe stays busy, and made later with the same key', async () => {
  await hook('refuse', { times: 100, path: '/v1/transfers' });
  await expect(transfer('busy')).rejects.toThrow(PaymentGatewayUnavailable);
  const { refuse } = await hook('refuse', { times: 0 });
  expect(refuse?.times).toBe(0);
  await transfer('busy');
  await transfer('busy');
  expect(await made('busy')).toBe(1);
});

it('[FIN-59] a key that is in use is not put again at once: its outcome is open', async () => {
  await hook('refuse', { times: 1, status: 409, code: 'idempotency_key_in_use', path: '/v1/transfers' });
  await expect(transfer('in use')).rejects.toThrow(PaymentGatewayUnavailable);
  expect(await made('in use')).toBe(0);
});
