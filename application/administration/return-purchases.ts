import { Injectable } from '@nestjs/common';
import { streamOf as creditsOf, type CreditEvent } from '../../domain/credits/credit-account.js';
import {
  streamOf as purchaseOf,
  type PaidPurchase,
  type PurchaseEvent,
  type ReturnReason,
} from '../../domain/purchases/purchase.js';
import { CreditDesk } from '../ports/credit-desk.js';
import { EventStore, type EventMetadata, type RecordedEvent } from '../ports/event-store.js';
import type { Reaction } from '../ports/reaction.js';
import type { ReturnPurchase } from '../purchases/desk-corrections.js';
import { StandingPurchases, type PurchasesOf } from './readers.js';

const AT_ONCE = 100;
/** What the event of a return says about it. */
interface Why {
  reason: ReturnReason;
  explanation: string;
}

/** So many are undone while the administrator waits; the rest follows. */
export const RETURNED_WHILE_WAITING = 500;

/**
 * Undoes purchases: the credits go back as lots of the value they had. As a reaction it does so for every pack
 * that is taken down, however many bought from it and whatever stopped in between.
 */
@Injectable()
export class ReturnPurchases implements Reaction {
  readonly name = 'return-taken-down';
  readonly types = ['PackTakenDown'];

  constructor(
    private readonly log: EventStore,
    private readonly desk: CreditDesk,
    private readonly purchases: StandingPurchases,
  ) {}

  async handle(event: RecordedEvent): Promise<void> {
    const packId = event.data.packId as string;
    const metadata = {
      actor: 'system:takedowns',
      correlationId: event.metadata.correlationId,
      causationId: String(event.position),
    };
    await this.all({ packId }, { reason: 'takedown', explanation: event.data.reason as string }, metadata);
  }

  /** Purchases that were being made in the moment of a takedown. @returns how many were undone */
  async sweep(): Promise<number> {
    const metadata = { actor: 'system:takedowns', correlationId: 'takedown-sweep' };
    return this.all({ takenDown: true }, { reason: 'takedown', explanation: 'Taken down' }, metadata);
  }

  /** @returns how many purchases were undone now, at most `limit` */
  async all(
    of: PurchasesOf,
    why: Why,
    metadata: EventMetadata,
    limit = Number.POSITIVE_INFINITY,
  ): Promise<number> {
    let returned = 0;
    for (;;) {
      const page = await this.purchases.list(of, Math.min(AT_ONCE, limit - returned));
      if (page.length === 0) return returned;
      const undone = await Promise.all(
        page.map(({ buyerId, sampleId }) => this.one(buyerId, sampleId, why, metadata)),
      );
      const changed = undone.filter((done) => done).length;
      returned += changed;
      // What another node undid meanwhile is gone from the list; what cannot be undone, such as while a bank
      // decides about its payment, must not be tried for ever.
      if (returned >= limit || changed === 0) return returned;
    }
  }

  /** @returns whether it was undone now; not when it was before, nothing was paid, or a bank has to decide first */
  private async one(buyerId: string, sampleId: string, why: Why, metadata: EventMetadata): Promise<boolean> {
    const history = (await this.log.readStream(purchaseOf(buyerId, sampleId))) as unknown as PurchaseEvent[];
    const paid = history.findLast((event) => event.type === 'SamplePurchased');
    if (!paid) return false;
    const credits = (await this.log.readStream(creditsOf(buyerId))) as unknown as CreditEvent[];
    const outcome = await this.desk.returnPurchase({
      type: 'ReturnPurchase',
      purchase: paid.data,
      ...why,
      lots: lotsTakenBy(paid.data, credits),
      metadata,
    });
    return outcome.accepted && outcome.changed;
  }
}

/**
 * One new lot for each that the purchase drew on, so that kind, date and value stay.
 * @param events the buyer's, all of them
 */
export function lotsTakenBy(
  { purchaseId }: Pick<PaidPurchase, 'purchaseId'>,
  events: readonly CreditEvent[],
): ReturnPurchase['lots'] {
  const grants = new Map(
    events.flatMap((event) => (event.type === 'CreditsGranted' ? [[event.data.lotId, event.data]] : [])),
  );
  const spent = events.find((event) => event.type === 'CreditsSpent' && event.data.purchaseId === purchaseId);
  if (spent?.type !== 'CreditsSpent') throw new Error(`purchase ${purchaseId} took no credits`);
  return spent.data.segments.map(({ lotId, credits, valueMicroUsd }, index) => {
    const grant = grants.get(lotId);
    if (!grant) throw new Error(`lot ${lotId} was never granted`);
    const { kind, grantedAt, returned } = grant;
    const paidLotId = returned?.lotId ?? lotId;
    const origin = { takenFrom: lotId, paidLotId };
    return { lotId: `return-${purchaseId}-${index}`, kind, grantedAt, credits, valueMicroUsd, ...origin };
  });
}
