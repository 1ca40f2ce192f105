import { afterAll, expect, it } from '@jest/globals';
import type { StripeSimulator } from '../../simulators/stripe/server.js';
import type { PayoutAccounts } from '../../application/payouts/payout-accounts.js';
import { RecordSettlementHandler } from '../../application/payouts/record-settlement.js';
import { PayoutSweep } from '../../application/payouts/payout-sweep.js';
import { SettleWithdrawal } from '../../application/payouts/settle-withdrawal.js';
import { TransferFacts } from '../../application/payouts/transfer-facts.js';
import { SystemClock } from '../../application/shared/clock.js';
import { PaymentGatewayUnavailable } from '../../application/payments/payment-gateway.js';
import type { PayoutGateway } from '../../application/payments/payout-gateway.js';
import { Streams } from '../../application/shared/streams.js';
import {
  payoutDecider,
  availableMicroUsd,
  transferGroupOf,
  withdrawalOf,
  type PayoutEvent,
} from '../../domain/payouts/payouts.js';
import { randomFrom } from '../../domain/shared/seeded-random.js';
import { InMemoryEventStore } from '../support/in-memory-event-store.js';
import { Crash, CrashingEventStore, LateGateway, PayoutsInLog } from '../support/payout-memory.js';
import { SEED, sizeOf } from '../support/sizes.js';
import { onboard, payoutGatewayFor, startStripeSimulator, WEBHOOK_SECRET } from '../support/stripe.js';
import { busTo } from '../support/command-bus.js';

const RUNS = sizeOf('TRANSFER_RUNS');
// The simulator is faster with fewer objects.
const RUNS_A_SIMULATOR = 10;
// Each lane has its own simulator, because a run mostly waits for the SDK to retry a broken connection.
const LANES = 10;
const EARNED = { releasedMicroUsd: 200_000_000, reversedMicroUsd: 0 };
const CAUSE = { actor: 'system:test' };

const simulators = new Set<StripeSimulator>();
afterAll(() => Promise.all([...simulators].map((simulator) => simulator.close())));

