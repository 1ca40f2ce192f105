import { describe, expect, it } from '@jest/globals';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { PayoutAccounts } from '../../application/payouts/payout-accounts.js';
import { DecideAlertHandler } from '../../application/alerts/decide-alert.js';
import { RecordSettlementHandler } from '../../application/payouts/record-settlement.js';
import { PayoutSweep } from '../../application/payouts/payout-sweep.js';
import { SettleWithdrawal } from '../../application/payouts/settle-withdrawal.js';
import { TransferFacts } from '../../application/payouts/transfer-facts.js';
import { SystemClock } from '../../application/shared/clock.js';
import type { RecordedEvent, Reactor } from '../../application/shared/event-store.js';
import {
  PaymentGatewayUnavailable,
  type PaidInvoice,
  type PaymentGateway,
} from '../../application/payments/payment-gateway.js';
import type { PaymentRecords } from '../../application/payments/payment-records.js';
import type { PayoutGateway, Transfer } from '../../application/payments/payout-gateway.js';
import { forEachCollectingErrors } from '../../application/shared/for-each-collecting-errors.js';
import { SettleInvoice } from '../../application/payments/settle-invoice.js';
import { FollowSubscription, PaymentSweep } from '../../application/subscriptions/follow-subscription.js';
import { Streams } from '../../application/shared/streams.js';
import { payoutDecider, transferGroupOf } from '../../domain/payouts/payouts.js';
import { InMemoryEventStore } from '../support/in-memory-event-store.js';
import { PayoutsInLog } from '../support/payout-memory.js';
import { busTo } from '../support/command-bus.js';

const clock = new SystemClock();
const CAUSE = { actor: 'test', correlationId: 'test' };

const transferFor = (withdrawalId: string, amountUsdCents: number): Transfer => ({
  transferId: `tr_${withdrawalId}`,
  transferGroup: transferGroupOf(withdrawalId),
  accountId: 'acct_1',
  amountUsdCents,
  createdAt: clock.now(),
  reversals: [],
});

/** `w-bad` is a withdrawal of 10 USD, for which the provider has a transfer of 99 USD. */
async function payouts(down = false) {
  const log = new InMemoryEventStore();
  const streams = new Streams(log);
  const commands = busTo(
    (bus) => new RecordSettlementHandler(streams, bus),
    new DecideAlertHandler(streams, clock),
  );
  for (const name of ['bad', 'good'])
    await streams.execute(
      payoutDecider,
      name,
      {
        type: 'RequestWithdrawal',
        creatorId: name,
        withdrawalId: `w-${name}`,
        account: { accountId: 'acct_1', payoutsEnabled: true },
        amountUsdCents: 1_000,
        earned: { releasedMicroUsd: 10_000_000, reversedMicroUsd: 0 },
        now: clock.now().toISOString(),
      },
      CAUSE,
    );
  const gateway = {
    findTransfers: async (group: string) => {
      if (down) throw new PaymentGatewayUnavailable('down');
      return group === transferGroupOf('w-bad') ? [transferFor('w-bad', 9_900)] : [];
    },
    createTransfer: async ({
      transferGroup,
      amountUsdCents,
    }: {
      transferGroup: string;
      amountUsdCents: number;
    }) => transferFor(transferGroup.replace(transferGroupOf(''), ''), amountUsdCents),
    listReversedTransfers: async () => [
      {
        ...transferFor('w-good', 1_000),
        reversals: [{ reversalId: 'trr_1', amountUsdCents: 100, createdAt: clock.now() }],
      },
    ],
  } as unknown as PayoutGateway;
  const reader = new PayoutsInLog(log);
  const settle = new SettleWithdrawal(streams, commands, gateway, clock);
  const facts = new TransferFacts(gateway, commands, reader, undefined as unknown as PayoutAccounts, clock);
  const sweep = new PayoutSweep(gateway, reader, settle, facts, clock);
  return { log, settle, sweep };
}

describe('a transfer that contradicts its withdrawal', () => {
  it('[FIN-54] is told once, and keeps no other creator from being paid, nor what came back from being recorded', async () => {
    const { log, sweep } = await payouts();
    await sweep.run();
    await sweep.run();
    expect(log.events.filter(({ stream }) => stream.startsWith('alert-'))).toMatchObject([
      {
        type: 'AlertRaised',
        data: { key: 'withdrawal-w-bad', text: expect.stringContaining('tr_w-bad is over 99.00 USD') },
      },
    ]);
    expect(log.events.filter(({ stream }) => stream === 'payouts-good').map(({ type }) => type)).toEqual([
      'WithdrawalRequested',
      'TransferCreated',
      'TransferReversed',
    ]);
  });
});

describe('a withdrawal without an answer', () => {
  it('holds up the withdrawals behind it for minutes only: then it is the sweep that comes back to it', async () => {
    const { log, settle } = await payouts(true);
    const reactor: Reactor = settle;
    const [event] = log.events as [RecordedEvent];
    const minutesAgo = new Date(Date.now() - 3 * 60_000);
    await expect(reactor.handle({ ...event, recordedAt: clock.now() })).rejects.toThrow('down');
    await expect(reactor.handle({ ...event, recordedAt: minutesAgo })).resolves.toBeUndefined();
  });
});

it('[CRED-05] an invoice or a subscription that fails keeps no other waiting, and is tried again', async () => {
  const settled: string[] = [];
  const compared: string[] = [];
  let forgotten = false;
  const fails = (id: string): void => {
    if (id.startsWith('bad')) throw new Error(`${id} fails`);
  };
  const invoices = ['bad-1', 'in-2', 'in-3'].map((invoiceId) => ({ invoiceId }) as PaidInvoice);
  const gateway = { listPaidInvoices: async () => invoices } as unknown as PaymentGateway;
  const records = {
    settledAmong: async () => new Set(),
    leastRecentlyChecked: async () => [
      { userId: 'ada', subscriptionId: 'bad-sub' },
      { userId: 'bo', subscriptionId: 'sub' },
    ],
    markChecked: async (userId: string) => void compared.push(userId),
    forgetEvents: async () => void (forgotten = true),
  } as unknown as PaymentRecords;
  @CommandHandler(SettleInvoice)
  class Settle implements ICommandHandler<SettleInvoice> {
    async execute({ invoice: { invoiceId } }: SettleInvoice) {
      fails(invoiceId);
      settled.push(invoiceId);
      return { accepted: true as const };
    }
  }
  @CommandHandler(FollowSubscription)
  class Follow implements ICommandHandler<FollowSubscription> {
    execute = async ({ subscriptionId }: FollowSubscription) => fails(subscriptionId);
  }
  const commands = busTo(new Settle(), new Follow());
  await expect(new PaymentSweep(gateway, records, commands, clock).run()).rejects.toThrow('bad');
  expect({ settled, compared, forgotten }).toEqual({
    settled: ['in-2', 'in-3'],
    compared: ['bo'],
    forgotten: true,
  });
});

it('goes on only while the payment provider answers', async () => {
  const tried: number[] = [];
  const silent = forEachCollectingErrors([1, 2, 3], async (item) => {
    tried.push(item);
    if (item === 2) throw new PaymentGatewayUnavailable('no answer');
  });
  await expect(silent).rejects.toThrow('no answer');
  expect(tried).toEqual([1, 2]);
});
