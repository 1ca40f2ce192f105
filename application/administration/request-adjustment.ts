import { Command, CommandBus, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Adjustment } from '../../domain/approvals/adjustment.js';
import type { ApprovalRejection } from '../../domain/approvals/approval.js';
import { adjusterCounter } from '../../domain/approvals/counters.js';
import { limitsDecider } from '../../domain/approvals/limits-set.js';
import { creditAccountDecider } from '../../domain/credits/credit-account.js';
import {
  leftOfNamed,
  madeGoodCounter,
  type LeftToMakeGood,
  type MadeGood,
} from '../../domain/credits/making-good.js';
import { recent } from '../../domain/shared/counter.js';
import type { Outcome } from '../../domain/shared/decision.js';
import { ALONE_WINDOW_MS } from '../../domain/shared/limits.js';
import { DEAREST_CREDIT_MICRO_USD } from '../../domain/subscriptions/plans.js';
import { Approvals } from '../approvals/approvals.js';
import { CarryOutRequest } from '../approvals/carry-out-request.js';
import { ApprovalQueries } from '../approvals/queries.js';
import { CreditStatementQueries } from '../credits/queries.js';
import { Clock } from '../shared/clock.js';
import { Streams } from '../shared/streams.js';
import type { AdjustmentAnswer } from './contract.js';

export type AdjustmentResult = Outcome<
  AdjustmentAnswer,
  ApprovalRejection | { code: 'RevocationTooLarge'; balance: number; missing: number }
>;

export interface RequestedAdjustment extends Omit<Adjustment, 'paidLotId'> {
  approvalId: string;
  by: string;
  reason: string;
}

/** Gives or takes credits: immediately within the administrator's limits, otherwise once a second person approves. */
export class RequestAdjustment extends Command<AdjustmentResult> {
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

  async execute({ requested }: RequestAdjustment): Promise<AdjustmentResult> {
    const { approvalId, userId, credits } = requested;
    const decision = await this.request(requested);
    if (!decision.accepted) return decision;
    const outcome = await this.commands.execute(new CarryOutRequest(approvalId));
    if (!outcome.accepted) return outcome;
    const { balance } = await this.statements.balance(userId);
    const { id, status } = outcome;
    if (status === 'carried out') return { accepted: true, id, status: 'applied', balance };
    if (status !== 'not carried out') return { accepted: true, id, status };
    if (credits < 0) {
      const missing = -credits - balance;
      return { accepted: false, rejection: { code: 'RevocationTooLarge', balance, missing } };
    }
    const left = await this.leftOf(requested, await this.streams.load(madeGoodCounter, userId));
    const mostMicroUsd = left?.leftMicroUsd ?? 0;
    return { accepted: false, rejection: { code: 'MadeGoodAlready', mostMicroUsd } };
  }

  private async request({ approvalId, by, reason, ...asked }: RequestedAdjustment) {
    const { userId, credits, valueMicroUsd, makesGood } = asked;
    const request = { approvalId, by, beneficiary: userId };
    const said = await this.approvals.keep(reason, { ...request, work: { kind: 'adjustment', ...asked } });
    const boughtFromThem = await this.approvals.boughtFrom(by, userId);
    const decider = await this.approvals.deciderOf(approvalId);
    return this.streams.transact({ actor: by, correlationId: approvalId }, async (work) => {
      // Opened before the limits are checked, so that a concurrent request conflicts and restarts this work.
      const adjuster = await work.open(adjusterCounter, by);
      const approval = await work.open(decider, approvalId);
      const made = await work.open(madeGoodCounter, userId);
      const { limits } = (await work.open(limitsDecider, undefined)).state;
      const at = this.clock.now().toISOString();
      const left = await this.leftOf(asked, made.state);
      const facts = {
        boughtFromThem,
        others: await this.standing(recent(adjuster.state, at, ALONE_WINDOW_MS)),
        limits,
        mostMicroUsdPerCredit: DEAREST_CREDIT_MICRO_USD,
        leftToMakeGoodMicroUsd: left?.leftMicroUsd,
      };
      const paidLotId = valueMicroUsd > 0 ? left?.paidLotId : undefined;
      const against = paidLotId === undefined ? {} : { paidLotId };
      const adjustment = { kind: 'adjustment', ...asked, ...against } as const;
      const asks = {
        type: 'RequestApproval',
        ...request,
        work: adjustment,
        ...said,
        facts,
        now: at,
      } as const;
      const decision = approval.decide(asks);
      // A repeated request gets the outcome of the first, even if the limits have changed.
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
    made: readonly MadeGood[],
  ): Promise<LeftToMakeGood | undefined> {
    if (makesGood === undefined) return undefined;
    const history = await this.streams.history(creditAccountDecider, userId);
    return leftOfNamed(makesGood, history, await this.standing(made));
  }

  /** Leaves out adjustments that had no effect and never will. */
  private async standing<Counted extends { adjustmentId: string }>(
    counted: readonly Counted[],
  ): Promise<Counted[]> {
    const gone = await this.requests.withoutEffect(counted.map(({ adjustmentId }) => adjustmentId));
    return counted.filter(({ adjustmentId }) => !gone.has(adjustmentId));
  }
}
