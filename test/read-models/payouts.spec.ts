import type { CreatorShare } from '../../domain/shared/share-policy.js';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { PostgresEventStore } from '../../adapters/platform/event-log/postgres-event-store.js';
import { PostgresRemarks } from '../../adapters/platform/database/postgres-remarks.js';
import { Projector } from '../../adapters/platform/projections/projector.js';
import { PostgresStoredBookQueries } from '../../adapters/ledger/proof/postgres-stored-books.js';
import { earnings, PostgresEarningsQueries } from '../../adapters/payouts/postgres-earnings.js';
import { journal } from '../../adapters/ledger/journal.js';
import { payouts, PostgresPayoutQueries } from '../../adapters/payouts/postgres-payouts.js';
import { approvals } from '../../adapters/approvals/approval-rows.js';
import { RequestApprovalHandler } from '../../application/approvals/decide-on-request.js';
import { Approvals } from '../../application/approvals/approvals.js';
import { WriteOffDebtHandler, WriteOffDebts } from '../../application/payouts/write-off-debt.js';
import type { Statement } from '../../application/payouts/contract.js';
import type { RecordedEvent } from '../../application/shared/event-store.js';
import { Streams } from '../../application/shared/streams.js';
import { limitsDecider } from '../../domain/approvals/limits-set.js';
import { payoutDecider, availableMicroUsd, type PayoutCommand } from '../../domain/payouts/payouts.js';
import { releasedBefore } from '../../domain/payouts/policy.js';
import { FIRST_LIMITS } from '../../domain/shared/limits.js';
import { TestClock } from '../support/app.js';
import { breaksBooks } from '../support/invariants.js';
import { startTestDatabase, type TestDatabase } from '../support/postgres.js';
import { busTo } from '../support/command-bus.js';
import type { Projection } from '../../adapters/platform/projections/projection.js';

const DAY_MS = 86_400_000;
const metadata = { actor: 'test', correlationId: 'test' };

let test: TestDatabase;
let store: PostgresEventStore;
let projector: Projector;
let streams: Streams;
const clock = new TestClock();
beforeAll(async () => {
  test = await startTestDatabase();
  breaksBooks(test.database, 'shares come from sales that took no credits');
  store = new PostgresEventStore(test.database, clock, [payouts, approvals]);
  projector = new Projector(test.database, store);
  streams = new Streams(store);
});
afterAll(() => test?.close());

let creators = 0;
let creatorId: string;
beforeEach(() => {
  creators += 1;
  creatorId = `creator-${creators}`;
});

const purchase = (name: string, shareMicroUsd: number, priceCredits = 1_000) => ({
  creatorId,
  purchaseId: `${creatorId}-${name}`,
  sampleId: name,
  buyerId: 'ada',
  priceCredits,
  shareMicroUsd,
});
async function happens(
  type: 'SamplePurchased' | 'PurchaseReturned',
  name: string,
  shareMicroUsd: number,
  priceCredits?: number,
  shares?: readonly CreatorShare[],
) {
  const stream = `purchase-${creatorId}.${name}`;
  const expectedVersion = type === 'SamplePurchased' ? 0 : 1;
  const events = [
    { type, data: { ...purchase(name, shareMicroUsd, priceCredits), ...(shares && { shares }) } },
  ];
  await store.append([{ stream, expectedVersion, events }], metadata);
  while ((await projector.advance(earnings)) === 'behind');
}
const sold = (name: string, shareMicroUsd: number) => happens('SamplePurchased', name, shareMicroUsd);
const returned = (name: string, shareMicroUsd: number) => happens('PurchaseReturned', name, shareMicroUsd);
const sums = () => new PostgresEarningsQueries(test.database).sums(creatorId, releasedBefore(clock.now()));
const reader = () => new PostgresPayoutQueries(test.database, streams);
const execute = (command: PayoutCommand) => streams.execute(payoutDecider, creatorId, command, metadata);
const now = () => clock.now().toISOString();
async function withdraw(withdrawalId: string, amountUsdCents: number) {
  const account = { accountId: 'acct_1', payoutsEnabled: true };
  return execute({
    type: 'RequestWithdrawal',
    creatorId,
    withdrawalId,
    account,
    amountUsdCents,
    earned: await sums(),
    now: now(),
  });
}
async function paid(withdrawalId: string, amountUsdCents: number) {
  expect((await withdraw(withdrawalId, amountUsdCents)).accepted).toBe(true);
  const transferId = `tr_${withdrawalId}`;
  await execute({ type: 'RecordTransfer', withdrawalId, transferId, amountUsdCents, now: now() });
}
const amounts = async (withdrawalId: string) =>
  (await reader().statement(creatorId, withdrawalId))?.lines.map(({ kind, sampleId, amountMicroUsd }) => [
    sampleId ?? kind,
    amountMicroUsd,
  ]);

