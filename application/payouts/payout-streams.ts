import { Injectable } from '@nestjs/common';
import {
  payoutDecider,
  type PayoutCommand,
  type PayoutDecision,
  type PayoutEvent,
  type Payouts,
  type SettlementCommand,
} from '../../domain/payouts/payouts.js';
import { EventStore, StreamVersionConflict, type EventMetadata } from '../shared/event-store.js';

/** The creator's click, the worker, the sweep and a webhook may meet on one stream. */
const MAX_ROUNDS = 8;

/** Loads, decides and appends to the stream of one creator's payouts. */
@Injectable()
export class PayoutStreams {
  constructor(private readonly events: EventStore) {}

  async load(creatorId: string): Promise<{ payouts: Payouts; version: number }> {
    const recorded = await this.events.readStream(payoutDecider.streamOf(creatorId));
    return {
      payouts: (recorded as unknown as PayoutEvent[]).reduce(
        payoutDecider.evolve,
        payoutDecider.initialState,
      ),
      version: recorded.at(-1)?.version ?? 0,
    };
  }

  async execute(creatorId: string, command: PayoutCommand, metadata: EventMetadata): Promise<PayoutDecision> {
    for (let round = 1; ; round += 1) {
      const { payouts, version } = await this.load(creatorId);
      const decision = payoutDecider.decide(command, payouts);
      if (!decision.accepted || decision.events.length === 0) return decision;
      try {
        const { events } = decision;
        await this.events.append(
          [{ stream: payoutDecider.streamOf(creatorId), expectedVersion: version, events }],
          metadata,
        );
        return decision;
      } catch (error) {
        if (!(error instanceof StreamVersionConflict) || round >= MAX_ROUNDS) throw error;
      }
    }
  }

  /**
   * Records what the provider tells of a withdrawal.
   * @throws Error when it cannot be, so that somebody looks
   */
  async record(
    creatorId: string,
    command: SettlementCommand,
    cause: { actor: string; causationId?: string },
  ): Promise<void> {
    const metadata = { ...cause, correlationId: `withdrawal-${command.withdrawalId}` };
    const decision = await this.execute(creatorId, command, metadata);
    if (decision.accepted) return;
    const { code, ...details } = decision.rejection;
    throw new Error(`withdrawal ${command.withdrawalId}: ${code} ${JSON.stringify(details)}`);
  }
}
