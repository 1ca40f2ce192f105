import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import {
  adjusterDecider,
  adjustmentDecider,
  madeGoodDecider,
  togetherDecider,
  type AdjustmentCounted,
} from '../../domain/credits/adjustment.js';
import { creditAccountDecider } from '../../domain/credits/credit-account.js';
import { leftOfNamed } from '../../domain/credits/making-good.js';
import { limitsDecider } from '../../domain/approvals/limits-set.js';
import { ALONE_WINDOW_MS } from '../../domain/shared/limits.js';
import { DEAREST_CREDIT_MICRO_USD } from '../../domain/subscriptions/plans.js';
import { AdjustmentQueries } from './queries.js';
import { Clock } from '../shared/clock.js';
import { Remarks } from '../shared/remarks.js';
import { Streams } from '../shared/streams.js';
import { Adjustments } from './adjustments.js';
import {
  ApplyAdjustment,
  ApproveAdjustment,
  DeclineAdjustment,
  RequestAdjustment,
  type AdjustmentResult,
} from './commands.js';

@CommandHandler(RequestAdjustment)
export class RequestAdjustmentHandler implements ICommandHandler<RequestAdjustment> {
  constructor(
    private readonly streams: Streams,
    private readonly adjustments: Adjustments,
    private readonly records: AdjustmentQueries,
    private readonly remarks: Remarks,
    private readonly clock: Clock,
  ) {}

  async execute({ requested }: RequestAdjustment): Promise<AdjustmentResult> {
    const { adjustmentId, userId, by, credits, valueMicroUsd, makesGood } = requested;
    const boughtFromThem = await this.adjustments.boughtFrom(by, userId);
    const of = { stream: adjustmentDecider.streamOf(adjustmentId), about: [userId] };
    const said = { explanation: '', ...(await this.remarks.keep(requested.explanation, of)) };
    const metadata = { actor: by, correlationId: adjustmentId };
    const { decision, state } = await this.streams.transact(metadata, async (work) => {
      // The append must see the same version as the check of the limits.
      const adjuster = await work.open(adjusterDecider, by);
      const adjustment = await work.open(adjustmentDecider, adjustmentId);
      const now = this.clock.now();
      const others = await this.recent(adjuster.state, now);
      const made = await work.open(madeGoodDecider, userId);
      const left =
        makesGood === undefined
          ? undefined
          : leftOfNamed(
              makesGood,
              await this.streams.history(creditAccountDecider, userId),
              await this.standing(made.state),
            );
      const { limits } = await work.open(limitsDecider, undefined).then(({ state }) => state);
      const facts = {
        boughtFromThem,
        others,
        limits,
        mostMicroUsdPerCredit: DEAREST_CREDIT_MICRO_USD,
        leftToMakeGoodMicroUsd: left?.leftMicroUsd,
      };
      const paidLotId = valueMicroUsd > 0 ? left?.paidLotId : undefined;
      const against = paidLotId === undefined ? {} : { paidLotId };
      const at = now.toISOString();
      const decision = adjustment.decide({
        type: 'RequestAdjustment',
        ...requested,
        ...against,
        ...said,
        facts,
        now: at,
      });
      // A repeated request gets the outcome of the first, even if the limits have changed.
      if (adjustment.events.length > 0) {
        adjuster.decide({ type: 'CountAdjustment', adjustmentId, by, credits, valueMicroUsd, now: at });
        if (makesGood !== undefined && valueMicroUsd > 0)
          made.decide({
            type: 'CountMadeGood',
            adjustmentId,
            userId,
            makesGood,
            ...against,
            valueMicroUsd,
            now: at,
          });
      }
      return { decision, state: adjustment.state };
    });
    return decision.accepted ? this.adjustments.settle(state) : decision;
  }

  private recent(
    counted: readonly AdjustmentCounted['data'][],
    now: Date,
  ): Promise<AdjustmentCounted['data'][]> {
    const since = new Date(now.getTime() - ALONE_WINDOW_MS).toISOString();
    return this.standing(counted.filter(({ at }) => at > since));
  }

  /** Leaves out adjustments that were declined or failed. */
  private async standing<Counted extends { adjustmentId: string }>(
    counted: readonly Counted[],
  ): Promise<Counted[]> {
    const undone = await this.records.undone(counted.map(({ adjustmentId }) => adjustmentId));
    return counted.filter(({ adjustmentId }) => !undone.has(adjustmentId));
  }
}

@CommandHandler(ApproveAdjustment)
export class ApproveAdjustmentHandler implements ICommandHandler<ApproveAdjustment> {
  constructor(
    private readonly streams: Streams,
    private readonly adjustments: Adjustments,
    private readonly clock: Clock,
  ) {}

  async execute({ adjustmentId, by: approvedBy }: ApproveAdjustment): Promise<AdjustmentResult> {
    const approver = await this.adjustments.approverOf(adjustmentId, approvedBy);
    const metadata = { actor: approvedBy, correlationId: adjustmentId };
    const { decision, state } = await this.streams.transact(metadata, async (work) => {
      const adjustment = await work.open(adjustmentDecider, adjustmentId);
      const { state: asked } = adjustment;
      const by = asked.status === 'none' ? approvedBy : asked.by;
      const both = await work.open(togetherDecider, { by, approvedBy });
      const now = this.clock.now().toISOString();
      const approve = { type: 'ApproveAdjustment', ...approver, together: both.state, now } as const;
      const decision = adjustment.decide(approve);
      const { events } = adjustment;
      if (asked.status !== 'none' && events.length > 0 && asked.valueMicroUsd > 0) {
        const { valueMicroUsd } = asked;
        both.decide({ type: 'CountTogether', adjustmentId, by, approvedBy, valueMicroUsd, now });
      }
      return { decision, state: adjustment.state };
    });
    return decision.accepted ? this.adjustments.settle(state) : decision;
  }
}

@CommandHandler(DeclineAdjustment)
export class DeclineAdjustmentHandler implements ICommandHandler<DeclineAdjustment> {
  constructor(
    private readonly adjustments: Adjustments,
    private readonly remarks: Remarks,
  ) {}

  async execute({ adjustmentId, by, reason }: DeclineAdjustment): Promise<AdjustmentResult> {
    const approver = await this.adjustments.approverOf(adjustmentId, by);
    const state = await this.adjustments.load(adjustmentId);
    const about = state.status === 'none' ? [] : [state.userId];
    const of = { stream: adjustmentDecider.streamOf(adjustmentId), about };
    const said = reason === undefined ? {} : { reason: '', ...(await this.remarks.keep(reason, of)) };
    const decline = { type: 'DeclineAdjustment', ...approver, ...said } as const;
    const decided = await this.adjustments.decide(adjustmentId, decline, by);
    return decided.accepted ? { accepted: true, id: adjustmentId, status: 'declined' } : decided;
  }
}

@CommandHandler(ApplyAdjustment)
export class ApplyAdjustmentHandler implements ICommandHandler<ApplyAdjustment> {
  constructor(private readonly adjustments: Adjustments) {}

  async execute({ adjustmentId }: ApplyAdjustment): Promise<AdjustmentResult> {
    return this.adjustments.settle(await this.adjustments.load(adjustmentId));
  }
}

export const ADJUSTMENT_HANDLERS = [
  RequestAdjustmentHandler,
  ApproveAdjustmentHandler,
  DeclineAdjustmentHandler,
  ApplyAdjustmentHandler,
];
