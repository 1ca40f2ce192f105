import { Command, CommandBus, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { limitsDecider } from '../../domain/approvals/limits-set.js';
import { refunderDecider } from '../../domain/approvals/counters.js';
import { InvoiceLots } from '../payments/invoice-lots.js';
import { RefundInvoice, type RefundRequest, type RefundResult } from '../payments/refund-invoice.js';
import { Clock } from '../shared/clock.js';
import { Streams } from '../shared/streams.js';
import { RequestApproval } from '../approvals/request-approval.js';
import type { ApprovalResult } from '../approvals/approvals.js';

export type RequestedRefund = RefundResult | ApprovalResult<{ code: 'OwnInterest' }>;

/**
 * Refunds the unspent part of an invoice. Above the daily limit it requests an approval, and no money moves before a
 * second person approves.
 */
export class RequestRefund extends Command<RequestedRefund> {
  constructor(readonly request: Omit<RefundRequest, 'mostMicroUsd' | 'approvedBy'>) {
    super();
  }
}

@CommandHandler(RequestRefund)
export class RequestRefundHandler implements ICommandHandler<RequestRefund> {
  constructor(
    private readonly streams: Streams,
    private readonly lots: InvoiceLots,
    private readonly commands: CommandBus,
    private readonly clock: Clock,
  ) {}

  async execute({ request }: RequestRefund): Promise<RequestedRefund> {
    const [lot] = await this.lots.find(request.of);
    if (!lot) return { accepted: false, rejection: { code: 'NotFound' } };
    if (lot.userId === request.by) return { accepted: false, rejection: { code: 'OwnInterest' } };
    // Tries to refund at most 0 first: the rejection says how much is due. A repeated request returns its outcome here.
    const asked = await this.refund(request, 0);
    if (asked.accepted || asked.rejection.code !== 'RefundTooLarge') return asked;
    const { amountMicroUsd } = asked.rejection;
    if (await this.isEnough(request, amountMicroUsd)) return this.refund(request, amountMicroUsd);
    const { refundId, of, by, explanation: reason } = request;
    const work = { kind: 'refund', of, amountMicroUsd } as const;
    return this.commands.execute(
      new RequestApproval({ approvalId: refundId, work, by, beneficiary: lot.userId, reason }),
    );
  }

  private refund(request: RefundRequest, mostMicroUsd: number) {
    return this.commands.execute(new RefundInvoice({ ...request, mostMicroUsd }));
  }

  /** Adds the refund to the administrator's daily total. Returns false if the total would exceed the limit. */
  private async isEnough({ refundId, by }: RefundRequest, amountMicroUsd: number): Promise<boolean> {
    const at = this.clock.now().toISOString();
    const { limits } = await this.streams.load(limitsDecider, undefined);
    const limitMicroUsd = limits.refundsMicroUsd;
    const count = { refundId, by, amountMicroUsd, limitMicroUsd, at };
    const metadata = { actor: by, correlationId: refundId };
    return (await this.streams.execute(refunderDecider, by, count, metadata)).accepted;
  }
}
