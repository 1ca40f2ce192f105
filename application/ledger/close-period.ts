import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { boundsOf, periodDecider, notItsTurn, type BrokenRule } from '../../domain/ledger/period.js';
import { assert } from '../../domain/shared/decision.js';
import { Clock } from '../shared/clock.js';
import { ReadModelProgress } from '../shared/read-model-progress.js';
import { Streams } from '../shared/streams.js';
import { ClosePeriod, type CloseOutcome } from './commands.js';
import { BookQueries } from './queries.js';
import { Reconcile } from './reconcile.js';

const POSTING_LIMIT_MS = 30_000;

/**
 * Closes a month, in order and with every rule of the books green: stores what every account held at its end, the last event and its hash. Entries carry the time
 * they were recorded, so a fact that comes late is posted into the month that is open then, with its own date in
 * its event.
 */
@CommandHandler(ClosePeriod)
export class ClosePeriodHandler implements ICommandHandler<ClosePeriod> {
  constructor(
    private readonly streams: Streams,
    private readonly books: BookQueries,
    private readonly progress: ReadModelProgress,
    private readonly reconcile: Reconcile,
    private readonly clock: Clock,
  ) {}

  async execute({ month, by }: ClosePeriod): Promise<CloseOutcome> {
    const known = await this.streams.load(periodDecider, month);
    if (known.status === 'closed') return { accepted: true, first: false, period: known };
    // Every entry of the month must be in the sums.
    const { position } = await this.streams.head();
    if (!(await this.progress.caughtUp(position, POSTING_LIMIT_MS, ['journal'])))
      return { accepted: false, rejection: { code: 'BooksBehind' } };
    const turn = {
      month,
      now: this.clock.now().toISOString(),
      firstMonth: await this.books.firstMonth(),
      closedMonths: (await this.books.closedPeriods()).items.map((period) => period.month),
    };
    // The rules take longest, so they are checked last.
    const obstacle = notItsTurn(turn);
    if (obstacle) return { accepted: false, rejection: obstacle };
    const broken = await this.broken();
    const figures = await this.books.atEndOf(boundsOf(month).to);
    const command = { type: 'ClosePeriod', by, ...turn, broken, ...figures } as const;
    const correlationId = periodDecider.streamOf(month);
    const outcome = await this.streams.execute(periodDecider, month, command, { actor: by, correlationId });
    if (!outcome.accepted) return outcome;
    const { state: period, events } = outcome;
    assert(period.status === 'closed', 'a month that is over is closed, by us or by who was first');
    return { accepted: true, first: events.length > 0, period };
  }

  private async broken(): Promise<BrokenRule[]> {
    const { invariants } = await this.reconcile.run();
    return invariants.flatMap(({ holds, ...rule }) => (holds ? [] : [rule]));
  }
}
