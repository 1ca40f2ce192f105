import { Injectable } from '@nestjs/common';
import {
  creditAccountDecider,
  type CreditEvent,
  type InvoiceEvent,
} from '../../domain/credits/credit-account.js';
import type { InvoiceLotRejection } from '../../domain/credits/invoice-lot.js';
import { assert } from '../../domain/shared/decision.js';
import { MICRO_USD_PER_CENT } from '../../domain/shared/micro-usd.js';
import { CreditDesk } from '../purchases/credit-commands.js';
import type { Recorded } from '../shared/event-store.js';
import { PaymentGatewayUnavailable } from './payment-gateway.js';
import type { Reaction } from '../shared/reaction.js';
import { RefundGateway, RefundRefused } from './refund-gateway.js';
import { Clock } from '../shared/clock.js';
import { Streams } from '../shared/streams.js';
import { InvoiceLots } from './invoice-lots.js';

type Refunded = Extract<InvoiceEvent, { type: 'InvoiceRefunded' }>;
type Refund = Refunded['data'];

export interface RefundRequest {
  /** Made by the caller: a refund is made once an id. */
  refundId: string;
  of: { invoiceId: string } | { lotId: string };
  by: string;
  explanation: string;
}

/** `pending`: the provider does not answer now; it is sent as soon as it does. */
type RefundStatus = 'refunded' | 'pending' | 'failed';

export type RefundResult =
  | {
      accepted: true;
      /** The first, with the credits of all. */
      refund: Refund;
      /** Of all. */
      amountUsdCents: number;
      status: RefundStatus;
      balance: number;
    }
  | { accepted: false; rejection: InvoiceLotRejection };

/**
 * Gives back what is unspent of an invoice: first the credits go, then the money. As a reaction it sends what
 * a stopped node or a silent provider left behind.
 */
@Injectable()
export class RefundInvoices implements Reaction<Refunded> {
  readonly name = 'send-refunds';
  readonly types = ['InvoiceRefunded'] as const;

  constructor(
    private readonly streams: Streams,
    private readonly desk: CreditDesk,
    private readonly gateway: RefundGateway,
    private readonly lots: InvoiceLots,
    private readonly clock: Clock,
  ) {}

  async request({ refundId, of, by, explanation }: RefundRequest): Promise<RefundResult> {
    const lots = await this.lots.find(of);
    const [lot] = lots;
    if (!lot) return { accepted: false, rejection: { code: 'NotFound' } };
    const now = this.clock.now().toISOString();
    const outcome = await this.desk.correctInvoice({
      type: 'CorrectInvoice',
      userId: lot.userId,
      lotIds: lots.map(({ lotId }) => lotId),
      correction: { type: 'RefundUnspent', refundId, by, explanation, now },
      metadata: { actor: by, correlationId: refundId },
    });
    if (!outcome.accepted) return outcome;
    // From the log: of a request that is repeated the refund was recorded before, one a lot.
    const history = await this.historyOf(lot.userId);
    const refunds = history.flatMap((event) =>
      event.type === 'InvoiceRefunded' && event.data.refundId.split('.')[0] === refundId ? [event.data] : [],
    );
    const [first] = refunds;
    assert(first !== undefined, 'an accepted refund is recorded');
    const outcomes: RefundStatus[] = [];
    for (const refund of refunds)
      outcomes.push(
        await this.sendUnlessFailed(refund, history).catch((error: unknown) => {
          if (error instanceof PaymentGatewayUnavailable) return 'pending' as const;
          throw error;
        }),
      );
    const status = (['pending', 'failed'] as const).find((each) => outcomes.includes(each)) ?? 'refunded';
    return {
      accepted: true,
      refund: { ...first, credits: refunds.reduce((sum, { credits }) => sum + credits, 0) },
      amountUsdCents: refunds.reduce((sum, refund) => sum + centsOf(refund), 0),
      status,
      balance: outcome.balance,
    };
  }

  async handle({ data: refund }: Recorded<Refunded>): Promise<void> {
    if (!refund.requested) return;
    await this.sendUnlessFailed(refund, await this.historyOf(refund.userId));
  }

  private historyOf(userId: string): Promise<CreditEvent[]> {
    return this.streams.history(creditAccountDecider, userId);
  }

  /** What failed is in the books as owed: it is not sent behind their back. */
  private async sendUnlessFailed(
    refund: Refund,
    history: readonly CreditEvent[],
  ): Promise<'refunded' | 'failed'> {
    const failed = history.some(
      ({ type, data }) => type === 'RefundFailed' && data.refundId === refund.refundId,
    );
    return failed ? 'failed' : this.send(refund);
  }

  private async send(refund: Refund): Promise<'refunded' | 'failed'> {
    const { userId, lotId, invoiceId, refundId } = refund;
    let failure: string | undefined;
    try {
      ({ failure } = await this.gateway.refund({ invoiceId, refundId, amountUsdCents: centsOf(refund) }));
    } catch (error) {
      if (!(error instanceof RefundRefused)) throw error;
      failure = error.reason;
    }
    if (failure === undefined) return 'refunded';
    await this.desk.correctInvoice({
      type: 'CorrectInvoice',
      userId,
      lotIds: [lotId],
      correction: { type: 'RecordRefundFailure', refundId, failure },
      metadata: { actor: 'system:refunds', correlationId: refundId },
    });
    return 'failed';
  }
}

const centsOf = ({ netMicroUsd, taxMicroUsd }: Refund): number =>
  (netMicroUsd + taxMicroUsd) / MICRO_USD_PER_CENT;
