import { Injectable } from '@nestjs/common';
import {
  payoutDecider,
  type PayoutCommand,
  type PayoutEvent,
  type PayoutRejection,
  type Payouts,
  type SettlementCommand,
} from '../../domain/payouts/payouts.js';
import type { EventMetadata } from '../shared/event-store.js';
import { Streams, type Executed } from '../shared/streams.js';

/** The stream of one creator's payouts. */
@Injectable()
export class PayoutStreams {
  constructor(private readonly streams: Streams) {}

  load(creatorId: string): Promise<Payouts> {
    return this.streams.load(payoutDecider, creatorId);
  }

  execute(
    creatorId: string,
    command: PayoutCommand,
    metadata: EventMetadata,
  ): Promise<Executed<Payouts, PayoutEvent, PayoutRejection>> {
    return this.streams.execute(payoutDecider, creatorId, command, metadata);
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
