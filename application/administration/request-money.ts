import { Command, CommandBus, CommandHandler, type CommandResult, type ICommandHandler } from '@nestjs/cqrs';
import { adjusterCounter, refunderDecider, type Adjustment } from '../../domain/approvals/adjustment.js';
import type { ApprovalRejection } from '../../domain/approvals/approval.js';
import { limitsDecider } from '../../domain/approvals/limits-set.js';
import { historyWithGifts } from '../credits/history-with-gifts.js';
import {
  leftOfNamed,
  compensationCounter,
  type LeftToCompensate,
  type Compensation,
} from '../../domain/credits/compensation.js';
import { recent } from '../../domain/shared/counter.js';
import { reject, type Outcome } from '../../domain/shared/decision.js';
import { ALONE_WINDOW_MS } from '../../domain/shared/limits.js';
import { DEAREST_CREDIT_MICRO_USD } from '../../domain/subscriptions/products.js';
import { Approvals, type ApprovalResult } from '../approvals/approvals.js';
import { CarryOutRequest, RequestApproval } from '../approvals/decide-on-request.js';
import { ApprovalQueries } from '../approvals/queries.js';
import { CreditStatementQueries } from '../credits/queries.js';
import { Clock } from '../shared/clock.js';
import { Streams } from '../shared/streams.js';
import type { AdjustmentAnswer } from './contract.js';
import { InvoiceLots } from '../payments/invoice-lots.js';
import { RefundInvoice, type RefundRequest, type RefundResult } from '../payments/refund-invoice.js';

export interface RequestedAdjustment extends Omit<Adjustment, 'paidLotId'> {
  approvalId: string;
  by: string;
  reason: string;
}

/** Gives or takes credits: at once within the administrator's limits, otherwise after a second person's approval. */
export class RequestAdjustment extends Command<
  Outcome<
    AdjustmentAnswer,
    ApprovalRejection | { code: 'RevocationTooLarge'; balance: number; missing: number }
  >
> {
  constructor(readonly requested: RequestedAdjustment) {
    super();
  }
}

@CommandHandler(RequestAdjustment)
export class RequestAdjustmentHandler implements ICommandHandler<RequestAdjustment> {
  constructor(
    private readonly streams: Streams,
    private readonly approvals: Approvals,
    private readonly requests: ApprovalQueries,
    private readonly statements: CreditStatementQueries,
    private readonly commands: CommandBus,
    private readonly clock: Clock,
  ) {}

  async execute({ requested }: RequestAdjustment): Promise<CommandResult<RequestAdjustment>> {
    const { approvalId, userId, credits } = requested;
    const decision = await this.request(requested);
    if (!decision.accepted) return decision;
    const outcome = await this.commands.execute(new CarryOutRequest(approvalId));
    if (!outcome.accepted) return outcome;
    const { balance } = await this.statements.balance(userId);
    const { id, status } = outcome;
    if (status === 'carried out') return { accepted: true, id, status: 'applied', balance };
    if (status !== 'not carried out') return { accepted: true, id, status };
    if (credits < 0) return reject({ code: 'RevocationTooLarge', balance, missing: -credits - balance });
    const left = await this.leftOf(requested, await this.streams.load(compensationCounter, userId));
    return reject({ code: 'MadeGoodAlready', mostMicroUsd: left?.leftMicroUsd ?? 0 });
  }

  private async request({ approvalId, by, reason, ...asked }: RequestedAdjustment) {
    const { userId, credits, valueMicroUsd, makesGood } = asked;
    const request = { approvalId, by, beneficiary: userId };
    const said = await this.approvals.keep(reason, { ...request, work: { kind: 'adjustment', ...asked } });
    const boughtFromThem = await this.approvals.boughtFrom(by, userId);
    const decider = await this.approvals.deciderOf(approvalId);
    return this.streams.transact({ actor: by, correlationId: approvalId }, async (work) => {
      // Opens this stream before checking the limits, so that a concurrent request conflicts and restarts the work.
      const adjuster = await work.open(adjusterCounter, by);
      const approval = await work.open(decider, approvalId);
      const made = await work.open(compensationCounter, userId);
      const { limits } = (await work.open(limitsDecider, undefined)).state;
      const at = this.clock.now().toISOString();
      const left = await this.leftOf(asked, made.state);
      const facts = {
        boughtFromThem,
        others: await this.standing(recent(adjuster.state, at, ALONE_WINDOW_MS)),
        limits,
        mostMicroUsdPerCredit: DEAREST_CREDIT_MICRO_USD,
        leftToCompensateMicroUsd: left?.leftMicroUsd,
      };
      const paidLotId = valueMicroUsd > 0 ? left?.paidLotId : undefined;
      const against = paidLotId === undefined ? {} : { paidLotId };
      const adjustment = { kind: 'adjustment', ...asked, ...against } as const;
      const asks = { ...request, work: adjustment, ...said, facts, now: at };
      const decision = approval.decide({ type: 'RequestApproval', ...asks });
      // A repeated request has no new event, so it does not count towards the limits a second time.
      if (approval.events.length > 0) {
        adjuster.decide({ adjustmentId: approvalId, by, at, credits, valueMicroUsd });
        if (makesGood !== undefined && valueMicroUsd > 0)
          made.decide({ adjustmentId: approvalId, userId, makesGood, ...against, valueMicroUsd, at });
      }
      return decision;
    });
  }

  private async leftOf(
    { userId, makesGood }: Pick<Adjustment, 'userId' | 'makesGood'>,
    made: readonly Compensation[],
  ): Promise<LeftToCompensate | undefined> {
    if (makesGood === undefined) return undefined;
    const history = await historyWithGifts(this.streams, userId);
    return leftOfNamed(makesGood, history, await this.standing(made));
  }

  /** Leaves out adjustments that were declined, withdrawn, lapsed or impossible. */
  private async standing<Counted extends { adjustmentId: string }>(counted: readonly Counted[]) {
    const gone = await this.requests.withoutEffect(counted.map(({ adjustmentId }) => adjustmentId));
    return counted.filter(({ adjustmentId }) => !gone.has(adjustmentId));
  }
}

/** Refunds the unspent part of an invoice. Above the administrator's daily limit, requests an approval instead. */
export class RequestRefund extends Command<RefundResult | ApprovalResult<{ code: 'OwnInterest' }>> {
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

  async execute({ request }: RequestRefund): Promise<CommandResult<RequestRefund>> {
    const [lot] = await this.lots.find(request.of);
    if (!lot) return reject({ code: 'NotFound' });
    if (lot.payerId === request.by) return reject({ code: 'OwnInterest' });
    // Tries a refund of at most 0, because its refusal states the amount due. A repeated request returns its first
    // outcome.
    const asked = await this.refund(request, 0);
    if (asked.accepted || asked.rejection.code !== 'RefundTooLarge') return asked;
    const { amountMicroUsd } = asked.rejection;
    if (await this.isEnough(request, amountMicroUsd)) return this.refund(request, amountMicroUsd);
    const { refundId, of, by, explanation: reason } = request;
    const work = { kind: 'refund', of, amountMicroUsd } as const;
    return this.commands.execute(
      new RequestApproval({ approvalId: refundId, work, by, beneficiary: lot.payerId, reason }),
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
