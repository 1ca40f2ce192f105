import { randomUUID } from 'node:crypto';
import { Command, CommandHandler, CommandBus, type ICommandHandler } from '@nestjs/cqrs';
import { Injectable } from '@nestjs/common';
import { creditAccountDecider, grantsIn, type CreditEvent } from '../../domain/credits/credit-account.js';
import {
  deferredReturnDecider,
  waitingReturns,
  type DeferredReturnCommand,
} from '../../domain/purchases/deferred-return.js';
import {
  purchaseDecider,
  type PaidPurchase,
  type PurchaseEvent,
  type ReturnReason,
} from '../../domain/purchases/purchase.js';
import { reject, type Outcome } from '../../domain/shared/decision.js';
import { remarkIn, type Remark } from '../../domain/shared/remark.js';
import type { PackEvent } from '../../domain/publishing/pack-messages.js';
import type { ReturnedLot, ReturnOutcome } from '../credits/credit-corrections.js';
import { CreditExecutor } from '../credits/credit-executor.js';
import { Clock } from '../shared/clock.js';
import type { EventMetadata, Recorded, Reactor } from '../shared/event-store.js';
import { Streams, type Unclocked } from '../shared/streams.js';
import { ActivePurchaseQueries, type PurchaseKey, type PurchasesOf } from './queries.js';

export interface ReturnCause {
  reason: ReturnReason;
  explanation: string;
  /** The full reason, if staff wrote one. It is stored outside the log. */
  remark?: Remark | undefined;
}

/** Undoes a purchase: its credits return with their old value. Deferred while a bank decides about the payment. */
export class ReturnPurchase extends Command<ReturnOutcome> {
  constructor(
    readonly purchase: PurchaseKey,
    readonly why: ReturnCause,
    readonly metadata: EventMetadata,
  ) {
    super();
  }
}

@CommandHandler(ReturnPurchase)
export class ReturnPurchaseHandler implements ICommandHandler<ReturnPurchase> {
  constructor(
    private readonly streams: Streams,
    private readonly executor: CreditExecutor,
    private readonly clock: Clock,
  ) {}

  async execute({ purchase: { buyerId, sampleId }, why, metadata }: ReturnPurchase): Promise<ReturnOutcome> {
    const history = await this.history({ buyerId, sampleId });
    const purchase = history.findLast((event) => event.type === 'SamplePurchased')?.data;
    if (!purchase) return reject({ code: 'NotPurchased' });
    const outcome = await this.undo(purchase, why, metadata);
    if (outcome.accepted || outcome.rejection.code !== 'PaymentDisputed') return outcome;
    const { purchaseId } = purchase;
    const { remark, ...cause } = why;
    const deferred = { buyerId, sampleId, purchaseId, ...cause, ...remark, by: metadata.actor };
    await this.remember(buyerId, { type: 'DeferReturn', ...deferred }, metadata);
    // Tries once more. If the bank decided before the wait was recorded, no later event would undo the purchase.
    return this.undo(purchase, why, metadata);
  }

  private async undo(purchase: PaidPurchase, why: ReturnCause, metadata: EventMetadata) {
    const lots = lotsTakenBy(purchase, await this.streams.history(creditAccountDecider, purchase.buyerId));
    const command = { type: 'ReturnPurchase', purchase, ...why, lots, metadata } as const;
    const outcome = await this.executor.returnPurchase(command);
    if (outcome.accepted) await this.settle(purchase, metadata);
    return outcome;
  }

  private async settle(purchase: PaidPurchase, metadata: EventMetadata): Promise<void> {
    const { buyerId, purchaseId } = purchase;
    const undone = (await this.history(purchase)).findLast(
      (event) => event.type === 'PurchaseReturned' && event.data.purchaseId === purchaseId,
    );
    if (undone?.type !== 'PurchaseReturned') return;
    const { priceCredits, withheld = [] } = undone.data;
    const withheldCredits = withheld.reduce((sum, { credits }) => sum + credits, 0);
    const settled = { purchaseId, returnedCredits: priceCredits - withheldCredits, withheldCredits };
    await this.remember(buyerId, { type: 'SettleReturn', ...settled }, metadata);
  }

  private async remember(
    buyerId: string,
    command: Unclocked<DeferredReturnCommand>,
    metadata: EventMetadata,
  ): Promise<void> {
    const now = this.clock.now().toISOString();
    await this.streams.execute(deferredReturnDecider, buyerId, { ...command, now }, metadata);
  }

  private history({ buyerId, sampleId }: PurchaseKey): Promise<PurchaseEvent[]> {
    return this.streams.history(purchaseDecider, { buyerId, sampleId });
  }
}

