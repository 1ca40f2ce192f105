import { Injectable } from '@nestjs/common';
import {
  ADJUSTMENT_WINDOW_MS,
  adjusterDecider,
  adjustmentDecider,
  RELATED_BUYER_DAYS,
  type AdjustmentCommand,
  type AdjustmentCounted,
  type AdjustmentEvent,
  type AdjustmentRejection,
  type AdjustmentState,
  type RequestedAdjustment,
} from '../../domain/credits/adjustment.js';
import { assert } from '../../domain/shared/decision.js';
import { PLANS, unitPriceMicroUsd } from '../../domain/subscriptions/plans.js';
import { Clock } from '../shared/clock.js';
import { CreditDesk } from '../purchases/credit-commands.js';
import type { Recorded } from '../shared/event-store.js';
import type { Reaction } from '../shared/reaction.js';
import { Streams, type Executed } from '../shared/streams.js';
import type { AdjustmentAnswer } from '../administration/contract.js';
import { AdjustmentRecords } from '../administration/readers.js';

const DAY_MS = 86_400_000;

const MOST_MICRO_USD_PER_CREDIT = Math.max(...PLANS.map(unitPriceMicroUsd));

type Applied = Extract<AdjustmentEvent, { type: 'AdjustmentApproved' | 'AdjustmentMadeAlone' }>;

export type AdjustmentResult =
  | ({ accepted: true } & AdjustmentAnswer)
  | {
      accepted: false;
      rejection: AdjustmentRejection | { code: 'InsufficientCredits'; balance: number; missing: number };
    };

/**
 * Credits given and taken by administrators: at once up to their limits, above them after a second person agreed.
 * The desk applies an adjustment once by its id; as a reaction it makes up for a node that died in between.
 */
@Injectable()
export class Adjustments implements Reaction<Applied> {
  readonly name = 'apply-adjustments';
  readonly types = ['AdjustmentApproved', 'AdjustmentMadeAlone'] as const;

  constructor(
    private readonly streams: Streams,
    private readonly desk: CreditDesk,
    private readonly records: AdjustmentRecords,
    private readonly clock: Clock,
  ) {}

  async request(requested: RequestedAdjustment): Promise<AdjustmentResult> {
    const { adjustmentId, userId, by, credits, valueMicroUsd, makesGood } = requested;
    const boughtFromThem = await this.boughtFrom(by, userId);
    const isTheirs = makesGood !== undefined && (await this.records.isTheirs(userId, makesGood));
    const metadata = { actor: by, correlationId: adjustmentId };
    const { decision, state } = await this.streams.transact(metadata, async (work) => {
      // At the version at which the limits were looked at.
      const adjuster = await work.open(adjusterDecider, by);
      const adjustment = await work.open(adjustmentDecider, adjustmentId);
      const now = this.clock.now();
      const others = await this.standing(adjuster.state, now);
      const facts = { boughtFromThem, isTheirs, mostMicroUsdPerCredit: MOST_MICRO_USD_PER_CREDIT, others };
      const at = now.toISOString();
      const decision = adjustment.decide({ type: 'RequestAdjustment', ...requested, facts, now: at });
      // Asked for before: what became of it is the answer, whatever the limits are by now.
      if (adjustment.events.length > 0)
        adjuster.decide({ type: 'CountAdjustment', adjustmentId, by, credits, valueMicroUsd, now: at });
      return { decision, state: adjustment.state };
    });
    return decision.accepted ? this.settle(state) : decision;
  }

  async approve(adjustmentId: string, by: string): Promise<AdjustmentResult> {
    const state = await this.streams.load(adjustmentDecider, adjustmentId);
    const boughtFromThem = state.status !== 'none' && (await this.boughtFrom(by, state.userId));
    const decided = await this.execute(adjustmentId, { type: 'ApproveAdjustment', by, boughtFromThem }, by);
    return decided.accepted ? this.settle(decided.state) : decided;
  }

  async decline(adjustmentId: string, by: string): Promise<AdjustmentResult> {
    const decided = await this.execute(adjustmentId, { type: 'DeclineAdjustment', by }, by);
    return decided.accepted ? { accepted: true, id: adjustmentId, status: 'declined' } : decided;
  }

  async handle({ data }: Recorded<Applied>): Promise<void> {
    await this.settle(await this.streams.load(adjustmentDecider, data.adjustmentId));
  }

  private boughtFrom(creatorId: string, buyerId: string): Promise<boolean> {
    const since = new Date(this.clock.now().getTime() - RELATED_BUYER_DAYS * DAY_MS);
    return this.records.boughtFrom({ creatorId, buyerId, since });
  }

  /** What of an administrator's adjustments in the last 24 hours was not undone. */
  private async standing(
    counted: readonly AdjustmentCounted['data'][],
    now: Date,
  ): Promise<AdjustmentCounted['data'][]> {
    const since = new Date(now.getTime() - ADJUSTMENT_WINDOW_MS).toISOString();
    const recent = counted.filter(({ at }) => at > since);
    const undone = await this.records.undone(recent.map(({ adjustmentId }) => adjustmentId));
    return recent.filter(({ adjustmentId }) => !undone.has(adjustmentId));
  }

  /** Applies what was approved or made alone; what cannot be taken has failed for good. */
  private async settle(state: AdjustmentState): Promise<AdjustmentResult> {
    assert(state.status !== 'none', 'only what was asked for is applied');
    if (state.status === 'failed') {
      const { balance, credits } = state;
      return {
        accepted: false,
        rejection: { code: 'InsufficientCredits', balance, missing: -credits - balance },
      };
    }
    if (state.status !== 'approved') return { accepted: true, id: state.adjustmentId, status: state.status };
    const { status: _, approvedBy, ...requested } = state;
    const result = await this.apply(requested, approvedBy === undefined ? {} : { approvedBy });
    if (!result.accepted && result.rejection.code === 'InsufficientCredits') {
      const { balance } = result.rejection;
      await this.execute(state.adjustmentId, { type: 'FailAdjustment', balance }, 'system:adjustments');
    }
    return result;
  }

  private async apply(
    { adjustmentId, ...requested }: RequestedAdjustment,
    more: { approvedBy?: string },
  ): Promise<AdjustmentResult> {
    const outcome = await this.desk.adjust(
      { adjustmentId, ...requested, ...more, at: this.clock.now() },
      { correlationId: adjustmentId },
    );
    if (!outcome.accepted) return outcome;
    return { accepted: true, id: adjustmentId, status: 'applied', balance: outcome.balance };
  }

  private execute(
    adjustmentId: string,
    decided: Unclocked<AdjustmentCommand>,
    actor: string,
  ): Promise<Executed<AdjustmentState, AdjustmentEvent, AdjustmentRejection>> {
    const command = { ...decided, now: this.clock.now().toISOString() } as AdjustmentCommand;
    const metadata = { actor, correlationId: adjustmentId };
    return this.streams.execute(adjustmentDecider, adjustmentId, command, metadata);
  }
}

type Unclocked<Command> = Command extends unknown ? Omit<Command, 'now'> : never;
