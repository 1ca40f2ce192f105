import { Injectable } from '@nestjs/common';
import { CommandBus, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { InvoiceLotCommand } from '../../domain/credits/invoice-lot.js';
import { releasedBefore } from '../../domain/payouts/policy.js';
import { microUsdFromCents } from '../../domain/shared/micro-usd.js';
import { CreditExecutor } from '../purchases/credit-executor.js';
import { Clock } from '../shared/clock.js';
import type { EventMetadata } from '../shared/event-store.js';
import { SettleInvoice } from '../subscriptions/commands.js';
import { RecordDispute, RecordRefund } from './commands.js';
import { InvoiceLots, type LotOfInvoice } from './invoice-lots.js';
import { PaymentGateway } from './payment-gateway.js';

const ACTOR = 'system:payments';

/** Corrects the lots that an invoice became. */
@Injectable()
abstract class MoneyBackHandler {
  constructor(
    private readonly executor: CreditExecutor,
    private readonly payments: PaymentGateway,
    private readonly commands: CommandBus,
    protected readonly lots: InvoiceLots,
    protected readonly clock: Clock,
  ) {}

  protected async lotsOf(invoiceId: string, causationId: string): Promise<LotOfInvoice[]> {
    const known = await this.lots.find({ invoiceId });
    if (known.length > 0) return known;
    // Told of before its payment was.
    const invoice = await this.payments.readInvoice(invoiceId);
    if (!invoice) return [];
    await this.commands.execute(new SettleInvoice(invoice, { actor: ACTOR, causationId }));
    return this.lots.find({ invoiceId });
  }

  protected async correct(
    lots: LotOfInvoice[],
    correction: InvoiceLotCommand,
    why: Omit<EventMetadata, 'actor'>,
  ): Promise<void> {
    const outcome = await this.executor.correctInvoice({
      type: 'CorrectInvoice',
      userId: (lots[0] as LotOfInvoice).userId,
      lotIds: lots.map(({ lotId }) => lotId),
      correction,
      metadata: { actor: ACTOR, ...why },
    });
    // The provider would have to give back more than it took: nothing that could be recorded.
    if (!outcome.accepted)
      throw new Error(`${correction.type} ${why.correlationId} was refused: ${outcome.rejection.code}`);
  }
}

@CommandHandler(RecordRefund)
export class RecordRefundHandler extends MoneyBackHandler implements ICommandHandler<RecordRefund> {
  async execute({ refund, causationId }: RecordRefund): Promise<boolean> {
    const lots = await this.lotsOf(refund.invoiceId, causationId);
    if (lots.length === 0) return false;
    const { refundId, failure } = refund;
    const why = { correlationId: refundId, causationId };
    const amountMicroUsd = microUsdFromCents(refund.amountUsdCents);
    await this.correct(lots, { type: 'RecordRefund', refundId, amountMicroUsd }, why);
    if (failure !== undefined)
      await this.correct(lots, { type: 'RecordRefundFailure', refundId, failure }, why);
    return true;
  }
}

@CommandHandler(RecordDispute)
export class RecordDisputeHandler extends MoneyBackHandler implements ICommandHandler<RecordDispute> {
  async execute({ dispute, causationId }: RecordDispute): Promise<boolean> {
    const lots = await this.lotsOf(dispute.invoiceId, causationId);
    if (lots.length === 0) return false;
    const { disputeId, status: outcome } = dispute;
    const why = { correlationId: disputeId, causationId };
    const amountMicroUsd = microUsdFromCents(dispute.amountUsdCents);
    const feeMicroUsd = microUsdFromCents(dispute.feeUsdCents);
    await this.correct(lots, { type: 'RecordDispute', disputeId, amountMicroUsd, feeMicroUsd }, why);
    if (outcome === 'open') return true;
    // The lots are frozen: nobody earns by them any more while this is read.
    const held = releasedBefore(this.clock.now());
    const lost = outcome === 'lost' ? lots : [];
    const shares = (await Promise.all(lost.map((lot) => this.lots.sharesSoldAfter(lot, held)))).flat();
    await this.correct(lots, { type: 'RecordDisputeClosed', disputeId, outcome, shares }, why);
    return true;
  }
}