type TestHook = (name: string, fields: object) => Promise<void>;
const leversOf =
  (simulator: StripeSimulator): TestHook =>
  async (name, fields) => {
    const answer = await fetch(`${simulator.url}/_test/${name}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(fields),
    });
    if (!answer.ok) throw new Error(`${name}: ${await answer.text()}`);
  };

async function newAccount(gateway: PayoutGateway, creatorId: string): Promise<string> {
  const account = {
    creatorId,
    email: 'junie@example.com',
    country: 'US',
    isAbroad: false,
    idempotencyKey: creatorId,
  };
  const { accountId } = await gateway.createAccount(account);
  const back = 'http://127.0.0.1:9/';
  const { url } = await gateway.openOnboarding({ accountId, returnUrl: back, refreshUrl: back });
  await onboard(url, 'completed');
  return accountId;
}

/** Ignores failures that a further attempt of the worker should correct. Other failures fail the test. */
async function survive(work: Promise<unknown>): Promise<void> {
  await work.catch((error: unknown) => {
    if (!(error instanceof PaymentGatewayUnavailable) && !(error instanceof Crash)) throw error;
  });
}

interface Counts {
  withdrawals: number;
  paid: number;
  failed: number;
  lost: number;
  reversed: number;
  busy: number;
  left: number;
}

/** Runs one creator with up to four withdrawals and every kind of fault. */
async function run(name: string, real: PayoutGateway, hook: TestHook, counts: Counts): Promise<void> {
  const random = randomFrom(name);
  const below = (count: number): number => Math.floor(random() * count);
  const oneIn = (count: number): boolean => below(count) === 0;
  const log = new InMemoryEventStore();
  const events = new CrashingEventStore(log);
  const gateway = new LateGateway(real);
  const streams = new Streams(events);
  const commands = busTo((bus) => new RecordSettlementHandler(streams, bus));
  const clock = new SystemClock();
  const payouts = new PayoutsInLog(log);
  const settle = new SettleWithdrawal(streams, commands, gateway, clock);
  const facts = new TransferFacts(gateway, commands, payouts, undefined as unknown as PayoutAccounts, clock);
  const sweep = new PayoutSweep(gateway, payouts, settle, facts, clock);
  const creatorId = name.replaceAll(/\W/g, '-');
  const account = { accountId: await newAccount(real, creatorId), payoutsEnabled: true };

  for (let w = 0; w < 1 + below(4); w += 1) {
    const withdrawalId = `${creatorId}-${w}`;
    const requested = await streams.execute(
      payoutDecider,
      creatorId,
      {
        type: 'RequestWithdrawal',
        creatorId,
        withdrawalId,
        account,
        amountUsdCents: 1_000 + below(2_000),
        earned: EARNED,
        now: clock.now().toISOString(),
      },
      { ...CAUSE, correlationId: withdrawalId },
    );
    if (!requested.accepted) throw new Error(requested.rejection.code);
    for (let attempt = 0; attempt < 1 + below(5); attempt += 1) {
      const fault = below(9);
      if (fault < 2)
        await hook('fail-next-transfer', { how: fault ? 'lost-before' : 'lost-after', times: 2 });
      if (fault === 2) gateway.lateNext = true;
      if (fault === 3) events.crashNext = true;
      if (fault === 4 && oneIn(3)) await hook('fail-next-transfer', { how: 'insufficient', times: 1 });
      // A day passes and the provider forgets its keys. No order takes that long.
      if (fault === 5 && !gateway.waiting) await hook('forget-keys', {});
      if (fault === 6) await gateway.arrive();
      // Too many calls, or a lock on the account: for a moment, or for longer than our retries last.
      const busy = fault === 7 ? (oneIn(8) ? 100 : 1 + below(3)) : 0;
      if (busy) {
        const code = oneIn(2) ? 'rate_limit' : 'lock_timeout';
        await hook('refuse', { times: busy, code, path: '/v1/transfers' });
        counts[busy === 100 ? 'left' : 'busy'] += 1;
      }
      const workers = oneIn(4) ? 2 : 1;
      await Promise.all(
        Array.from({ length: workers }, () => survive(settle.settle(creatorId, withdrawalId, CAUSE))),
      );
      events.crashNext = false;
      if (busy) await hook('refuse', { times: 0 });
      if (fault < 2 || fault === 4) await hook('fail-next-transfer', { how: 'insufficient', times: 0 });
      // A webhook arrives late, twice or never.
      for (const transfer of oneIn(3) ? await real.findTransfers(transferGroupOf(withdrawalId)) : []) {
        await facts.record(transfer, CAUSE);
        if (oneIn(2)) await facts.record(transfer, CAUSE);
      }
    }
    gateway.lateNext = false;
    await gateway.arrive();
    await sweep.run();
    const [transfer] = await real.findTransfers(transferGroupOf(withdrawalId));
    if (transfer && oneIn(4)) {
      const part = oneIn(2) ? { amountUsdCents: 1 + below(transfer.amountUsdCents) } : {};
      await hook('reverse-transfer', { transfer: transfer.transferId, ...part });
      const now = await real.readTransfer(transfer.transferId);
      if (now && oneIn(2)) await facts.record(now, CAUSE);
    }
  }
  await sweep.run();
  await sweep.run();
  await check(name, creatorId, log, real, streams, counts);
}

/** Compares the provider's transfers with the log. */
async function check(
  name: string,
  creatorId: string,
  log: InMemoryEventStore,
  gateway: PayoutGateway,
  streams: Streams,
  counts: Counts,
): Promise<void> {
  const payouts = await streams.load(payoutDecider, creatorId);
  let sentCents = 0;
  for (const { withdrawalId, status, amountUsdCents, transferId, reversedUsdCents } of payouts.withdrawals) {
    const transfers = await gateway.findTransfers(transferGroupOf(withdrawalId));
    expect(transfers.every(({ transferGroup }) => withdrawalOf(transferGroup) === withdrawalId)).toBe(true);
    const back = transfers
      .flatMap(({ reversals }) => reversals)
      .reduce((sum, { amountUsdCents: cents }) => sum + cents, 0);
    expect({
      name,
      status,
      transfers: transfers.map((one) => [one.transferId, one.amountUsdCents]),
      back,
    }).toEqual({
      name,
      status: status === 'failed' ? 'failed' : 'paid',
      transfers: status === 'failed' ? [] : [[transferId, amountUsdCents]],
      back: reversedUsdCents,
    });
    sentCents += status === 'paid' ? amountUsdCents - back : 0;
    counts.withdrawals += 1;
    counts[status as 'paid' | 'failed'] += 1;
  }
  expect(availableMicroUsd(payouts, EARNED)).toBe(EARNED.releasedMicroUsd - sentCents * 10_000);
  const told = log.events as unknown as PayoutEvent[];
  // Only a refusal fails a withdrawal; a busy or silent provider has not refused it.
  const reasons = told.flatMap((event) => (event.type === 'WithdrawalFailed' ? [event.data.reason] : []));
  expect(reasons).toEqual(reasons.map(() => 'balance_insufficient'));
  const types = told.map(({ type }) => type);
  counts.lost += types.filter((type) => type === 'TransferAnswerLost').length;
  counts.reversed += types.filter((type) => type === 'TransferReversed').length;
}

it(`[FIN-13, FIN-59] ${RUNS} seeded histories of lost answers, of a provider that is busy, crashes and reversals: never two transfers, never a lost one (seed ${SEED})`, async () => {
  const counts: Counts = { withdrawals: 0, paid: 0, failed: 0, lost: 0, reversed: 0, busy: 0, left: 0 };
  let next = 0;
  const lane = async (): Promise<void> => {
    while (next < RUNS) {
      const simulator = await startStripeSimulator({ webhookSecret: WEBHOOK_SECRET });
      simulators.add(simulator);
      const [hook, gateway] = [leversOf(simulator), payoutGatewayFor(simulator)];
      await hook('top-up', { amountUsdCents: 100_000_000 });
      for (let done = 0; done < RUNS_A_SIMULATOR && next < RUNS; done += 1) {
        const n = next;
        next += 1;
        await run(`${SEED}.${n}`, gateway, hook, counts);
      }
      await simulator.close();
      simulators.delete(simulator);
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  // Every kind of fault occurred.
  if (RUNS >= 100) for (const count of Object.values(counts)) expect(count).toBeGreaterThan(0);
});
