import { Injectable } from '@nestjs/common';
import {
  adjustmentDecider,
  RELATED_BUYER_DAYS,
  type AdjustmentCommand,
  type AdjustmentEvent,
  type AdjustmentRejection,
  type AdjustmentState,
} from '../../domain/credits/adjustment.js';
import { staffDecider } from '../../domain/accounts/staff.js';
import type { Approver } from '../../domain/shared/second-person.js';
import { assert } from '../../domain/shared/decision.js';
import { AdjustmentQueries } from './queries.js';
import { CreditExecutor } from './credit-executor.js';
import { Clock } from '../shared/clock.js';
import { Streams, type Executed, type Unclocked } from '../shared/streams.js';
import type { AdjustmentResult } from './commands.js';

const DAY_MS = 86_400_000;

/** Decides on adjustments, and moves the credits of those that are approved, once per adjustment id. */
@Injectable()
export class Adjustments {
  constructor(
    private readonly streams: Streams,
    private readonly executor: CreditExecutor,
    private readonly records: AdjustmentQueries,
    private readonly clock: Clock,
  ) {}

  load(adjustmentId: string): Promise<AdjustmentState> {
    return this.streams.load(adjustmentDecider, adjustmentId);
  }

  decide(
    adjustmentId: string,
    decided: Unclocked<AdjustmentCommand>,
    actor: string,
  ): Promise<Executed<AdjustmentState, AdjustmentEvent, AdjustmentRejection>> {
    const command = { ...decided, now: this.clock.now().toISOString() };
    const metadata = { actor, correlationId: adjustmentId };
    return this.streams.execute(adjustmentDecider, adjustmentId, command, metadata);
  }

  /** Returns the person who decides on a request, with the roles in the streams: they must be held at this moment. */
  async approver(by: string, beneficiary: string | undefined): Promise<Approver> {
    const roles = await this.streams.load(staffDecider, by);
    return {
      by,
      roles,
      boughtFromThem: beneficiary !== undefined && (await this.boughtFrom(by, beneficiary)),
    };
  }

  async approverOf(adjustmentId: string, by: string): Promise<Approver> {
    const state = await this.load(adjustmentId);
    return this.approver(by, state.status === 'none' ? undefined : state.userId);
  }

  boughtFrom(creatorId: string, buyerId: string): Promise<boolean> {
    const since = new Date(this.clock.now().getTime() - RELATED_BUYER_DAYS * DAY_MS);
    return this.records.boughtFrom({ creatorId, buyerId, since });
  }

  /** Applies an adjustment that was approved or made alone. If its credits cannot be taken, it fails for good. */
  async settle(state: AdjustmentState): Promise<AdjustmentResult> {
    assert(state.status !== 'none', 'cannot apply an adjustment that was not requested');
    if (state.status === 'failed') {
      const { balance, credits, mostMicroUsd } = state;
      if (mostMicroUsd !== undefined)
        return { accepted: false, rejection: { code: 'MadeGoodAlready', mostMicroUsd } };
      return {
        accepted: false,
        rejection: { code: 'InsufficientCredits', balance, missing: -credits - balance },
      };
    }
    if (state.status !== 'approved') return { accepted: true, id: state.adjustmentId, status: state.status };
    const { status: _, approvedBy, ...requested } = state;
    const { adjustmentId } = requested;
    const consent = approvedBy === undefined ? {} : { approvedBy };
    const outcome = await this.executor.adjust(
      { ...requested, ...consent, at: this.clock.now() },
      { correlationId: adjustmentId },
    );
    if (outcome.accepted)
      return { accepted: true, id: adjustmentId, status: 'applied', balance: outcome.balance };
    const { balance, rejection } = outcome;
    const most = rejection.code === 'MadeGoodAlready' ? { mostMicroUsd: rejection.mostMicroUsd } : {};
    await this.decide(adjustmentId, { type: 'FailAdjustment', balance, ...most }, 'system:adjustments');
    return outcome;
  }
}
