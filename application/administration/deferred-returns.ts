import { Injectable } from '@nestjs/common';
import {
  deferredReturnDecider,
  type DeferredReturn,
  type DeferredReturnCommand,
  type DeferredReturnEvent,
  type DeferredReturns as Deferred,
} from '../../domain/purchases/deferred-return.js';
import { assert } from '../../domain/shared/decision.js';
import { Clock } from '../shared/clock.js';
import { EventStore, StreamVersionConflict, type EventMetadata } from '../shared/event-store.js';

const ATTEMPTS = 5;

/** Remembers returns that a bank has to decide about first, until they are made. */
@Injectable()
export class DeferredReturns {
  constructor(
    private readonly log: EventStore,
    private readonly clock: Clock,
  ) {}

  /** Those of a buyer that still wait. */
  async waiting(buyerId: string): Promise<DeferredReturn[]> {
    const { state } = await this.load(buyerId);
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
    for (let attempt = 1; ; attempt += 1) {
      const { state, version } = await this.load(buyerId);
      const now = this.clock.now().toISOString();
      const decision = deferredReturnDecider.decide({ ...command, now } as DeferredReturnCommand, state);
      assert(decision.accepted, 'nothing stands in the way of remembering');
      if (decision.events.length === 0) return;
      const stream = deferredReturnDecider.streamOf(buyerId);
      try {
        await this.log.append([{ stream, expectedVersion: version, events: decision.events }], metadata);
        return;
      } catch (error) {
        if (!(error instanceof StreamVersionConflict) || attempt >= ATTEMPTS) throw error;
      }
    }
  }

  private async load(buyerId: string): Promise<{ state: Deferred; version: number }> {
    const history = await this.log.readStream(deferredReturnDecider.streamOf(buyerId));
    const events = history as unknown as DeferredReturnEvent[];
    return {
      state: events.reduce(deferredReturnDecider.evolve, deferredReturnDecider.initialState),
      version: history.length,
    };
  }
}

type Unclocked<Command> = Command extends unknown ? Omit<Command, 'now'> : never;
