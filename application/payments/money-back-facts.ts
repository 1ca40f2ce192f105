import { Injectable } from '@nestjs/common';
import type { InvoiceLotCommand } from '../../domain/credits/invoice-lot.js';
import { releasedBefore } from '../../domain/payouts/policy.js';
import { microUsdFromCents } from '../../domain/shared/micro-usd.js';
import { Clock } from '../shared/clock.js';
import { CreditExecutor } from '../purchases/credit-commands.js';
import { PaymentGateway, type PaymentEvent } from './payment-gateway.js';
import { PaymentRecords } from './payment-records.js';
import { RefundGateway, type ProviderDispute, type ProviderRefund } from './refund-gateway.js';
import { forEachCollectingErrors } from '../shared/for-each-collecting-errors.js';
import { SettleInvoice } from '../subscriptions/settle-invoice.js';
import { InvoiceLots, type LotOfInvoice } from './invoice-lots.js';

const DAY_MS = 86_400_000;
/** Webhooks are repeated for three days; one day more, and nothing falls between. */
const LOOK_BACK_MS = 4 * DAY_MS;

/** What the provider tells of refunds and disputes; never believed, always read again, recorded once. */
@Injectable()
export class MoneyBackFacts {
  constructor(
    private readonly executor: CreditExecutor,
    private readonly gateway: RefundGateway,
    private readonly payments: PaymentGateway,
    private readonly settle: SettleInvoice,
    private readonly records: PaymentRecords,
    private readonly lots: InvoiceLots,
    private readonly clock: Clock,
  ) {}

  /** @returns whether the event was about money that went back for an invoice of ours */
  async handle(event: PaymentEvent): Promise<boolean> {
    if (event.accountId) return false;
    const chargeId = await this.gateway.chargeBehind(event);
    if (chargeId === undefined) return false;
    let ours = false;
    // What went back first is recorded first, whatever is told first: what a refund takes, a dispute does not find.
    for (const fact of await this.gateway.moneyBackOf(chargeId))
      ours =
        'refund' in fact
          ? await this.recordRefund(fact.refund, event.id)
          : await this.recordDispute(fact.dispute, event.id);
    return ours;
  }

  /** Finds what no webhook told of. @returns how many events were taken up @throws the last failure, after all were tried */
  async sweep(): Promise<number> {
    const now = this.clock.now();
    const since = new Date(this.clock.now().getTime() - LOOK_BACK_MS);
    let taken = 0;
    await forEachCollectingErrors(await this.gateway.listEvents(since), async (event) => {
      if (await this.records.receive(event, now)) return;
      await this.handle(event);
      await this.records.markHandled(event.id, now);
      taken += 1;
    });
    return taken;
  }

  private async recordRefund(refund: ProviderRefund, causationId: string): Promise<boolean> {
    const lots = await this.lotsOf(refund.invoiceId, causationId);
    if (lots.length === 0) return false;
    const { refundId, failure } = refund;
    const amountMicroUsd = microUsdFromCents(refund.amountUsdCents);
    await this.correct(lots, { type: 'RecordRefund', refundId, amountMicroUsd }, refundId, causationId);
    if (failure !== undefined)
      await this.correct(lots, { type: 'RecordRefundFailure', refundId, failure }, refundId, causationId);
    return true;
  }

  private async recordDispute(dispute: ProviderDispute, causationId: string): Promise<boolean> {
    const lots = await this.lotsOf(dispute.invoiceId, causationId);
    if (lots.length === 0) return false;
    const { disputeId, status: outcome } = dispute;
    const opening: InvoiceLotCommand = {
      type: 'RecordDispute',
      disputeId,
      amountMicroUsd: microUsdFromCents(dispute.amountUsdCents),
      feeMicroUsd: microUsdFromCents(dispute.feeUsdCents),
    };
    await this.correct(lots, opening, disputeId, causationId);
    if (outcome === 'open') return true;
    // The lots are frozen: nobody earns by them any more while this is read.
    const held = releasedBefore(this.clock.now());
    const lost = outcome === 'lost' ? lots : [];
    const shares = (await Promise.all(lost.map((lot) => this.lots.sharesSoldAfter(lot, held)))).flat();
    const closing: InvoiceLotCommand = { type: 'RecordDisputeClosed', disputeId, outcome, shares };
    await this.correct(lots, closing, disputeId, causationId);
    return true;
  }

  private async correct(
    lots: LotOfInvoice[],
    correction: InvoiceLotCommand,
    correlationId: string,
    causationId: string,
  ): Promise<void> {
    const metadata = { actor: 'system:payments', correlationId, causationId };
    const outcome = await this.executor.correctInvoice({
      type: 'CorrectInvoice',
      userId: (lots[0] as LotOfInvoice).userId,
      lotIds: lots.map(({ lotId }) => lotId),
      correction,
      metadata,
    });
    // The provider would have to give back more than it took: nothing that could be recorded.
    if (!outcome.accepted)
      throw new Error(`${correction.type} ${correlationId} was refused: ${outcome.rejection.code}`);
  }

  private async lotsOf(invoiceId: string, causationId: string): Promise<LotOfInvoice[]> {
    const known = await this.lots.find({ invoiceId });
    if (known.length > 0) return known;
    // Told of before its payment was.
    const invoice = await this.payments.readInvoice(invoiceId);
    if (!invoice) return [];
    await this.settle.settle(invoice, { actor: 'system:payments', causationId });
    return this.lots.find({ invoiceId });
  }
}
