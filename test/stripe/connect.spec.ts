import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { StripeSimulator } from '../../simulators/stripe/server.js';
import { PaymentGatewayUnavailable } from '../../application/payments/payment-gateway.js';
import { TransferRefused, type PayoutGateway } from '../../application/payments/payout-gateway.js';
import { onboard, payoutGatewayFor, sdkFor, startWithInbox, type WebhookInbox } from '../support/stripe.js';

let open: Awaited<ReturnType<typeof startWithInbox>>;
let inbox: WebhookInbox;
let simulator: StripeSimulator;
let gateway: PayoutGateway;

beforeAll(async () => {
  open = await startWithInbox();
  ({ inbox, simulator } = open);
  gateway = payoutGatewayFor(simulator);
});
afterAll(() => open.close());
beforeEach(() => {
  inbox.received = [];
});

let creators = 0;
const newAccount = (country = 'US') => {
  creators += 1;
  return gateway.createAccount({
    creatorId: `creator-${creators}`,
    email: `creator${creators}@example.com`,
    country,
    isAbroad: country !== 'US',
    idempotencyKey: `account-${creators}`,
  });
};
const newLink = (accountId: string) =>
  gateway.openOnboarding({
    accountId,
    returnUrl: 'http://127.0.0.1:9/dashboard?stripe_onboarding=success',
    refreshUrl: 'http://127.0.0.1:9/dashboard?stripe_onboarding=refresh',
  });
