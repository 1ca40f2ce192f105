import { Injectable } from '@nestjs/common';
import {
  boundsOf,
  periodDecider,
  notItsTurn,
  type BrokenRule,
  type ClosedPeriod,
  type PeriodEvent,
  type PeriodRejection,
} from '../../domain/ledger/period.js';
import { assert } from '../../domain/shared/decision.js';
import { Clock } from '../shared/clock.js';
import { EventStore, StreamVersionConflict } from '../shared/event-store.js';
import { ReadModelProgress } from '../shared/read-model-progress.js';
import { Books } from './readers.js';
import { Reconcile } from './reconcile.js';

const POSTING_LIMIT_MS = 30_000;

export type CloseOutcome =
  | { accepted: true; first: boolean; period: ClosedPeriod }
  | { accepted: false; rejection: PeriodRejection | { code: 'BooksBehind' } };

/**
 * Closes a month, in order and with every rule of the books green: stores what every account held at its end, the last event and its hash. Entries carry the time
 * they were recorded, so a fact that comes late is posted into the month that is open then, with its own date in
 * its event.
 */
@Injectable()
export class ClosePeriod {
  constructor(
    private readonly log: EventStore,
    private readonly books: Books,
    private readonly progress: ReadModelProgress,
    private readonly reconcile: Reconcile,
    private readonly clock: Clock,
  ) {}

  /** @param month `2026-10` */
  async close(month: string, by: string): Promise<CloseOutcome> {
    const stream = periodDecider.streamOf(month);
    const known = await this.load(stream);
    if (known) return { accepted: true, first: false, period: known };
    // Every entry of the month must be in the sums.
    const { position } = await this.log.head();
    if (!(await this.progress.caughtUp(position, POSTING_LIMIT_MS, ['journal'])))
      return { accepted: false, rejection: { code: 'BooksBehind' } };
    const turn = {
      month,
      now: this.clock.now().toISOString(),
      firstMonth: await this.books.firstMonth(),
      closedMonths: (await this.books.closedPeriods()).items.map((period) => period.month),
    };
    // The rules take longest: only where nothing else stands against it.
    const obstacle = notItsTurn(turn);
    if (obstacle) return { accepted: false, rejection: obstacle };
    const broken = await this.broken();
    const figures = await this.books.atEndOf(boundsOf(month).to);
    const decision = periodDecider.decide(
      { type: 'ClosePeriod', by, ...turn, broken, ...figures },
      periodDecider.initialState,
    );
    if (!decision.accepted) return decision;
    try {
      await this.log.append([{ stream, expectedVersion: 0, events: decision.events }], {
        actor: by,
        correlationId: stream,
      });
    } catch (error) {
      if (!(error instanceof StreamVersionConflict)) throw error;
      // Somebody else was first; what they stored counts.
      const period = await this.load(stream);
      assert(period !== undefined, 'a conflict means that the stream exists');
      return { accepted: true, first: false, period };
    }
    const [closed] = decision.events;
    assert(closed !== undefined, 'an open period that is over is closed');
    return { accepted: true, first: true, period: closed.data };
  }

  private async broken(): Promise<BrokenRule[]> {
    const { invariants } = await this.reconcile.run();
    return invariants.flatMap(({ holds, ...rule }) => (holds ? [] : [rule]));
  }

  private async load(stream: string): Promise<ClosedPeriod | undefined> {
    const history = (await this.log.readStream(stream)) as unknown as PeriodEvent[];
    const period = history.reduce(periodDecider.evolve, periodDecider.initialState);
    return period.status === 'closed' ? period : undefined;
  }
}
