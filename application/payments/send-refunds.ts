import { Injectable } from '@nestjs/common';
import { CommandBus, CommandHandler, type CommandResult, type ICommandHandler } from '@nestjs/cqrs';
import { creditAccountDecider, type InvoiceEvent } from '../../domain/credits/credit-account.js';
import { MICRO_USD_PER_CENT } from '../../domain/shared/micro-usd.js';
import { CreditExecutor } from '../purchases/credit-executor.js';
import type { Recorded } from '../shared/event-store.js';
import type { Reactor } from '../shared/reactor.js';
import { Streams } from '../shared/streams.js';
import { SendRefund, type Refund } from './commands.js';
import { RefundGateway, RefundRefused } from './refund-gateway.js';

type Refunded = Extract<InvoiceEvent, { type: 'InvoiceRefunded' }>;

/** Sends the money that a stopped node or a silent provider left behind. */
@Injectable()
export class SendRefunds implements Reactor<Refunded> {
  readonly name = 'send-refunds';
  readonly types = ['InvoiceRefunded'] as const;

  constructor(private readonly commands: CommandBus) {}

  async handle({ data: refund }: Recorded<Refunded>): Promise<void> {
    if (refund.requested) await this.commands.execute(new SendRefund(refund));
  }
}

@CommandHandler(SendRefund)
export class SendRefundHandler implements ICommandHandler<SendRefund> {
  constructor(
    private readonly streams: Streams,
    private readonly executor: CreditExecutor,
    private readonly gateway: RefundGateway,
  ) {}

  async execute({ refund }: SendRefund): Promise<CommandResult<SendRefund>> {
    const { userId, lotId, refundId } = refund;
    const history = await this.streams.history(creditAccountDecider, userId);
    if (history.some(({ type, data }) => type === 'RefundFailed' && data.refundId === refundId))
      return 'failed';
    const failure = await this.failureOf(refund);
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

  private async failureOf(refund: Refund): Promise<string | undefined> {
    const { invoiceId, refundId } = refund;
    try {
      return (await this.gateway.refund({ invoiceId, refundId, amountUsdCents: centsOf(refund) })).failure;
    } catch (error) {
      if (!(error instanceof RefundRefused)) throw error;
      return error.reason;
    }
  }
}

export const centsOf = ({ netMicroUsd, taxMicroUsd }: Refund): number =>
  (netMicroUsd + taxMicroUsd) / MICRO_USD_PER_CENT;