const hook = async (name: string, fields: object) => {
  const answer = await fetch(`${simulator.url}/_test/${name}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(fields),
  });
  expect([name, answer.status]).toEqual([name, 200]);
  return (await answer.json()) as { id: string };
};
const verified = async () => {
  const { accountId } = await newAccount();
  await onboard((await newLink(accountId)).url, 'completed');
  return accountId;
};

describe('onboarding', () => {
  it('begins with an account that may not be paid, and says what is asked for', async () => {
    const account = await newAccount();
    expect(account).toMatchObject({ chargesEnabled: false, payoutsEnabled: false });
    expect(account.requirements).toContain('external_account');
  });

  it('shows a page with Complete and Leave incomplete', async () => {
    const page = await (await fetch((await newLink((await newAccount()).accountId)).url)).text();
    expect(page).toContain('Stripe simulator');
    expect(page).toMatch(/<button[^>]*value="completed">Complete</);
    expect(page).toMatch(/<button[^>]*value="incomplete">Leave incomplete</);
  });

  it('[BOOK-823] returns about the owner what Stripe shares, and asks owners in the United States for their tax number', async () => {
    const nothing = {
      kind: null,
      legalName: null,
      street: null,
      city: null,
      birthDate: null,
      hasTaxId: false,
    };
    const { accountId, holder } = await newAccount();
    expect(holder).toMatchObject(nothing);
    const opened = await sdkFor(simulator).accounts.retrieve(accountId);
    expect(opened.capabilities?.tax_reporting_us_1099_misc).toBe('inactive');
    const abroad = await sdkFor(simulator).accounts.retrieve((await newAccount('DE')).accountId);
    expect(abroad.capabilities?.tax_reporting_us_1099_misc).toBeUndefined();
    await onboard((await newLink(accountId)).url, 'completed', {
      firstName: 'Junie',
      lastName: 'Okafor',
      line1: '5 Main St',
      city: 'Troy',
      postalCode: '12180',
      birthDate: '1990-02-03',
    });
    expect((await gateway.readAccount(accountId))?.holder).toEqual({
      kind: 'person',
      legalName: 'Junie Okafor',
      street: '5 Main St',
      city: 'Troy',
      region: null,
      postalCode: '12180',
      birthDate: '1990-02-03',
      hasTaxId: true,
    });
  });

  it('[OPS-05] completed: the account may be paid, account.updated names it, and the way back is taken', async () => {
    const { accountId } = await newAccount();
    const answer = await onboard((await newLink(accountId)).url, 'completed');
    expect(answer.headers.get('location')).toBe('http://127.0.0.1:9/dashboard?stripe_onboarding=success');
    expect(await gateway.readAccount(accountId)).toMatchObject({
      accountId,
      chargesEnabled: true,
      payoutsEnabled: true,
      requirements: [],
    });
    expect(inbox.received.at(-1)?.event).toMatchObject({
      type: 'account.updated',
      account: accountId,
      data: { object: { id: accountId, payouts_enabled: true } },
    });
  });

  it('[OPS-05] incomplete: less is asked for, but the account may not be paid', async () => {
    const { accountId, requirements } = await newAccount();
    const answer = await onboard((await newLink(accountId)).url, 'incomplete');
    expect(answer.headers.get('location')).toContain('stripe_onboarding=refresh');
    const after = await gateway.readAccount(accountId);
    expect(after?.payoutsEnabled).toBe(false);
    expect(after?.requirements.length).toBeLessThan(requirements.length);
  });

  it('serves a link once and for minutes, and refuses another outcome', async () => {
    const { accountId } = await newAccount();
    const { url } = await newLink(accountId);
    expect((await onboard(url, 'perhaps')).status).toBe(400);
    await onboard(url, 'incomplete');
    expect((await onboard(url, 'completed')).headers.get('location')).toContain('refresh');
    const late = await newLink(accountId);
    await simulator.advance(0.01);
    expect((await fetch(late.url, { redirect: 'manual' })).headers.get('location')).toContain('refresh');
    expect((await gateway.readAccount(accountId))?.payoutsEnabled).toBe(false);
  });
});

describe('accounts of creators', () => {
  const stripe = () => sdkFor(simulator);

  it('[PAY-20] are ours to pay for and Stripe’s to ask; abroad they accept the agreement of those who only receive', async () => {
    const { home, all } = await gateway.listCountries();
    expect({ home, known: ['US', 'DE', 'IN'].map((code) => all.includes(code)) }).toEqual({
      home: 'US',
      known: [true, true, false],
    });
    const accounts = await Promise.all(
      ['US', 'DE'].map(async (country) => stripe().accounts.retrieve((await newAccount(country)).accountId)),
    );
    expect(
      accounts.map(({ country, type, default_currency }) => ({ country, type, default_currency })),
    ).toEqual([
      { country: 'US', type: 'none', default_currency: 'usd' },
      { country: 'DE', type: 'none', default_currency: 'eur' },
    ]);
    expect(accounts.map(({ tos_acceptance }) => tos_acceptance?.service_agreement)).toEqual([
      undefined,
      'recipient',
    ]);
    for (const { controller } of accounts)
      expect(controller).toMatchObject({
        fees: { payer: 'application' },
        losses: { payments: 'application' },
        requirement_collection: 'stripe',
        stripe_dashboard: { type: 'express' },
      });
  });

  it('[PAY-21] may be paid while transfers are active, whatever payments they could take', async () => {
    const { accountId } = await newAccount('DE');
    await onboard((await newLink(accountId)).url, 'completed');
    expect(await gateway.readAccount(accountId)).toMatchObject({
      chargesEnabled: false,
      payoutsEnabled: true,
    });
    await hook('require', { account: accountId, requirement: 'individual.id_number', days: 14 });
    const soon = await gateway.readAccount(accountId);
    expect(soon).toMatchObject({ payoutsEnabled: true, requirements: ['individual.id_number'], pastDue: [] });
    expect(soon?.deadline?.getTime()).toBeGreaterThan(simulator.now().getTime() + 13 * 86_400_000);
    const requirement = 'individual.verification.document';
    await hook('require', { account: accountId, requirement, reason: 'The photo is blurred.' });
    expect(await gateway.readAccount(accountId)).toMatchObject({
      payoutsEnabled: false,
      pastDue: [requirement],
      problems: { [requirement]: 'The photo is blurred.' },
      deadline: null,
    });
    await onboard((await newLink(accountId)).url, 'completed');
    expect(await gateway.readAccount(accountId)).toMatchObject({ payoutsEnabled: true, requirements: [] });
  });
});

describe('transfers', () => {
  it('move money from the balance to a verified account, once a key', async () => {
    const accountId = await verified();
    await hook('top-up', { amountUsdCents: 5_000 });
    const order = { accountId, amountUsdCents: 1_234, transferGroup: 'w-1', idempotencyKey: 'w-1' };
    const first = await gateway.createTransfer(order);
    expect(await gateway.createTransfer(order)).toEqual(first);
    expect(await gateway.findTransfers('w-1')).toEqual([first]);
    const balance = await sdkFor(simulator).balance.retrieve();
    expect(balance.available[0]?.amount).toBe(5_000 - 1_234);
    const [movement] = (await sdkFor(simulator).balanceTransactions.list({ source: first.transferId })).data;
    expect(movement).toMatchObject({ type: 'transfer', amount: -1_234, fee: 0, net: -1_234 });
  });

  it('are refused for an unverified account, for want of money, and when a test says so', async () => {
    const unverified = await newAccount();
    const order = { amountUsdCents: 100, transferGroup: 'w-2' };
    await expect(
      gateway.createTransfer({ ...order, accountId: unverified.accountId, idempotencyKey: 'w-2a' }),
    ).rejects.toMatchObject({ reason: 'insufficient_capabilities_for_transfer' });
    const accountId = await verified();
    await expect(
      gateway.createTransfer({ ...order, accountId, amountUsdCents: 10_000_000, idempotencyKey: 'w-2b' }),
    ).rejects.toMatchObject({ reason: 'balance_insufficient' });
    await hook('fail-next-transfer', { how: 'insufficient' });
    await expect(
      gateway.createTransfer({ ...order, accountId, idempotencyKey: 'w-2c' }),
    ).rejects.toBeInstanceOf(TransferRefused);
    // The key keeps the refusal as its answer.
    await hook('top-up', { amountUsdCents: 1_000 });
    await expect(
      gateway.createTransfer({ ...order, accountId, idempotencyKey: 'w-2c' }),
    ).rejects.toBeInstanceOf(TransferRefused);
    expect(await gateway.findTransfers('w-2')).toEqual([]);
  });

  it('[FIN-13] may lose their answer before or after they are made; neither sounds like a refusal', async () => {
    const accountId = await verified();
    await hook('top-up', { amountUsdCents: 1_000 });
    for (const [how, made] of [
      ['lost-before', 0],
      ['lost-after', 1],
    ] as const) {
      await hook('fail-next-transfer', { how, times: 2 });
      const order = { accountId, amountUsdCents: 100, transferGroup: how, idempotencyKey: how };
      await expect(gateway.createTransfer(order)).rejects.toBeInstanceOf(PaymentGatewayUnavailable);
      expect(await gateway.findTransfers(how)).toHaveLength(made);
      // The same key returns the same transfer.
      const { transferId } = await gateway.createTransfer(order);
      expect((await gateway.findTransfers(how)).map((found) => found.transferId)).toEqual([transferId]);
    }
  });

  it('[FIN-13] a key is forgotten after a day: from then on only the look-up tells', async () => {
    const accountId = await verified();
    await hook('top-up', { amountUsdCents: 1_000 });
    const order = { accountId, amountUsdCents: 100, transferGroup: 'w-day', idempotencyKey: 'w-day' };
    const first = await gateway.createTransfer(order);
    await hook('forget-keys', {});
    expect((await gateway.createTransfer(order)).transferId).not.toBe(first.transferId);
    expect(await gateway.findTransfers('w-day')).toHaveLength(2);
  });

  it('can be taken back in parts, but no more than was sent', async () => {
    const accountId = await verified();
    await hook('top-up', { amountUsdCents: 1_000 });
    const order = { accountId, amountUsdCents: 1_000, transferGroup: 'w-3', idempotencyKey: 'w-3' };
    const { transferId } = await gateway.createTransfer(order);
    await hook('reverse-transfer', { transfer: transferId, amountUsdCents: 400 });
    await hook('reverse-transfer', { transfer: transferId });
    const transfer = await gateway.readTransfer(transferId);
    expect(transfer?.reversals.map(({ amountUsdCents }) => amountUsdCents)).toEqual([400, 600]);
    await expect(sdkFor(simulator).transfers.createReversal(transferId)).rejects.toThrow('greater than');
  });
});

describe('payouts to our bank', () => {
  it('[OPS-05] leave the balance at once, arrive as days pass, and may bounce', async () => {
    await hook('top-up', { amountUsdCents: 9_000 });
    const stripe = sdkFor(simulator);
    const before = (await stripe.balance.retrieve()).available[0]?.amount ?? 0;
    const { id } = await stripe.payouts.create({ amount: 7_000, currency: 'usd' });
    expect((await stripe.balance.retrieve()).available[0]?.amount).toBe(before - 7_000);
    expect((await gateway.readBankPayout(id))?.status).toBe('in transit');
    await simulator.advance(3);
    const arrived = await gateway.readBankPayout(id);
    expect(arrived).toMatchObject({ payoutId: id, amountUsdCents: 7_000, status: 'arrived' });
    expect(arrived?.arrivalAt.getTime()).toBeGreaterThan(arrived?.sentAt.getTime() as number);
    await hook('bounce-payout', { payout: id });
    expect(await gateway.listBankPayouts(new Date(0))).toMatchObject([
      { payoutId: id, amountUsdCents: 7_000, status: 'failed' },
    ]);
    expect((await stripe.balance.retrieve()).available[0]?.amount).toBe(before);
    const types = inbox.received.map(({ event }) => event.type).filter((type) => type.startsWith('payout.'));
    expect(types).toEqual(['payout.created', 'payout.paid', 'payout.failed']);
    await expect(stripe.payouts.create({ amount: 99_000_000, currency: 'usd' })).rejects.toMatchObject({
      code: 'balance_insufficient',
    });
  });

  it('[FIN-52] of another currency are none of the dollars that the books follow', async () => {
    const stripe = sdkFor(simulator);
    await hook('movement', { type: 'topup', amountUsdCents: 800, currency: 'eur' });
    const known = await gateway.listBankPayouts(new Date(0));
    const { id } = await stripe.payouts.create({ amount: 800, currency: 'eur' });
    expect(await gateway.readBankPayout(id)).toBeUndefined();
    expect(await gateway.listBankPayouts(new Date(0))).toEqual(known);
  });
});
