import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { creditAccountDecider, type CreditEvent } from '../../domain/credits/credit-account.js';
import { deferredReturnDecider, type DeferredReturnCommand } from '../../domain/purchases/deferred-return.js';
import {
  purchaseDecider,
  type PaidPurchase,
  type PurchaseEvent,
  type ReturnReason,
} from '../../domain/purchases/purchase.js';
import { reject } from '../../domain/shared/decision.js';
import type { Remark } from '../../domain/shared/remark.js';
import type { ReturnedLot, ReturnOutcome } from '../credits/credit-corrections.js';
import { CreditExecutor } from '../credits/credit-executor.js';
import { Clock } from '../shared/clock.js';
import type { EventMetadata } from '../shared/event-store.js';
import { Streams, type Unclocked } from '../shared/streams.js';
import type { PurchaseKey } from './queries.js';

export interface ReturnCause {
  reason: ReturnReason;
  explanation: string;
  /** The full explanation, if it is stored outside the log. */
  remark?: Remark | undefined;
}

/**
 * Undoes a purchase. Its credits come back as lots with their former value. Refused while a bank decides about the
 * payment; after the decision the purchase is undone.
 */
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
    // Tries again: the bank may have decided before the wait was recorded. Then nothing else would undo the purchase.
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
    if (outcome.accepted) await this.settle(purchase, metadata);
    return outcome;
  }

  /** Ends the wait of an undone purchase. */
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
 * Returns a new lot for each lot that the purchase used, so that kind, date and value are kept.
 * @param events all events of the buyer's credits
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