/** Returns a lot for each lot that the purchase took credits from, with the same kind, date and value. */
export function lotsTakenBy(
  { purchaseId, priceCredits }: Pick<PaidPurchase, 'purchaseId' | 'priceCredits'>,
  events: readonly CreditEvent[],
): ReturnedLot[] {
  // A sample may have cost nothing, as part of a pack or with a promotion code.
  if (priceCredits === 0) return [];
  const grants = new Map(grantsIn(events).map((grant) => [grant.lotId, grant]));
  const spent = events.find((event) => event.type === 'CreditsSpent' && event.data.purchaseId === purchaseId);
  if (spent?.type !== 'CreditsSpent') throw new Error(`purchase ${purchaseId} took no credits`);
  return spent.data.segments.map(({ lotId, credits, valueMicroUsd }, index) => {
    const grant = grants.get(lotId);
    if (!grant) throw new Error(`lot ${lotId} was never granted`);
    const { kind, grantedAt, returned, adjustment } = grant;
    const paidLotId = returned?.lotId ?? adjustment?.paidLotId ?? lotId;
    const origin = { takenFrom: lotId, paidLotId };
    return { lotId: `return-${purchaseId}-${index}`, kind, grantedAt, credits, valueMicroUsd, ...origin };
  });
}

export interface ReturnedPurchases {
  returned: number;
  waiting: number;
}

export type ReturnsOutcome = Outcome<ReturnedPurchases, { code: 'NotFound' }>;

type Undoing =
  | Extract<PackEvent, { type: 'PackTakenDown' | 'SampleTakenDown' }>
  | Extract<CreditEvent, { type: 'DisputeWon' | 'DisputeLost' }>;

const AT_ONCE = 100;

/** The explanation of a return after a takedown, unless staff gave a reason in the event itself. */
export const TAKEN_DOWN = 'Taken down';

/** How many purchases are undone while the administrator waits. The reactor undoes the rest. */
const RETURNED_WHILE_WAITING = 500;

/** Undoes purchases after a takedown. Carries out returns that a dispute deferred, once it is decided. */
@Injectable()
export class ReturnPurchases implements Reactor<Undoing> {
  readonly name = 'return-taken-down';
  readonly types = ['PackTakenDown', 'SampleTakenDown', 'DisputeWon', 'DisputeLost'] as const;

  constructor(
    private readonly streams: Streams,
    private readonly commands: CommandBus,
    private readonly purchases: ActivePurchaseQueries,
  ) {}

  async handle(event: Recorded<Undoing>): Promise<void> {
    const cause = { correlationId: event.metadata.correlationId, causationId: String(event.position) };
    if (event.type === 'PackTakenDown' || event.type === 'SampleTakenDown') {
      const { data } = event;
      const explanation = ('reason' in data && data.reason) || TAKEN_DOWN;
      const why = { reason: 'takedown', explanation, remark: remarkIn(data) } as const;
      const of = 'sampleId' in data ? { sampleId: data.sampleId } : { packId: data.packId };
      await this.all(of, why, { actor: 'system:takedowns', ...cause });
      return;
    }
    // The decision may be about another payment. Returns that wait for a different decision stay deferred.
    const deferred = await this.streams.load(deferredReturnDecider, event.data.userId);
    for (const each of waitingReturns(deferred)) {
      const { buyerId, sampleId, reason, explanation } = each;
      const metadata = { actor: 'system:disputes', ...cause };
      const why = { reason, explanation, remark: remarkIn(each) };
      await this.commands.execute(new ReturnPurchase({ buyerId, sampleId }, why, metadata));
    }
  }

  /** Undoes purchases that were made while a takedown ran. @returns the number of undone purchases */
  async sweep(): Promise<number> {
    const metadata = { actor: 'system:takedowns', correlationId: 'takedown-sweep' };
    const why = { reason: 'takedown', explanation: TAKEN_DOWN } as const;
    return (await this.all({ takenDown: true }, why, metadata)).returned;
  }

  /** Undoes the first purchases while an administrator waits. `active`: their number before the takedown. */
  async whileWaiting(
    of: PurchasesOf,
    why: ReturnCause,
    { active, by }: { active: number; by: string },
  ): Promise<ReturnedPurchases> {
    const metadata = { actor: by, correlationId: randomUUID() };
    const { waiting } = await this.all(of, why, metadata, RETURNED_WHILE_WAITING);
    // Includes the purchases that the reactor has undone in the meantime.
    return { returned: Math.max(0, active - (await this.purchases.count(of))), waiting };
  }

  async all(
    of: PurchasesOf,
    why: ReturnCause,
    metadata: EventMetadata,
    limit = Number.POSITIVE_INFINITY,
  ): Promise<ReturnedPurchases> {
    const sum = { returned: 0, waiting: 0 };
    let last: PurchaseKey | undefined;
    while (sum.returned < limit) {
      const page = await this.purchases.list(of, Math.min(AT_ONCE, limit - sum.returned), last);
      if (page.length === 0) break;
      const outcomes = await Promise.all(
        page.map((purchase) => this.commands.execute(new ReturnPurchase(purchase, why, metadata))),
      );
      for (const outcome of outcomes)
        if (outcome.accepted) sum.returned += outcome.changed ? 1 : 0;
        else if (outcome.rejection.code === 'PaymentDisputed') sum.waiting += 1;
      last = page.at(-1);
    }
    return sum;
  }
}
