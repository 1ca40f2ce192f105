import { Injectable } from '@nestjs/common';
import { Command, CommandBus, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { InvoiceLotCommand, InvoiceLotRejection } from '../../domain/credits/invoice-lot.js';
import { reject, type Outcome } from '../../domain/shared/decision.js';
import { releasedBefore } from '../../domain/payouts/policy.js';
import { inUsd, microUsdFromCents } from '../../domain/shared/micro-usd.js';
import { DecideAlert } from '../alerts/decide-alert.js';
import { setAside } from '../alerts/set-aside.js';
import { CreditExecutor } from '../credits/credit-executor.js';
import { Clock } from '../shared/clock.js';
import type { EventMetadata } from '../shared/event-store.js';
import { forEachCollectingErrors } from '../shared/for-each-collecting-errors.js';
import { SettleInvoice } from './settle-invoice.js';
import { MONEY_WENT_BACK } from './event-types.js';
import { InvoiceLots, type LotOfInvoice } from './invoice-lots.js';
import { PaymentGateway, type PaymentEvent } from './payment-gateway.js';
import type { PaymentListener } from './payment-events.js';
import { PaymentRecords } from './payment-records.js';
import {
  RefundGateway,
  type ProviderDispute,
  type ProviderInquiry,
  type ProviderRefund,
} from './refund-gateway.js';

const DAY_MS = 86_400_000;
/** The provider repeats webhooks for three days. One day more avoids gaps. */
const LOOK_BACK_MS = 4 * DAY_MS;
const ACTOR = 'system:payments';

/** Refuses unknown invoices, and reports that contradict the record. A contradiction also raises an alert. */
export type MoneyBackOutcome = Outcome<object, InvoiceLotRejection | { code: 'InvoiceUnknown' }>;

const UNKNOWN: MoneyBackOutcome = reject({ code: 'InvoiceUnknown' });

export class RecordRefund extends Command<MoneyBackOutcome> {
  constructor(readonly report: { refund: ProviderRefund; causationId: string; chargeId: string }) {
    super();
  }
}

export class RecordDispute extends Command<MoneyBackOutcome> {
  constructor(
    /** `closedAt`: when the provider reported the bank's decision. The data of a lost dispute has no such date. */
    readonly report: { dispute: ProviderDispute; causationId: string; chargeId: string; closedAt?: Date },
  ) {
    super();
  }
}

@Injectable()
export class MoneyBackFacts implements PaymentListener {
  readonly types = MONEY_WENT_BACK;

  constructor(
    private readonly gateway: RefundGateway,
    private readonly commands: CommandBus,
    private readonly records: PaymentRecords,
    private readonly clock: Clock,
  ) {}

  async handle(event: PaymentEvent): Promise<boolean> {
    const chargeId = await this.gateway.chargeBehind(event);
    if (chargeId === undefined) return false;
    const closed = event.type === 'charge.dispute.closed' ? event : undefined;
    return this.record(chargeId, event.id, closed);
  }

  /** Records all refunds and disputes of a charge. @returns whether the charge paid one of our invoices */
  async record(chargeId: string, causationId: string, closed?: PaymentEvent): Promise<boolean> {
    let ours = false;
    // In the order of the provider's list, because the effect of a dispute depends on what an earlier refund took.
    for (const fact of await this.gateway.moneyBackOf(chargeId)) {
      if ('inquiry' in fact) await this.commands.execute(inquiryAlert(fact.inquiry));
      else {
        const outcome = await this.commands.execute(
          'refund' in fact
            ? new RecordRefund({ ...fact, causationId, chargeId })
            : new RecordDispute({
                ...fact,
                causationId,
                chargeId,
                ...(closed?.objectId === fact.dispute.disputeId && { closedAt: closed.createdAt }),
              }),
        );
        ours = outcome.accepted || outcome.rejection.code !== 'InvoiceUnknown';
      }
    }
    return ours;
  }

  /** Handles events whose webhook was lost. @returns how many @throws the last failure, after trying all */
  async sweep(): Promise<number> {
    const now = this.clock.now();
    const since = new Date(now.getTime() - LOOK_BACK_MS);
    let taken = 0;
    await forEachCollectingErrors(await this.gateway.listEvents(since), async (event) => {
      if (await this.records.receive(event, now)) return;
      await this.handle(event);
      await this.records.markHandled(event.id, now);
      taken += 1;
    });
    return taken;
  }
}

@Injectable()
abstract class MoneyBackHandler {
  constructor(
    private readonly executor: CreditExecutor,
    private readonly payments: PaymentGateway,
    protected readonly commands: CommandBus,
    protected readonly lots: InvoiceLots,
    protected readonly clock: Clock,
  ) {}

  protected async lotsOf(invoiceId: string, causationId: string): Promise<LotOfInvoice[]> {
    const known = await this.lots.find({ invoiceId });
    if (known.length > 0) return known;
    // The refund or dispute was reported before the payment, so the payment is recorded first.
    const invoice = await this.payments.readInvoice(invoiceId);
    if (!invoice) return [];
    await this.commands.execute(new SettleInvoice(invoice, { actor: ACTOR, causationId }));
    return this.lots.find({ invoiceId });
  }

  protected async correct(
    lots: LotOfInvoice[],
    correction: InvoiceLotCommand,
    at: Date | undefined,
    { chargeId, ...why }: Omit<EventMetadata, 'actor'> & { chargeId: string },
  ): Promise<MoneyBackOutcome> {
    const outcome = await this.executor.correctInvoice({
      type: 'CorrectInvoice',
      userId: (lots[0] as LotOfInvoice).userId,
      lotIds: lots.map(({ lotId }) => lotId),
      correction,
      ...(at && { at: at.toISOString() }),
      metadata: { actor: ACTOR, ...why },
    });
    if (outcome.accepted) return outcome;
    const detail = `${correction.type} ${why.correlationId} was refused, ${outcome.rejection.code}`;
    await this.commands.execute(
      setAside('money-back', why.correlationId, detail, { actor: ACTOR, chargeId }),
    );
    return outcome;
  }
}

@CommandHandler(RecordRefund)
export class RecordRefundHandler extends MoneyBackHandler implements ICommandHandler<RecordRefund> {
  async execute({ report: { refund, causationId, chargeId } }: RecordRefund): Promise<MoneyBackOutcome> {
    const lots = await this.lotsOf(refund.invoiceId, causationId);
    if (lots.length === 0) return UNKNOWN;
    const { refundId, failure, pending, paymentFailed, createdAt, sentAt, failedAt } = refund;
    const why = { correlationId: refundId, causationId, chargeId };
    const amountMicroUsd = microUsdFromCents(refund.amountUsdCents);
    const command = { type: 'RecordRefund', refundId, amountMicroUsd, paymentFailed } as const;
    const recorded = await this.correct(lots, command, createdAt, why);
    if (paymentFailed) return recorded;
    const followed = await this.correct(
      lots,
      failure !== undefined
        ? { type: 'RecordRefundFailure', refundId, failure }
        : pending !== undefined
          ? { type: 'RecordRefundPending', refundId, reason: pending }
          : { type: 'RecordRefundSent', refundId },
      failure !== undefined ? failedAt : pending !== undefined ? createdAt : sentAt,
      why,
    );
    return recorded.accepted ? followed : recorded;
  }
}

@CommandHandler(RecordDispute)
export class RecordDisputeHandler extends MoneyBackHandler implements ICommandHandler<RecordDispute> {
  async execute({ report }: RecordDispute): Promise<MoneyBackOutcome> {
    const { dispute, causationId, chargeId, closedAt } = report;
    const lots = await this.lotsOf(dispute.invoiceId, causationId);
    if (lots.length === 0) return UNKNOWN;
    const { disputeId, status: outcome } = dispute;
    const why = { correlationId: disputeId, causationId, chargeId };
    const amountMicroUsd = microUsdFromCents(dispute.amountUsdCents);
    const feeMicroUsd = microUsdFromCents(dispute.feeUsdCents);
    const outcomes: MoneyBackOutcome[] = [];
    const correct = async (correction: InvoiceLotCommand, at: Date | undefined): Promise<void> => {
      outcomes.push(await this.correct(lots, correction, at, why));
    };
    const adjust = async (late: boolean): Promise<void> => {
      for (const moved of dispute.adjustments.filter((each) => each.late === late)) {
        const deltaMicroUsd = microUsdFromCents(moved.amountUsdCents);
        const feeDeltaMicroUsd = microUsdFromCents(moved.feeUsdCents);
        const { transactionId } = moved;
        const adjustment = { disputeId, transactionId, deltaMicroUsd, feeDeltaMicroUsd };
        await correct({ type: 'AdjustDispute', ...adjustment }, moved.at);
      }
    };
    const together = (): MoneyBackOutcome => outcomes.find(({ accepted }) => !accepted) ?? { accepted: true };
    await correct({ type: 'RecordDispute', disputeId, amountMicroUsd, feeMicroUsd }, dispute.openedAt);
    await adjust(false);
    if (outcome === 'open') return together();
    // The lots are frozen, so no purchase can add shares between this query and the correction.
    const held = releasedBefore(this.clock.now());
    // Reads the lots again, because a gift may have been redeemed after `lotsOf` read them and before they were
    // frozen.
    const lost = outcome === 'lost' ? await this.lots.find({ invoiceId: dispute.invoiceId }) : [];
    const shares = (await Promise.all(lost.map((lot) => this.lots.sharesSoldAfter(lot, held)))).flat();
    await correct({ type: 'RecordDisputeClosed', disputeId, outcome, shares }, dispute.wonAt ?? closedAt);
    await adjust(true);
    return together();
  }
}

/** Raises an alert for an inquiry: the bank wants an answer soon, and the books do not show it. */
function inquiryAlert(inquiry: ProviderInquiry): DecideAlert {
  const { disputeId, invoiceId, amountUsdCents, reason, dueBy, over } = inquiry;
  const key = `inquiry-${disputeId}`;
  if (over) return new DecideAlert({ type: 'SettleAlert', key }, ACTOR);
  const amount = inUsd(microUsdFromCents(amountUsdCents));
  const until = dueBy ? ` by ${dueBy.toISOString().slice(0, 10)}` : '';
  const text = `A bank inquires about ${amount} of invoice ${invoiceId} (${reason}). No money was taken. Answer at the payment provider${until}.`;
  const alert = { key, kind: 'inquiry', text, item: disputeId };
  return new DecideAlert({ type: 'RaiseAlert', alert }, ACTOR);
}