describe('earnings', () => {
  it('[PAY-07] a share is held 14 days from its sale', async () => {
    await sold('old', 6_000_000);
    clock.advance(14 * DAY_MS - 1);
    await sold('new', 4_000_000);
    expect(await sums()).toMatchObject({
      releasedMicroUsd: 0,
      heldMicroUsd: 10_000_000,
      reversedMicroUsd: 0,
    });
    clock.advance(1);
    expect(await sums()).toMatchObject({
      releasedMicroUsd: 6_000_000,
      heldMicroUsd: 4_000_000,
      reversedMicroUsd: 0,
      lastHeldAt: new Date(clock.now().getTime() - 1),
    });
  });

  it('a sale undone in its hold was never there; one undone later is taken back', async () => {
    await sold('kept', 6_000_000);
    await sold('undone', 4_000_000);
    await returned('undone', 4_000_000);
    expect(await sums()).toMatchObject({ releasedMicroUsd: 0, heldMicroUsd: 6_000_000, reversedMicroUsd: 0 });
    clock.advance(14 * DAY_MS);
    await returned('kept', 6_000_000);
    expect(await sums()).toMatchObject({
      releasedMicroUsd: 10_000_000,
      heldMicroUsd: 0,
      reversedMicroUsd: 10_000_000,
    });
  });
});

it('[SPLIT-702] each creator of a shared sale has its own hold, release and reversal', async () => {
  const otto = `otto of ${creatorId}`;
  const sumsOfOtto = () => new PostgresEarningsQueries(test.database).sums(otto, releasedBefore(clock.now()));
  const shares = (own: number, others: number) => [
    { creatorId, bps: 7_500, shareMicroUsd: own },
    { creatorId: otto, bps: 2_500, shareMicroUsd: others },
  ];
  await happens('SamplePurchased', 'shared', 8_000_000, 1_000, shares(6_000_000, 2_000_000));
  expect(await sums()).toMatchObject({ heldMicroUsd: 6_000_000 });
  expect(await sumsOfOtto()).toMatchObject({ heldMicroUsd: 2_000_000 });
  clock.advance(14 * DAY_MS);
  // A part of the shares was taken back by a lost dispute before, so less goes back now.
  await happens('PurchaseReturned', 'shared', 7_000_000, 1_000, shares(5_500_000, 1_500_000));
  expect(await sums()).toMatchObject({ releasedMicroUsd: 6_000_000, reversedMicroUsd: 5_500_000 });
  expect(await sumsOfOtto()).toMatchObject({ releasedMicroUsd: 2_000_000, reversedMicroUsd: 1_500_000 });
  await happens('SamplePurchased', 'gold', 150_000, 1, shares(75_000, 75_000));
  clock.advance(14 * DAY_MS);
  expect(await sumsOfOtto()).toMatchObject({ inDoubtMicroUsd: 75_000 });
});

describe('a share that was sold for more than credits cost', () => {
  it('[ADM-37] is in doubt once its hold is over, until the sale is undone', async () => {
    await happens('SamplePurchased', 'gold', 60_000_000, 1);
    await happens('SamplePurchased', 'dearest', 5_994_000, 50);
    expect(await sums()).toMatchObject({ inDoubtMicroUsd: 0 });
    clock.advance(14 * DAY_MS);
    expect(await sums()).toMatchObject({ releasedMicroUsd: 65_994_000, inDoubtMicroUsd: 60_000_000 });
    expect((await withdraw(`${creatorId}-w`, 1_000)).accepted).toBe(false);
    await returned('gold', 60_000_000);
    expect(await sums()).toMatchObject({ inDoubtMicroUsd: 0 });
  });
});

