import { randomUUID } from 'node:crypto';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { creditAccountDecider, type CreditEvent } from '../../domain/credits/credit-account.js';
import { deferredReturnDecider, type DeferredReturnCommand } from '../../domain/purchases/deferred-return.js';
import { purchaseDecider, type PaidPurchase, type PurchaseEvent } from '../../domain/purchases/purchase.js';
import { packDecider } from '../../domain/publishing/pack.js';
import { Packs } from '../publishing/packs.js';
import { SamplePlaceQueries } from '../publishing/queries.js';
import { SampleStatuses } from '../publishing/sample-statuses.js';
import { CreditExecutor } from '../credits/credit-executor.js';
import type { ReturnedLot } from '../credits/credit-corrections.js';
import { Clock } from '../shared/clock.js';
import type { EventMetadata } from '../shared/event-store.js';
import { Remarks } from '../shared/remarks.js';
import { Streams, type Unclocked } from '../shared/streams.js';
import {
  ReturnDefectiveSample,
  ReturnPurchase,
  TakeDownPack,
  TakeDownSample,
  type ReturnCause,
  type ReturnedPurchases,
  type ReturnOutcome,
} from './commands.js';
import { ActivePurchaseQueries, type PurchaseKey } from './queries.js';
import { ReturnPurchases, TAKEN_DOWN } from './return-purchases.js';

@CommandHandler(TakeDownPack)
export class TakeDownPackHandler implements ICommandHandler<TakeDownPack> {
  constructor(
    private readonly packs: Packs,
    private readonly places: SamplePlaceQueries,
    private readonly remarks: Remarks,
    private readonly returns: ReturnPurchases,
    private readonly purchases: ActivePurchaseQueries,
  ) {}

  /** Undoes a limited number at once; the reactor undoes the rest. */
  async execute({ packId, reason, by }: TakeDownPack): Promise<ReturnedPurchases | undefined> {
    const creatorId = await this.places.creatorOf(packId);
    if (creatorId === undefined) return undefined;
    const active = await this.purchases.count({ packId });
    const of = { stream: packDecider.streamOf(packId), about: [creatorId] };
    const remark = await this.remarks.keep(reason, of);
    const decision = { type: 'TakeDownPack', reason: '', ...remark } as const;
    const outcome = await this.packs.decide({ userId: by, packId }, decision);
    if (!outcome.accepted) return undefined;
    const why = { reason: 'takedown', explanation: TAKEN_DOWN, remark } as const;
    return this.returns.whileWaiting({ packId }, why, { active, by });
  }
}

/** An administrator takes a sample down once, however often it is asked for. */
const OWN_DECISION = { kind: 'decision', id: 'takedown' } as const;

@CommandHandler(TakeDownSample)
export class TakeDownSampleHandler implements ICommandHandler<TakeDownSample> {
  constructor(
    private readonly statuses: SampleStatuses,
    private readonly returns: ReturnPurchases,
    private readonly purchases: ActivePurchaseQueries,
  ) {}

  /** Undoes a limited number at once; the reactor undoes the rest. */
  async execute({
    sampleId,
    reason,
    by,
    about: { because = OWN_DECISION, sha256 },
  }: TakeDownSample): Promise<ReturnedPurchases | undefined> {
    const active = await this.purchases.count({ sampleId });
    const decision = { type: 'TakeDownSample', sampleId, because, ...(sha256 ? { sha256 } : {}) } as const;
    const outcome = await this.statuses.decide(decision, by, reason);
    if (!outcome.accepted) return undefined;
    const why = { reason: 'takedown', explanation: TAKEN_DOWN, remark: outcome.remark } as const;
    return this.returns.whileWaiting({ sampleId }, why, { active, by });
  }
}

@CommandHandler(ReturnDefectiveSample)
export class ReturnDefectiveSampleHandler implements ICommandHandler<ReturnDefectiveSample> {
  constructor(
    private readonly returns: ReturnPurchases,
    private readonly purchases: ActivePurchaseQueries,
    private readonly places: SamplePlaceQueries,
    private readonly remarks: Remarks,
  ) {}

  async execute({ sampleId, reason, by }: ReturnDefectiveSample): Promise<ReturnedPurchases | undefined> {
    const place = await this.places.placeOf(sampleId);
    if (!place) return undefined;
    if ((await this.purchases.count({ sampleId })) === 0) return { returned: 0, waiting: 0 };
    // Each return names it, in a stream of its own.
    const remark = await this.remarks.keep(reason, { about: [place.creatorId] });
    const why = { reason: 'defect', explanation: 'Defective', remark } as const;
    return this.returns.all({ sampleId }, why, { actor: by, correlationId: randomUUID() });
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
    if (!purchase) return 'unchanged';
    const outcome = await this.undo(purchase, why, metadata);
    if (outcome !== 'waiting') return outcome;
    const { purchaseId } = purchase;
    const { remark, ...cause } = why;
    const deferred = { buyerId, sampleId, purchaseId, ...cause, ...remark, by: metadata.actor };
    await this.remember(buyerId, { type: 'DeferReturn', ...deferred }, metadata);
    // Check again: the bank may have decided before the wait was recorded, and then nothing else would undo the
    // purchase.
    return this.undo(purchase, why, metadata);
  }

  private async undo(
    purchase: PaidPurchase,
    why: ReturnCause,
    metadata: EventMetadata,
  ): Promise<ReturnOutcome> {
    const lots = lotsTakenBy(purchase, await this.streams.history(creditAccountDecider, purchase.buyerId));
    const command = { type: 'ReturnPurchase', purchase, ...why, lots, metadata } as const;
    const outcome = await this.executor.returnPurchase(command);
    if (!outcome.accepted) return outcome.rejection.code === 'PaymentDisputed' ? 'waiting' : 'unchanged';
    await this.settle(purchase, metadata);
    return outcome.changed ? 'returned' : 'unchanged';
  }

  /** The purchase is undone, so it waits no longer. */
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

/**
 * One new lot for each that the purchase drew on, so that kind, date and value stay.
 * @param events the buyer's, all of them
 */
export function lotsTakenBy(
  { purchaseId }: Pick<PaidPurchase, 'purchaseId'>,
  events: readonly CreditEvent[],
): ReturnedLot[] {
  const grants = new Map(
    events.flatMap((event) => (event.type === 'CreditsGranted' ? [[event.data.lotId, event.data]] : [])),
  );
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
