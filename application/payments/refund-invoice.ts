import { Command, CommandBus, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { creditAccountDecider } from '../../domain/credits/credit-account.js';
import { assert, reject, type Outcome } from '../../domain/shared/decision.js';
import { sumOf } from '../../domain/shared/micro-usd.js';
import type { InvoiceLotRejection } from '../../domain/credits/invoice-lot.js';
import { CreditExecutor } from '../credits/credit-executor.js';
import { historyWithGifts } from '../credits/history-with-gifts.js';
import { Clock } from '../shared/clock.js';
import { Remarks } from '../shared/remarks.js';
import { Streams } from '../shared/streams.js';
import { SendRefund, centsOf, type RefundStatus, type Refund } from './send-refund.js';
import { InvoiceLots } from './invoice-lots.js';
import { PaymentGatewayUnavailable } from './payment-gateway.js';

export interface RefundRequest {
  /** Chosen by the caller. Each id is refunded once. */
  refundId: string;
  of: { invoiceId: string } | { lotId: string };
  by: string;
  /** The second person who approved the refund, if its amount needs an approval. */
  approvedBy?: string;
  explanation: string;
  /** The limit, tax included. If more is unspent, nothing is refunded. */
  mostMicroUsd?: number;
  /** When the buyer asked for the refund; absent if now. The refund window must have been open at this time. */
  askedAt?: string;
}

export type RefundResult = Outcome<
  {
    /**
     * The refund of the first lot. Its `credits` are the sum over the refunds of all lots, without refunds that were
     * undone.
     */
    refund: Refund;
    amountUsdCents: number;
    status: RefundStatus;
    balance: number;
  },
  InvoiceLotRejection
>;

/** Refunds the unspent part of an invoice. Takes the credits first, then sends the money. */
export class RefundInvoice extends Command<RefundResult> {
  constructor(readonly request: RefundRequest) {
    super();
  }
}

@CommandHandler(RefundInvoice)
export class RefundInvoiceHandler implements ICommandHandler<RefundInvoice> {
  constructor(
    private readonly executor: CreditExecutor,
    private readonly lots: InvoiceLots,
    private readonly streams: Streams,
    private readonly commands: CommandBus,
    private readonly remarks: Remarks,
    private readonly clock: Clock,
  ) {}

  async execute({ request: { of, explanation, askedAt, ...asked } }: RefundInvoice): Promise<RefundResult> {
    const { refundId, by } = asked;
    const lots = await this.lots.find(of);
    const [lot] = lots;
    if (!lot) return reject({ code: 'NotFound' });
    const now = askedAt ?? this.clock.now().toISOString();
    const about = { stream: creditAccountDecider.streamOf(lot.userId), about: [lot.payerId] };
    const remark = await this.remarks.keep(explanation, about);
    const outcome = await this.executor.correctInvoice({
      type: 'CorrectInvoice',
      userId: lot.userId,
      lotIds: lots.map(({ lotId }) => lotId),
      correction: { type: 'RefundUnspent', ...asked, explanation: '', ...remark, now },
      metadata: { actor: by, correlationId: refundId },
    });
    if (!outcome.accepted) return outcome;
    // Reads the log, because a repeated request records nothing new. Each lot has its own refund.
    const history = await historyWithGifts(this.streams, outcome.userId);
    const refunds = history.flatMap((event) =>
      event.type === 'InvoiceRefunded' && event.data.refundId.split('.')[0] === refundId ? [event.data] : [],
    );
    const [first] = refunds;
    assert(first !== undefined, 'an accepted refund is recorded');
    const outcomes: RefundStatus[] = [];
    for (const refund of refunds)
      try {
        outcomes.push((await this.commands.execute(new SendRefund(refund))).status);
      } catch (error) {
        if (!(error instanceof PaymentGatewayUnavailable)) throw error;
        outcomes.push('pending');
      }
    const status = (['pending', 'failed'] as const).find((each) => outcomes.includes(each)) ?? 'refunded';
    const after = await this.streams.history(creditAccountDecider, outcome.userId);
    const undone = new Set(
      after.flatMap(({ type, data }) => (type === 'RefundUndone' ? [data.refundId] : [])),
    );
    const taken = refunds.filter((refund) => !undone.has(refund.refundId));
    return {
      accepted: true,
      refund: { ...first, credits: sumOf(taken.map(({ credits }) => credits)) },
      amountUsdCents: sumOf(refunds.map(centsOf)),
      status,
      balance: after.reduce(creditAccountDecider.evolve, creditAccountDecider.initialState).balanceCredits,
    };
  }
}