describe('a share whose payment was disputed', () => {
  it('is taken back and gives no credits back', async () => {
    await sold('kept', 6_000_000);
    const events = [
      {
        type: 'ShareTakenBack',
        data: {
          userId: 'ada',
          lotId: 'lot',
          disputeId: 'dp_1',
          creatorId,
          purchaseId: `${creatorId}-kept`,
          sampleId: 'kept',
          shareMicroUsd: 6_000_000,
        },
      },
    ];
    await store.append([{ stream: `credits-of-${creatorId}`, expectedVersion: 0, events }], metadata);
    while ((await projector.advance(earnings)) === 'behind');
    expect(await sums()).toMatchObject({ heldMicroUsd: 0, reversedMicroUsd: 0 });
    clock.advance(14 * DAY_MS);
    expect(await sums()).toMatchObject({ releasedMicroUsd: 6_000_000, reversedMicroUsd: 6_000_000 });
    const { rows } = await test.database.pool.query(
      'select sum(credits_used)::int as credits from earning where creator_id = $1',
      [creatorId],
    );
    expect(rows).toEqual([{ credits: 1_000 }]);
  });
});

describe('statements', () => {
  it('[PAY-09] follow the sales from payout to payout, cutting them to the micro-dollar', async () => {
    for (const name of ['a', 'b', 'c']) await sold(name, 9_999_999);
    clock.advance(14 * DAY_MS);
    await paid(`${creatorId}-1`, 1_500);
    await paid(`${creatorId}-2`, 1_499);
    expect(await amounts(`${creatorId}-1`)).toEqual([
      ['a', 9_999_999],
      ['b', 5_000_001],
    ]);
    expect(await amounts(`${creatorId}-2`)).toEqual([
      ['b', 4_999_998],
      ['c', 9_990_002],
    ]);
  });

  it('[PAY-09, PAY-503] never change; what comes back is a line of the next one, also when that comes back', async () => {
    for (const name of ['a', 'b', 'c']) await sold(name, 9_999_999);
    clock.advance(14 * DAY_MS);
    const [first, second, third] = [1, 2, 3].map((n) => `${creatorId}-${n}`) as [string, string, string];
    const reversal = async (withdrawalId: string, reversalId: string, amountUsdCents: number) =>
      execute({ type: 'RecordReversal', withdrawalId, reversalId, amountUsdCents, now: now() });
    const issued = async (withdrawalId: string) => {
      const { lines, amountMicroUsd } = (await reader().statement(creatorId, withdrawalId)) as Statement;
      expect(lines.reduce((sum, line) => sum + line.amountMicroUsd, 0)).toBe(amountMicroUsd);
      return { lines, amountMicroUsd };
    };
    await paid(first, 1_500);
    const firstIssued = await issued(first);
    await reversal(first, 'trr_part', 300);
    await reversal(first, 'trr_more', 400);
    expect(await issued(first)).toEqual(firstIssued);
    expect(await reader().find(creatorId, first)).toMatchObject({
      status: 'partly_reversed',
      reversedUsdCents: 700,
    });
    await paid(second, 1_200);
    expect(await amounts(second)).toEqual([
      ['b', 4_999_998],
      ['c', 2],
      ['payout_reversal', 4_000_000],
      ['payout_reversal', 3_000_000],
    ]);
    const secondIssued = await issued(second);
    expect(secondIssued.lines.map(({ reversalId }) => reversalId)).toEqual([
      null,
      null,
      'trr_more',
      'trr_part',
    ]);
    expect(secondIssued.lines.at(-1)).toMatchObject({ reversedPayoutId: first, reversedPayoutAt: now() });
    await reversal(first, 'trr_rest', 800);
    await reversal(second, 'trr_second', 1_200);
    expect(await issued(first)).toEqual(firstIssued);
    expect(await issued(second)).toEqual(secondIssued);
    expect((await reader().list(creatorId, { limit: 9 })).items.map(({ status }) => status)).toEqual([
      'reversed',
      'reversed',
    ]);
    await paid(third, 2_100);
    expect(await amounts(third)).toEqual([
      ['c', 1_000_000],
      ['payout_reversal', 8_000_000],
      ['payout_reversal', 12_000_000],
    ]);
    await projector.rebuild(payouts);
    expect(await issued(first)).toEqual(firstIssued);
    expect(await issued(second)).toEqual(secondIssued);
    await issued(third);
  });

  it('[PAY-08, PAY-09] a creator below zero is paid again once recovered; the statement shows what was made up for', async () => {
    await sold('a', 12_000_000);
    clock.advance(14 * DAY_MS);
    await paid(`${creatorId}-1`, 1_200);
    await returned('a', 12_000_000);
    const below = { code: 'InsufficientEarnings', availableMicroUsd: -12_000_000 };
    expect(await withdraw(`${creatorId}-2`, 1_000)).toMatchObject({ accepted: false, rejection: below });
    await sold('b', 21_000_000);
    clock.advance(14 * DAY_MS);
    expect((await withdraw(`${creatorId}-2`, 1_000)).accepted).toBe(false);
    await sold('c', 1_000_000);
    clock.advance(14 * DAY_MS);
    await paid(`${creatorId}-2`, 1_000);
    expect(await amounts(`${creatorId}-2`)).toEqual([
      ['b', 21_000_000],
      ['c', 1_000_000],
      ['reversal', -12_000_000],
    ]);
  });

  it('list newest first, page by page, each creator’s own', async () => {
    await sold('a', 90_000_000);
    clock.advance(14 * DAY_MS);
    for (const n of [1, 2, 3]) {
      clock.advance(1_000);
      await paid(`${creatorId}-${n}`, 1_000 + n);
    }
    const first = await reader().list(creatorId, { limit: 2 });
    expect(first.items.map(({ amountUsdCents }) => amountUsdCents)).toEqual([1_003, 1_002]);
    const rest = await reader().list(creatorId, { limit: 2, cursor: first.nextCursor as string });
    expect(rest).toMatchObject({ items: [{ amountUsdCents: 1_001, status: 'paid' }], nextCursor: null });
    expect((await reader().list('somebody', { limit: 2 })).items).toEqual([]);
    expect(await reader().statement('somebody', `${creatorId}-1`)).toBeUndefined();
  });
});

