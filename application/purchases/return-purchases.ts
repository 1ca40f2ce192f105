import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { CreditEvent } from '../../domain/credits/credit-account.js';
import { waitingReturns, deferredReturnDecider } from '../../domain/purchases/deferred-return.js';
import type { PackEvent } from '../../domain/publishing/pack-messages.js';
import type { Outcome } from '../../domain/shared/decision.js';
import { remarkIn } from '../../domain/shared/remark.js';
import type { EventMetadata, Recorded, Reactor } from '../shared/event-store.js';
import { Streams } from '../shared/streams.js';
import { ReturnPurchase, type ReturnCause } from './return-purchase.js';
import { ActivePurchaseQueries, type PurchaseKey, type PurchasesOf } from './queries.js';

/** How many purchases were undone, and how many wait for a bank's decision. */
export interface ReturnedPurchases {
  returned: number;
  waiting: number;
}

export type ReturnsOutcome = Outcome<ReturnedPurchases, { code: 'NotFound' }>;

type Undoing =
  | Extract<PackEvent, { type: 'PackTakenDown' | 'SampleTakenDown' }>
  | Extract<CreditEvent, { type: 'DisputeWon' | 'DisputeLost' }>;

const AT_ONCE = 100;

/** The explanation of a takedown without a stated reason, or whose reason is in a remark. */
export const TAKEN_DOWN = 'Taken down';

/** How many purchases are undone while the administrator waits. The reactor undoes the rest. */
const RETURNED_WHILE_WAITING = 500;

/**
 * Undoes purchases, one command each. As a reactor it undoes all purchases of a pack or sample that was taken down,
 * even after an interruption. After a bank's decision it retries the purchases that waited for it.
 */
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
      const remark = remarkIn(data);
      const explanation = ('reason' in data && data.reason) || TAKEN_DOWN;
      const why = { reason: 'takedown', explanation, ...(remark && { remark }) } as const;
      const of = 'sampleId' in data ? { sampleId: data.sampleId } : { packId: data.packId };
      await this.all(of, why, { actor: 'system:takedowns', ...cause });
      return;
    }
    // The decision may concern another payment. Purchases that wait for a different one keep waiting.
    const deferred = await this.streams.load(deferredReturnDecider, event.data.userId);
    for (const each of waitingReturns(deferred)) {
      const { buyerId, sampleId, reason, explanation } = each;
      const metadata = { actor: 'system:disputes', ...cause };
      const remark = remarkIn(each);
      const why = { reason, explanation, ...(remark && { remark }) };
      await this.commands.execute(new ReturnPurchase({ buyerId, sampleId }, why, metadata));
    }
  }

  /** Undoes purchases that were made during a takedown. @returns how many */
  async sweep(): Promise<number> {
    const metadata = { actor: 'system:takedowns', correlationId: 'takedown-sweep' };
    const why = { reason: 'takedown', explanation: TAKEN_DOWN } as const;
    return (await this.all({ takenDown: true }, why, metadata)).returned;
  }

  /**
   * Undoes purchases while an administrator waits, up to a limit.
   * @param of.active the number of purchases before the takedown
   */
  async whileWaiting(
    of: PurchasesOf,
    why: ReturnCause,
    { active, by }: { active: number; by: string },
  ): Promise<ReturnedPurchases> {
    const metadata = { actor: by, correlationId: randomUUID() };
    const { waiting } = await this.all(of, why, metadata, RETURNED_WHILE_WAITING);
    // Counts the purchases that the reactor undid in the meantime as well.
    return { returned: Math.max(0, active - (await this.purchases.count(of))), waiting };
  }

  /** @param limit the most purchases that are undone */
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
