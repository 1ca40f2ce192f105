import type { Payout, Statement, Statements } from '../../application/payouts/contract.js';
import { PayoutQueries } from '../../application/payouts/queries.js';
import {
  EventStore,
  type AnyEvent,
  type NewEvent,
  type Recorded,
  type RecordedEvent,
} from '../../application/shared/event-store.js';
import { PaymentGatewayUnavailable } from '../../application/payments/payment-gateway.js';
import { PayoutGateway, type Transfer } from '../../application/payments/payout-gateway.js';
import type { PayoutEvent, SettlementEvent } from '../../domain/payouts/payouts.js';
import type { InMemoryEventStore } from './in-memory-event-store.js';

type AboutWithdrawal = SettlementEvent | Extract<PayoutEvent, { type: 'WithdrawalRequested' }>;

/** Finds withdrawals by reading the log, for runs without a database. */
export class PayoutsInLog extends PayoutQueries {
  constructor(private readonly events: InMemoryEventStore) {
    super();
  }

  /** These runs write off no debt, so the cast is safe. */
  private all(): AboutWithdrawal[] {
    return this.events.events as unknown as AboutWithdrawal[];
  }

  override async creatorOf(withdrawalId: string): Promise<string | undefined> {
    return this.all().find(({ data }) => data.withdrawalId === withdrawalId)?.data.creatorId;
  }

  override async unsettled(): Promise<{ creatorId: string; withdrawalId: string }[]> {
    const settled = new Set(
      this.all()
        .filter(({ type }) => type === 'TransferCreated' || type === 'WithdrawalFailed')
        .map(({ data }) => data.withdrawalId),
    );
    return this.all()
      .filter(({ type, data }) => type === 'WithdrawalRequested' && !settled.has(data.withdrawalId))
      .map(({ data }) => ({ creatorId: data.creatorId, withdrawalId: data.withdrawalId }));
  }

  override find = (): Promise<Payout | undefined> => notHere();
  override inFlight = (): Promise<Payout | undefined> => notHere();
  override list = (): Promise<Statements> => notHere();
  override statement = (): Promise<Statement | undefined> => notHere();
}

function notHere(): never {
  throw new Error('for screens, not for workers');
}

/** Marks the point where a process ended. The next worker starts from the log. */
export class Crash extends Error {
  override name = 'Crash';
}

/** An event store that can fail before an append, as if the worker was killed. */
export class CrashingEventStore extends EventStore {
  crashNext = false;

  constructor(private readonly real: InMemoryEventStore) {
    super();
  }

  override async append(...given: Parameters<EventStore['append']>): Promise<RecordedEvent[]> {
    if (this.crashNext) {
      this.crashNext = false;
      throw new Crash('before appending');
    }
    return this.real.append(...given);
  }
  override readStream<Event extends NewEvent = AnyEvent>(
    stream: string,
    after?: number,
  ): Promise<Recorded<Event>[]> {
    return this.real.readStream<Event>(stream, after);
  }
  override readAll = (options: Parameters<EventStore['readAll']>[0]) => this.real.readAll(options);
  override readStored = (options: Parameters<EventStore['readStored']>[0]) => this.real.readStored(options);
  override head = () => this.real.head();
}

/** The real gateway, with orders that can arrive after the caller gave up. */
export class LateGateway extends PayoutGateway {
  /** Delays the next order until just before the following order, or until `arrive`. */
  lateNext = false;
  private underWay: (() => Promise<unknown>) | undefined;

  constructor(private readonly real: PayoutGateway) {
    super();
  }

  get waiting(): boolean {
    return this.underWay !== undefined;
  }

  async arrive(): Promise<void> {
    const order = this.underWay;
    this.underWay = undefined;
    await order?.().catch(() => {});
  }

  override async createTransfer(order: Parameters<PayoutGateway['createTransfer']>[0]): Promise<Transfer> {
    if (this.lateNext) {
      this.lateNext = false;
      this.underWay = () => this.real.createTransfer(order);
      throw new PaymentGatewayUnavailable('timed out');
    }
    await this.arrive();
    return this.real.createTransfer(order);
  }
  override listCountries = () => this.real.listCountries();
  override createAccount = (options: Parameters<PayoutGateway['createAccount']>[0]) =>
    this.real.createAccount(options);
  override openOnboarding = (options: Parameters<PayoutGateway['openOnboarding']>[0]) =>
    this.real.openOnboarding(options);
  override readAccount = (accountId: string) => this.real.readAccount(accountId);
  override findTransfers = (group: string) => this.real.findTransfers(group);
  override readTransfer = (transferId: string) => this.real.readTransfer(transferId);
  override listReversedTransfers = (since: Date, until?: Date) =>
    this.real.listReversedTransfers(since, until);
  override readBankPayout = (payoutId: string) => this.real.readBankPayout(payoutId);
  override listBankPayouts = (since: Date, until?: Date) => this.real.listBankPayouts(since, until);
}