describe('the rows', () => {
  it('are the same when every event is applied twice, and when they are rebuilt', async () => {
    await sold('a', 50_000_000);
    clock.advance(14 * DAY_MS);
    await paid(`${creatorId}-1`, 1_000);
    const reversal = { withdrawalId: `${creatorId}-1`, reversalId: 'trr_1', amountUsdCents: 300 };
    await execute({ type: 'RecordReversal', ...reversal, now: now() });
    await withdraw(`${creatorId}-2`, 1_000);
    await execute({ type: 'RecordLostAnswer', withdrawalId: `${creatorId}-2`, now: now() });
    expect(await reader().unsettled(10)).toEqual([{ creatorId, withdrawalId: `${creatorId}-2` }]);
    const rows = async () =>
      JSON.stringify([
        (await test.database.pool.query('select * from payout order by withdrawal_id')).rows,
        (await test.database.pool.query('select * from earning order by position')).rows,
      ]);
    const before = await rows();
    const all: RecordedEvent[] = await store.readAll({ after: 0, limit: 1_000 });
    await test.database.transaction(async (client) => {
      for (const projection of [payouts, earnings] as Projection[])
        await projection.apply(
          client,
          all.filter(({ type }) => projection.types.includes(type)),
        );
    });
    expect(await rows()).toBe(before);
    for (const projection of [payouts, earnings] as Projection[]) {
      expect(await projector.drift(projection)).toEqual([{ table: projection.tables[0], rows: 0 }]);
      await projector.rebuild(projection);
    }
    expect(await rows()).toBe(before);
    expect(await reader().inFlight(creatorId)).toMatchObject({ status: 'unknown' });
  });

  it('[PAY-03] the database too keeps a second one from being in flight', async () => {
    const insert = (id: string) =>
      test.database.pool.query(
        `insert into payout (withdrawal_id, creator_id, version, account_id, amount_usd_cents, spans, deducted_micro_usd, status, requested_at)
         values ($1, $2, 1, 'acct_1', 1000, '[]', 0, 'requested', now())`,
        [id, creatorId],
      );
    await insert(`${creatorId}-x`);
    await expect(insert(`${creatorId}-y`)).rejects.toThrow('duplicate key');
  });
});

