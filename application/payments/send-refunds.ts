import { Injectable } from '@nestjs/common';
import {
  creditAccountDecider,
  type CreditEvent,
  type InvoiceEvent,
} from '../../domain/credits/credit-account.js';
import { MICRO_USD_PER_CENT } from '../../domain/shared/micro-usd.js';
import { CreditExecutor } from '../purchases/credit-commands.js';
import type { Recorded } from '../shared/event-store.js';
import type { Reactor } from '../shared/reactor.js';
import type { Refund } from './commands.js';
import { RefundGateway, RefundRefused } from './refund-gateway.js';
import { Streams } from '../shared/streams.js';

type Refunded = Extract<InvoiceEvent, { type: 'InvoiceRefunded' }>;

/** Sends the money of refunds; as a reactor also what a stopped node or a silent provider left behind. */
@Injectable()
export class SendRefunds implements Reactor<Refunded> {
  readonly name = 'send-refunds';
  readonly types = ['InvoiceRefunded'] as const;

  constructor(
    private readonly streams: Streams,
    private readonly executor: CreditExecutor,
    private readonly gateway: RefundGateway,
  ) {}

  async handle({ data: refund }: Recorded<Refunded>): Promise<void> {
    if (!refund.requested) return;
    await this.sendUnlessFailed(refund, await this.historyOf(refund.userId));
  }

  historyOf(userId: string): Promise<CreditEvent[]> {
    return this.streams.history(creditAccountDecider, userId);
  }

  /** What failed is in the books as owed: it is not sent behind their back. */
  async sendUnlessFailed(refund: Refund, history: readonly CreditEvent[]): Promise<'refunded' | 'failed'> {
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
    await this.executor.correctInvoice({
      type: 'CorrectInvoice',
      userId,
      lotIds: [lotId],
      correction: { type: 'RecordRefundFailure', refundId, failure },
      metadata: { actor: 'system:refunds', correlationId: refundId },
    });
    return 'failed';
  }
}

export const centsOf = ({ netMicroUsd, taxMicroUsd }: Refund): number =>
  (netMicroUsd + taxMicroUsd) / MICRO_USD_PER_CENT;
