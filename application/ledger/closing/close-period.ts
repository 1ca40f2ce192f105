import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import {
  boundsOf,
  periodDecider,
  type ClosedPeriod,
  type PeriodRejection,
} from '../../../domain/ledger/period.js';
import { assert, type Outcome } from '../../../domain/shared/decision.js';
import { Clock } from '../../shared/clock.js';
import { ReadModelProgress } from '../../shared/read-model-progress.js';
import { Streams } from '../../shared/streams.js';
import { ClosingChecklist } from './closing-checklist.js';
import { POSTING_LIMIT_MS } from '../posting.js';
import { BookQueries } from '../queries.js';

export type CloseOutcome = Outcome<
  { first: boolean; period: ClosedPeriod },
  PeriodRejection | { code: 'BooksBehind' }
>;

export class ClosePeriod extends Command<CloseOutcome> {
  constructor(
    readonly month: string,
    readonly by: string,
  ) {
    super();
  }
}

/**
 * Closes a month once its checklist is done: stores every balance at its end, the last event and its hash. It seals
 * the month first. A fact of the month that is recorded after the seal is late and posted into the open month, so the
 * sums miss no entry. A closing that fails after the seal can be repeated.
 */
@CommandHandler(ClosePeriod)
export class ClosePeriodHandler implements ICommandHandler<ClosePeriod> {
  constructor(
    private readonly streams: Streams,
    private readonly books: BookQueries,
    private readonly progress: ReadModelProgress,
    private readonly checklist: ClosingChecklist,
    private readonly clock: Clock,
  ) {}

  async execute({ month, by }: ClosePeriod): Promise<CloseOutcome> {
    const known = await this.streams.load(periodDecider, month);
    if (known.status === 'closed') return { accepted: true, first: false, period: known };
    if (!(await this.posted())) return { accepted: false, rejection: { code: 'BooksBehind' } };
    // Checked once, outside the transaction, because the rules take longest.
    const { obstacle, broken, items } = await this.checklist.of(month);
    if (obstacle) return { accepted: false, rejection: obstacle };
    const undone = items.filter(({ done }) => !done);
    const metadata = { actor: by, correlationId: periodDecider.streamOf(month) };
    const seal = { type: 'SealPeriod', month, broken, undone, now: this.clock.now().toISOString() } as const;
    const sealed = await this.streams.execute(
      periodDecider,
      month,
      { ...seal, ...(await this.books.turn()) },
      metadata,
    );
    if (!sealed.accepted) return sealed;
    return this.streams.transact(metadata, async (work): Promise<CloseOutcome> => {
      const stream = await work.open(periodDecider, month);
      // A later adjusting entry changes this stream, so that the append fails and the sums miss no entry.
      if (!(await this.posted())) return { accepted: false, rejection: { code: 'BooksBehind' } };
      const turn = { month, now: this.clock.now().toISOString(), ...(await this.books.turn()) };
      const figures = await this.books.atEndOf(boundsOf(month).to);
      const decided = stream.decide({ type: 'ClosePeriod', by, ...turn, broken, undone, ...figures });
      if (!decided.accepted) return decided;
      const period = stream.state;
      assert(period.status === 'closed', 'the month must be closed, by this or a concurrent command');
      return { accepted: true, first: decided.events.length > 0, period };
    });
  }

  private async posted(): Promise<boolean> {
    const { position } = await this.streams.head();
    return this.progress.caughtUp(position, POSTING_LIMIT_MS, ['journal']);
  }
}