describe('a debt', () => {
  const writeOffs = () =>
    new WriteOffDebts(
      busTo(
        new WriteOffDebtHandler(streams),
        new RequestApprovalHandler(
          new Approvals(streams, undefined as never, new PostgresRemarks(test.database, clock), clock),
        ),
      ),
      new PostgresEarningsQueries(test.database),
      streams,
      clock,
    );
  const booked = async (account: string): Promise<number> => {
    while ((await projector.advance(journal)) === 'behind');
    const { rows } = await test.database.pool.query(
      'select coalesce(sum(delta), 0)::bigint as balance from journal_line where account = $1',
      [account],
    );
    return (rows[0] as { balance: number }).balance;
  };
  const own = () => booked(`creator:${creatorId}`);

  it('[FIN-11] of half a year is written off, once, to the losses; a younger one stays', async () => {
    await sold('liked', 20_000_000);
    clock.advance(14 * DAY_MS);
    await paid(`${creatorId}-w`, 2_000);
    await returned('liked', 20_000_000);
    expect(await own()).toBe(20_000_000);
    clock.advance(100 * DAY_MS);
    // The debt is zero for a moment, so its age starts again with the next returned sale.
    await sold('more', 25_000_000);
    clock.advance(14 * DAY_MS);
    await returned('more', 25_000_000);
    const losses = await booked('creator-losses');
    clock.advance(180 * DAY_MS);
    expect(await own()).toBe(20_000_000);
    await writeOffs().run();
    expect(await own()).toBe(20_000_000);
    clock.advance(1);
    await Promise.all([writeOffs().run(), writeOffs().run()]);
    expect(await own()).toBe(0);
    expect((await booked('creator-losses')) - losses).toBe(20_000_000);
    const state = await streams.load(payoutDecider, creatorId);
    expect(availableMicroUsd(state, await sums())).toBe(0);
    const breaches = await new PostgresStoredBookQueries(test.database, projector, []).eventBreaches(
      clock.now(),
      0,
    );
    expect(breaches.filter(({ invariant }) => invariant === 13)).toEqual([]);
  });

  it('[ADM-33] above 20 USD waits for a second person, asked for once a month', async () => {
    await sold('liked', 20_010_000);
    clock.advance(14 * DAY_MS);
    await paid(`${creatorId}-w`, 2_001);
    await returned('liked', 20_010_000);
    expect(await own()).toBe(20_010_000);
    clock.advance(181 * DAY_MS);
    await Promise.all([writeOffs().run(), writeOffs().run()]);
    await writeOffs().run();
    const waiting = async () =>
      (
        await test.database.pool.query(
          `select approval_id as "approvalId", work, requested_by as by from approval where beneficiary_id = $1`,
          [creatorId],
        )
      ).rows;
    const [asked, ...others] = await waiting();
    expect(others).toEqual([]);
    expect(asked).toMatchObject({
      by: 'system:write-off',
      work: { kind: 'write-off', creatorId, amountMicroUsd: 20_010_000 },
    });
    expect(await own()).toBe(20_010_000);
    const { approvalId } = asked as { approvalId: string };
    const consent = { approvalId, approvedBy: 'pia', mostMicroUsd: 20_010_000 };
    await writeOffs().writeOff(creatorId, consent);
    await writeOffs().writeOff(creatorId, consent);
    expect(await own()).toBe(0);
    await writeOffs().run();
    expect(await waiting()).toHaveLength(1);
  });

  it('[ADM-43] is checked against the limit in force when it is written off', async () => {
    await sold('liked', 20_010_000);
    clock.advance(14 * DAY_MS);
    await paid(`${creatorId}-w`, 2_001);
    await returned('liked', 20_010_000);
    expect(await own()).toBe(20_010_000);
    clock.advance(181 * DAY_MS);
    const limits = { ...FIRST_LIMITS, writeOffMicroUsd: 20_010_000 };
    const change = { approvalId: 'more', limits, by: 'pia', approvedBy: 'quinn', reason: '', now: now() };
    await streams.execute(limitsDecider, undefined, { type: 'ChangeLimits', ...change }, metadata);
    await writeOffs().run();
    expect(await own()).toBe(0);
    const asked = `select from approval where beneficiary_id = $1`;
    expect((await test.database.pool.query(asked, [creatorId])).rowCount).toBe(0);
  });
});
