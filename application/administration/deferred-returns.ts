import { Injectable } from '@nestjs/common';
import {
  deferredReturnDecider,
  type DeferredReturn,
  type DeferredReturnCommand,
} from '../../domain/purchases/deferred-return.js';
import { assert } from '../../domain/shared/decision.js';
import { Clock } from '../shared/clock.js';
import type { EventMetadata } from '../shared/event-store.js';
import { Streams, type Unclocked } from '../shared/streams.js';

/** Remembers returns that a bank has to decide about first, until they are made. */
@Injectable()
export class DeferredReturns {
  constructor(
    private readonly streams: Streams,
    private readonly clock: Clock,
  ) {}

  /** Those of a buyer that still wait. */
  async waiting(buyerId: string): Promise<DeferredReturn[]> {
    const state = await this.streams.load(deferredReturnDecider, buyerId);
    return [...state.values()].filter(({ settled }) => !settled);
  }

  async defer(deferred: DeferredReturn, metadata: EventMetadata): Promise<void> {
    await this.execute(deferred.buyerId, { type: 'DeferReturn', ...deferred }, metadata);
  }

  /** Nothing happens to a return that never waited. */
  async settle(
    buyerId: string,
    settled: { purchaseId: string; returnedCredits: number; withheldCredits: number },
    metadata: EventMetadata,
  ): Promise<void> {
    await this.execute(buyerId, { type: 'SettleReturn', ...settled }, metadata);
  }

  private async execute(
    buyerId: string,
    command: Unclocked<DeferredReturnCommand>,
    metadata: EventMetadata,
  ): Promise<void> {
    const now = this.clock.now().toISOString();
    const signed = { ...command, now } as DeferredReturnCommand;
    const outcome = await this.streams.execute(deferredReturnDecider, buyerId, signed, metadata);
    assert(outcome.accepted, 'nothing stands in the way of remembering');
  }
}
