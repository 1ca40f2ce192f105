import { Injectable } from '@nestjs/common';
import { Command, CommandBus, CommandHandler, type CommandResult, type ICommandHandler } from '@nestjs/cqrs';
import {
  creditAccountDecider,
  grantsIn,
  type CreditEvent,
  type InvoiceEvent,
} from '../../domain/credits/credit-account.js';
import type { InvoiceLotCommand } from '../../domain/credits/invoice-lot.js';
import { MICRO_USD_PER_CENT } from '../../domain/shared/micro-usd.js';
import { DecideAlert } from '../alerts/decide-alert.js';
import { CreditExecutor } from '../credits/credit-executor.js';
import type { Recorded, Reactor } from '../shared/event-store.js';
import { Streams } from '../shared/streams.js';
import { RefundGateway, RefundRefused } from './refund-gateway.js';

export type Refund = Extract<InvoiceEvent, { type: 'InvoiceRefunded' }>['data'];

/** `pending`: the provider does not answer, or has accepted the refund and not sent it yet. */
export type RefundStatus = 'refunded' | 'pending' | 'failed';

/** Sends the money of a refund. A refund that failed before is not sent again, because the books list it as owed. */
export class SendRefund extends Command<{ accepted: true; status: RefundStatus }> {
  constructor(readonly refund: Refund) {
    super();
  }
}

type Refunded = Extract<InvoiceEvent, { type: 'InvoiceRefunded' }>;

/** Sends refunds, and sends them again if the node stopped or the provider did not answer. */
@Injectable()
export class SendRefunds implements Reactor<Refunded> {
  readonly name = 'send-refunds';
  readonly streamsAtOnce = 2;
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
    private readonly commands: CommandBus,
  ) {}

  async execute({ refund }: SendRefund): Promise<CommandResult<SendRefund>> {
    const { userId, lotId, refundId } = refund;
    const history = await this.streams.history(creditAccountDecider, userId);
    const ended = history.some(
      (event) =>
        (event.type === 'RefundFailed' || event.type === 'RefundUndone') && event.data.refundId === refundId,
    );
    if (ended) return { accepted: true, status: 'failed' };
    const correction = await this.correctionOf(refund, history);
    const status = STATUS[correction.type];
    if (status === 'refunded' && !wasPending(history, refundId)) return { accepted: true, status };
    await this.executor.correctInvoice({
      type: 'CorrectInvoice',
      userId,
      lotIds: [lotId],
      correction,
      metadata: { actor: 'system:refunds', correlationId: refundId },
    });
    return { accepted: true, status };
  }

  private async correctionOf(
    refund: Refund,
    history: readonly CreditEvent[],
  ): Promise<Extract<InvoiceLotCommand, { type: keyof typeof STATUS }>> {
    const { invoiceId, refundId } = refund;
    try {
      const taxed = refund.taxPlace !== undefined;
      const order = { invoiceId, refundId, amountUsdCents: centsOf(refund), taxed };
      const { failure, pending, withoutNote } = await this.gateway.refund(order);
      if (withoutNote !== undefined) await this.commands.execute(noNote(refundId, withoutNote));
      if (failure !== undefined) return { type: 'RecordRefundFailure', refundId, failure };
      if (pending !== undefined) return { type: 'RecordRefundPending', refundId, reason: pending };
      return { type: 'RecordRefundSent', refundId };
    } catch (error) {
      if (!(error instanceof RefundRefused)) throw error;
      return { type: 'UndoRefund', refundId, refund, refusal: error.reason, grants: grantsIn(history) };
    }
  }
}

/** Raises an alert: the books gave the tax back, but the provider's report still counts it. */
function noNote(refundId: string, why: string): DecideAlert {
  const text = `A refund returned tax, but Stripe created no credit note: ${why} Its tax report still counts that tax.`;
  const alert = { key: `credit-note-${refundId}`, kind: 'credit-note', text, item: refundId };
  return new DecideAlert({ type: 'RaiseAlert', alert }, 'system:refunds');
}

const STATUS = {
  RecordRefundSent: 'refunded',
  RecordRefundPending: 'pending',
  RecordRefundFailure: 'failed',
  UndoRefund: 'failed',
} as const;

const wasPending = (history: readonly CreditEvent[], refundId: string): boolean =>
  history.some(({ type, data }) => type === 'RefundPending' && data.refundId === refundId);

export const centsOf = ({ netMicroUsd, taxMicroUsd }: Refund): number =>
  (netMicroUsd + taxMicroUsd) / MICRO_USD_PER_CENT;
