import { Injectable } from '@nestjs/common';
import {
  adjustmentStream,
  decideAdjustment,
  evolveAdjustment,
  initialAdjustment,
  needsSecondPerson,
  type AdjustmentCommand,
  type AdjustmentEvent,
  type AdjustmentRejection,
  type AdjustmentState,
  type RequestedAdjustment,
} from '../../domain/credits/adjustment.js';
import { assert } from '../../domain/shared/decision.js';
import { Clock } from '../ports/clock.js';
import { CreditDesk } from '../ports/credit-desk.js';
import { EventStore, StreamVersionConflict, type RecordedEvent } from '../ports/event-store.js';
import type { Reaction } from '../ports/reaction.js';
import type { AdjustmentAnswer } from './contract.js';

const ATTEMPTS = 3;

export type AdjustmentResult =
  | ({ accepted: true } & AdjustmentAnswer)
  | {
      accepted: false;
      rejection: AdjustmentRejection | { code: 'InsufficientCredits'; balance: number; missing: number };
    };

/**
 * Credits given and taken by administrators: at once up to a limit, above it after a second person agreed.
 * The desk applies an adjustment once by its id; as a reaction it makes up for a node that died in between.
 */
@Injectable()
export class Adjustments implements Reaction {
  readonly name = 'apply-adjustments';
  readonly types = ['AdjustmentApproved'];

  constructor(
    private readonly log: EventStore,
    private readonly desk: CreditDesk,
    private readonly clock: Clock,
  ) {}

  async request(requested: RequestedAdjustment): Promise<AdjustmentResult> {
    if (!needsSecondPerson(requested.credits)) return this.apply(requested, {});
    const decided = await this.execute(
      requested.adjustmentId,
      { type: 'RequestAdjustment', ...requested },
      requested.by,
    );
    if (!decided.accepted) return decided;
    const { status } = decided.state;
    assert(status !== 'none', 'a request leaves a state');
    return { accepted: true, id: requested.adjustmentId, status };
  }

  async approve(adjustmentId: string, by: string): Promise<AdjustmentResult> {
    const decided = await this.execute(adjustmentId, { type: 'ApproveAdjustment', by }, by);
    return decided.accepted ? this.settle(decided.state) : decided;
  }

  async decline(adjustmentId: string, by: string): Promise<AdjustmentResult> {
    const decided = await this.execute(adjustmentId, { type: 'DeclineAdjustment', by }, by);
    return decided.accepted ? { accepted: true, id: adjustmentId, status: 'declined' } : decided;
  }

  async handle(event: RecordedEvent): Promise<void> {
    const { state } = await this.load(event.data.adjustmentId as string);
    await this.settle(state);
  }

  /** Applies what was approved; what can no longer be taken has failed for good. */
  private async settle(state: AdjustmentState): Promise<AdjustmentResult> {
    assert(state.status !== 'none', 'only what was asked for is approved');
    if (state.status !== 'approved') return { accepted: true, id: state.adjustmentId, status: state.status };
    const { status: _, approvedBy, ...requested } = state;
    const result = await this.apply(requested, { approvedBy });
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

  private async execute(
    adjustmentId: string,
    decided: Unclocked<AdjustmentCommand>,
    actor: string,
  ): Promise<
    { accepted: true; state: AdjustmentState } | { accepted: false; rejection: AdjustmentRejection }
  > {
    const command = { ...decided, now: this.clock.now().toISOString() } as AdjustmentCommand;
    for (let attempt = 1; ; attempt += 1) {
      const { state, version } = await this.load(adjustmentId);
      const decision = decideAdjustment(command, state);
      if (!decision.accepted) return decision;
      try {
        await this.log.append(
          [{ stream: adjustmentStream(adjustmentId), expectedVersion: version, events: decision.events }],
          { actor, correlationId: adjustmentId },
        );
        return { accepted: true, state: decision.events.reduce(evolveAdjustment, state) };
      } catch (error) {
        if (!(error instanceof StreamVersionConflict) || attempt >= ATTEMPTS) throw error;
      }
    }
  }

  private async load(adjustmentId: string): Promise<{ state: AdjustmentState; version: number }> {
    const history = await this.log.readStream(adjustmentStream(adjustmentId));
    const events = history as unknown as AdjustmentEvent[];
    return { state: events.reduce(evolveAdjustment, initialAdjustment), version: history.length };
  }
}

type Unclocked<Command> = Command extends unknown ? Omit<Command, 'now'> : never;
