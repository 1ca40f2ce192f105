import { Injectable } from '@nestjs/common';
import { Command, CommandBus, CommandHandler, type CommandResult, type ICommandHandler } from '@nestjs/cqrs';
import { booksBeginDecider } from '../../domain/ledger/books-begin.js';
import { boundsOf } from '../../domain/ledger/period.js';
import {
  balanceTransactionDecider,
  type BalanceTransactionCommand,
  type BalanceTransactionRejection,
} from '../../domain/payments/balance-transaction.js';
import type { Outcome } from '../../domain/shared/decision.js';
import { setAside } from '../alerts/set-aside.js';
import { Streams } from '../shared/streams.js';
import { microOf } from '../../domain/shared/micro-usd.js';
import { BalanceGateway, type ProviderMovement } from './balance-gateway.js';
import { CREATOR_PAID, MONEY_CAME, MONEY_WENT_BACK, SENT_TO_BANK } from './event-types.js';
import type { PaymentEvent } from './payment-gateway.js';
import type { PaymentListener } from './payment-events.js';
import { Clock } from '../shared/clock.js';
import { forEachCollectingErrors } from '../shared/for-each-collecting-errors.js';
import { EventStore, type Cause } from '../shared/event-store.js';

export abstract class RecordedMovements {
  abstract among(transactionIds: readonly string[]): Promise<Set<string>>;
  /** Returns the time up to which every movement was recorded; undefined before the first sweep. */
  abstract completeUntil(): Promise<Date | undefined>;
  abstract rememberComplete(until: Date): Promise<void>;
  /** Lists movements that should have an event of ours by now and have none, oldest first. */
  abstract withoutFact(now: Date): Promise<string[]>;
  abstract heldWithFact(): Promise<string[]>;
  /** Lists movements missing in the opening balance, or wrongly in it. Skips those that an adjusting entry cleared. */
  abstract misplaced(): Promise<string[]>;
  /** Stores the provider's balances by currency. The books up to `position` must agree with them. */
  abstract rememberBalances(balances: {
    micro: Record<string, number>;
    position: number;
    at: Date;
  }): Promise<void>;
}

/** Records a movement, or moves it into or out of suspense. Raises an alert if a report contradicts the record. */
export class RecordMovement extends Command<Outcome<{ changed: boolean }, BalanceTransactionRejection>> {
  constructor(
    readonly transactionId: string,
    readonly decision: BalanceTransactionCommand,
    readonly cause: Cause,
  ) {
    super();
  }
}

@CommandHandler(RecordMovement)
export class RecordMovementHandler implements ICommandHandler<RecordMovement> {
  constructor(
    private readonly streams: Streams,
    private readonly commands: CommandBus,
  ) {}

  async execute({ transactionId, decision, cause }: RecordMovement): Promise<CommandResult<RecordMovement>> {
    const metadata = { ...cause, correlationId: balanceTransactionDecider.streamOf(transactionId) };
    const begun = (await this.streams.load(booksBeginDecider, undefined)).at(-1);
    const command = { ...decision, ...(begun && { booksBegin: boundsOf(begun.month).from.toISOString() }) };
    const outcome = await this.streams.execute(balanceTransactionDecider, transactionId, command, metadata);
    if (outcome.accepted) return { accepted: true, changed: outcome.events.length > 0 };
    await this.commands.execute(setAside('movement', transactionId, outcome.rejection.detail, cause));
    return outcome;
  }
}

/** The provider may list a movement some time after its date. */
const OVERLAP_MS = 86_400_000;
/** The provider may report a charge before its invoice is known. The charge waits this long for it. */
const INVOICE_PENDING_MS = 3_600_000;

const SWEEP: Cause = { actor: 'system:balance-sweep' };

/** Records every movement of our balance, once per id. Webhooks bring most at once; the sweep finds the rest. */
@Injectable()
export class BalanceTransactions implements PaymentListener {
  readonly types = [...MONEY_CAME, ...MONEY_WENT_BACK, ...CREATOR_PAID, ...SENT_TO_BANK];
  private sweeping: Promise<number> | undefined;

  constructor(
    private readonly gateway: BalanceGateway,
    private readonly log: EventStore,
    private readonly commands: CommandBus,
    private readonly recorded: RecordedMovements,
    private readonly clock: Clock,
  ) {}

  async handle(event: PaymentEvent): Promise<boolean> {
    const ids = await this.gateway.movementsBehind(event);
    await this.recordNew(ids, { actor: 'system:payments', causationId: event.id });
    return ids.length > 0;
  }

  /** Records movements that no webhook reported. The first run reads all movements. @returns the number of new ones */
  sweep(): Promise<number> {
    this.sweeping ??= this.sweepAll().finally(() => (this.sweeping = undefined));
    return this.sweeping;
  }

  private async sweepAll(): Promise<number> {
    const started = this.clock.now();
    const complete = await this.recorded.completeUntil();
    const since = new Date(complete ? complete.getTime() - OVERLAP_MS : 0);
    const before = await this.gateway.readBalances();
    const ids = await this.gateway.listMovements(since);
    const found = await this.recordNew(ids, SWEEP);
    await this.recorded.rememberComplete(started);
    const held = [
      ...(await this.recorded.withoutFact(this.clock.now())),
      ...(await this.recorded.misplaced()),
    ];
    await forEachCollectingErrors(held, (id) =>
      this.commands.execute(new RecordMovement(id, { type: 'HoldInSuspense' }, SWEEP)),
    );
    await forEachCollectingErrors(await this.recorded.heldWithFact(), (id) =>
      this.commands.execute(new RecordMovement(id, { type: 'Explain' }, SWEEP)),
    );
    await this.compareBalances(before, ids);
    return found;
  }

  /**
   * Stores the balances if the books must agree with them: all movements are recorded, and no balance changed during
   * the sweep.
   */
  private async compareBalances(before: Record<string, number>, ids: readonly string[]): Promise<void> {
    if ((await this.recorded.among(ids)).size < ids.length) return;
    const { position } = await this.log.head();
    const balances = Object.entries(await this.gateway.readBalances());
    if (balances.some(([currency, amount]) => amount !== before[currency])) return;
    const micro = Object.fromEntries(
      balances.map(([currency, amount]) => [currency, microOf(amount, currency)]),
    );
    await this.recorded.rememberBalances({ micro, position, at: this.clock.now() });
  }

  private async recordNew(ids: readonly string[], cause: Cause): Promise<number> {
    if (ids.length === 0) return 0;
    let found = 0;
    await forEachCollectingErrors(await this.unrecorded(ids), async (id) => {
      if (await this.record(id, cause)) found += 1;
    });
    return found;
  }

  async unrecorded(ids: readonly string[]): Promise<string[]> {
    const known = await this.recorded.among(ids);
    return ids.filter((id) => !known.has(id));
  }

  /**
   * Returns whether a charge still waits for its invoice. If no invoice is known after an hour, the sweep records
   * the charge as unexplained.
   */
  private awaitsInvoice({ kind, about, at }: ProviderMovement): boolean {
    const ageMs = this.clock.now().getTime() - Date.parse(at);
    return kind === 'charge' && about === undefined && ageMs < INVOICE_PENDING_MS;
  }

  async record(transactionId: string, cause: Cause): Promise<boolean> {
    const movement = await this.gateway.readMovement(transactionId);
    if (!movement || this.awaitsInvoice(movement)) return false;
    const outcome = await this.commands.execute(
      new RecordMovement(transactionId, { type: 'RecordBalanceTransaction', ...movement }, cause),
    );
    return outcome.accepted && outcome.changed;
  }
}
