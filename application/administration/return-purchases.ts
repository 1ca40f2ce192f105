import { Injectable } from '@nestjs/common';
import { creditAccountDecider, type CreditEvent } from '../../domain/credits/credit-account.js';
import type { PackEvent } from '../../domain/publishing/pack-messages.js';
import {
  purchaseDecider,
  type PaidPurchase,
  type PurchaseEvent,
  type ReturnReason,
} from '../../domain/purchases/purchase.js';
import { CreditExecutor } from '../purchases/credit-commands.js';
import type { EventMetadata, Recorded } from '../shared/event-store.js';
import type { Reactor } from '../shared/reactor.js';
import type { ReturnPurchase } from '../purchases/credit-corrections.js';
import { Streams } from '../shared/streams.js';
import type { ReturnedPurchases } from './commands.js';
import { DeferredReturns } from './deferred-returns.js';
import { ActivePurchases, type PurchaseKey, type PurchasesOf } from './readers.js';

type Undoing =
  | Extract<PackEvent, { type: 'PackTakenDown' }>
  | Extract<CreditEvent, { type: 'DisputeWon' | 'DisputeLost' }>;

const AT_ONCE = 100;
/** What the event of a return says about it. */
interface Why {
  reason: ReturnReason;
  explanation: string;
}

/** So many are undone while the administrator waits; the rest follows. */
export const RETURNED_WHILE_WAITING = 500;

/**
 * Undoes purchases: the credits go back as lots of the value they had. As a reactor it does so for every pack
 * that is taken down, however many bought from it and whatever stopped in between; and, once a bank has decided,
 * for what waited for that.
 */
@Injectable()
export class ReturnPurchases implements Reactor<Undoing> {
  readonly name = 'return-taken-down';
  readonly types = ['PackTakenDown', 'DisputeWon', 'DisputeLost'] as const;

  constructor(
    private readonly streams: Streams,
    private readonly executor: CreditExecutor,
    private readonly purchases: ActivePurchases,
    private readonly deferred: DeferredReturns,
  ) {}

  async handle(event: Recorded<Undoing>): Promise<void> {
    const cause = { correlationId: event.metadata.correlationId, causationId: String(event.position) };
    if (event.type === 'PackTakenDown') {
      const { packId, reason } = event.data;
      const why = { reason: 'takedown', explanation: reason } as const;
      await this.all({ packId }, why, { actor: 'system:takedowns', ...cause });
      return;
    }
    // Whichever payment it was about: what waits for another one goes on waiting.
    for (const { buyerId, sampleId, reason, explanation } of await this.deferred.waiting(event.data.userId))
      await this.one(buyerId, sampleId, { reason, explanation }, { actor: 'system:disputes', ...cause });
  }

  /** Purchases that were being made in the moment of a takedown. @returns how many were undone */
  async sweep(): Promise<number> {
    const metadata = { actor: 'system:takedowns', correlationId: 'takedown-sweep' };
    const why = { reason: 'takedown', explanation: 'Taken down' } as const;
    return (await this.all({ takenDown: true }, why, metadata)).returned;
  }

  /** @param limit at most so many are undone */
  async all(
    of: PurchasesOf,
    why: Why,
    metadata: EventMetadata,
    limit = Number.POSITIVE_INFINITY,
  ): Promise<ReturnedPurchases> {
    const sum = { returned: 0, waiting: 0 };
    let last: PurchaseKey | undefined;
    while (sum.returned < limit) {
      const page = await this.purchases.list(of, Math.min(AT_ONCE, limit - sum.returned), last);
      if (page.length === 0) break;
      const outcomes = await Promise.all(
        page.map(({ buyerId, sampleId }) => this.one(buyerId, sampleId, why, metadata)),
      );
      for (const outcome of outcomes) if (outcome !== 'unchanged') sum[outcome] += 1;
      last = page.at(-1);
    }
    return sum;
  }

  /** Unchanged: it was undone before, or nothing was paid. */
  private async one(
    buyerId: string,
    sampleId: string,
    why: Why,
    metadata: EventMetadata,
  ): Promise<'returned' | 'waiting' | 'unchanged'> {
    const purchase = await this.paid(buyerId, sampleId);
    if (!purchase) return 'unchanged';
    const { purchaseId } = purchase;
    for (let attempt = 1; ; attempt += 1) {
      const credits = await this.streams.history(creditAccountDecider, buyerId);
      const lots = lotsTakenBy(purchase, credits);
      const outcome = await this.executor.returnPurchase({
        type: 'ReturnPurchase',
        purchase,
        ...why,
        lots,
        metadata,
      });
      if (outcome.accepted) {
        await this.settle(purchase, metadata);
        return outcome.changed ? 'returned' : 'unchanged';
      }
      if (outcome.rejection.code !== 'PaymentDisputed') return 'unchanged';
      if (attempt > 1) return 'waiting';
      const deferred = { buyerId, sampleId, purchaseId, ...why, by: metadata.actor };
      await this.deferred.defer(deferred, metadata);
      // Asked again: the bank may have decided before that was written down, and then nobody would.
    }
  }

  private async paid(buyerId: string, sampleId: string): Promise<PaidPurchase | undefined> {
    const history = await this.history(buyerId, sampleId);
    return history.findLast((event) => event.type === 'SamplePurchased')?.data;
  }

  /** Whoever undid it, if it had waited, it does no longer. */
  private async settle(
    { buyerId, sampleId, purchaseId }: PaidPurchase,
    metadata: EventMetadata,
  ): Promise<void> {
    const undone = (await this.history(buyerId, sampleId)).findLast(
      (event) => event.type === 'PurchaseReturned' && event.data.purchaseId === purchaseId,
    );
    if (undone?.type !== 'PurchaseReturned') return;
    const { priceCredits, withheld = [] } = undone.data;
    const withheldCredits = withheld.reduce((sum, { credits }) => sum + credits, 0);
    const settled = { purchaseId, returnedCredits: priceCredits - withheldCredits, withheldCredits };
    await this.deferred.settle(buyerId, settled, metadata);
  }

  private history(buyerId: string, sampleId: string): Promise<PurchaseEvent[]> {
    return this.streams.history(purchaseDecider, { buyerId, sampleId });
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
