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
import { EventStore, StreamVersionConflict, type RecordedEvent } from '../shared/event-store.js';
import type { Reaction } from '../shared/reaction.js';
import type { AdjustmentAnswer } from '../administration/contract.js';
import { AdjustmentRecords } from '../administration/readers.js';

const ATTEMPTS = 3;
/** One administrator's requests take turns; of as many at once the last is decided still. */
const REQUEST_ATTEMPTS = 40;
const DAY_MS = 86_400_000;

const MOST_MICRO_USD_PER_CREDIT = Math.max(...PLANS.map(unitPriceMicroUsd));

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
export class Adjustments implements Reaction {
  readonly name = 'apply-adjustments';
  readonly types = ['AdjustmentApproved', 'AdjustmentMadeAlone'];

  constructor(
    private readonly log: EventStore,
    private readonly desk: CreditDesk,
    private readonly records: AdjustmentRecords,
    private readonly clock: Clock,
  ) {}

  async request(requested: RequestedAdjustment): Promise<AdjustmentResult> {
    const { adjustmentId, userId, by, credits, valueMicroUsd, makesGood } = requested;
    const boughtFromThem = await this.boughtFrom(by, userId);
    const isTheirs = makesGood !== undefined && (await this.records.isTheirs(userId, makesGood));
    for (let attempt = 1; ; attempt += 1) {
      const { state, version } = await this.load(adjustmentId);
      // Asked for before: what became of it is the answer, whatever the limits are by now.
      if (state.status !== 'none') return this.settle(state);
      const now = this.clock.now();
      const adjuster = await this.countedBy(by, now);
      const facts = { boughtFromThem, isTheirs, mostMicroUsdPerCredit: MOST_MICRO_USD_PER_CREDIT, others: adjuster.others }; // prettier-ignore
      const at = now.toISOString();
      const decision = adjustmentDecider.decide(
        { type: 'RequestAdjustment', ...requested, facts, now: at },
        state,
      );
      if (!decision.accepted) return decision;
      const counted: AdjustmentCounted = {
        type: 'AdjustmentCounted',
        data: { adjustmentId, by, at, credits, valueMicroUsd },
      };
      try {
        await this.log.append(
          [
            { stream: adjusterDecider.streamOf(by), expectedVersion: adjuster.version, events: [counted] },
            {
              stream: adjustmentDecider.streamOf(adjustmentId),
              expectedVersion: version,
              events: decision.events,
            },
          ],
          { actor: by, correlationId: adjustmentId },
        );
        return await this.settle(decision.events.reduce(adjustmentDecider.evolve, state));
      } catch (error) {
        if (!(error instanceof StreamVersionConflict) || attempt >= REQUEST_ATTEMPTS) throw error;
      }
    }
  }

  async approve(adjustmentId: string, by: string): Promise<AdjustmentResult> {
    const { state } = await this.load(adjustmentId);
    const boughtFromThem = state.status !== 'none' && (await this.boughtFrom(by, state.userId));
    const decided = await this.execute(adjustmentId, { type: 'ApproveAdjustment', by, boughtFromThem }, by);
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

  private boughtFrom(creatorId: string, buyerId: string): Promise<boolean> {
    const since = new Date(this.clock.now().getTime() - RELATED_BUYER_DAYS * DAY_MS);
    return this.records.boughtFrom({ creatorId, buyerId, since });
  }

  /** What an administrator adjusted in the last 24 hours, and the version of their stream that says so. */
  private async countedBy(by: string, now: Date) {
    const history = await this.log.readStream(adjusterDecider.streamOf(by));
    const since = new Date(now.getTime() - ADJUSTMENT_WINDOW_MS).toISOString();
    const recent = (history as unknown as AdjustmentCounted[])
      .map(({ data }) => data)
      .filter(({ at }) => at > since);
    const undone = await this.records.undone(recent.map(({ adjustmentId }) => adjustmentId));
    return {
      others: recent.filter(({ adjustmentId }) => !undone.has(adjustmentId)),
      version: history.length,
    };
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
      const decision = adjustmentDecider.decide(command, state);
      if (!decision.accepted) return decision;
      try {
        await this.log.append(
          [
            {
              stream: adjustmentDecider.streamOf(adjustmentId),
              expectedVersion: version,
              events: decision.events,
            },
          ],
          { actor, correlationId: adjustmentId },
        );
        return { accepted: true, state: decision.events.reduce(adjustmentDecider.evolve, state) };
      } catch (error) {
        if (!(error instanceof StreamVersionConflict) || attempt >= ATTEMPTS) throw error;
      }
    }
  }

  private async load(adjustmentId: string): Promise<{ state: AdjustmentState; version: number }> {
    const history = await this.log.readStream(adjustmentDecider.streamOf(adjustmentId));
    const events = history as unknown as AdjustmentEvent[];
    return {
      state: events.reduce(adjustmentDecider.evolve, adjustmentDecider.initialState),
      version: history.length,
    };
  }
}

type Unclocked<Command> = Command extends unknown ? Omit<Command, 'now'> : never;
