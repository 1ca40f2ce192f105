import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { boundsOf, periodDecider } from '../../../domain/ledger/period.js';
import { assert } from '../../../domain/shared/decision.js';
import { Clock } from '../../shared/clock.js';
import { ReadModelProgress } from '../../shared/read-model-progress.js';
import { Streams } from '../../shared/streams.js';
import { ClosingChecklist } from './closing-checklist.js';
import { ClosePeriod, type CloseOutcome } from '../commands.js';
import { POSTING_LIMIT_MS } from '../posting.js';
import { BookQueries } from '../queries.js';

/**
 * Closes a month once all of its checklist is done: stores what every account held at its end, the last event and its
 * hash. The month is sealed first: a fact of the month that is recorded after the seal is late and is posted when it is
 * recorded, so that the sums miss no entry of the month. A closing that fails after its seal can be repeated.
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
    if (!(await this.#posted())) return { accepted: false, rejection: { code: 'BooksBehind' } };
    // The rules take longest, so they are checked once, whoever writes meanwhile.
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
      // Every entry of the month must be in the sums; an adjusting entry that comes later finds the stream changed.
      if (!(await this.#posted())) return { accepted: false, rejection: { code: 'BooksBehind' } };
      const turn = { month, now: this.clock.now().toISOString(), ...(await this.books.turn()) };
      const figures = await this.books.atEndOf(boundsOf(month).to);
      const decided = stream.decide({ type: 'ClosePeriod', by, ...turn, broken, undone, ...figures });
      if (!decided.accepted) return decided;
      const period = stream.state;
      assert(period.status === 'closed', 'a month that is over is closed, by us or by who was first');
      return { accepted: true, first: decided.events.length > 0, period };
    });
  }

  async #posted(): Promise<boolean> {
    const { position } = await this.streams.head();
    return this.progress.caughtUp(position, POSTING_LIMIT_MS, ['journal']);
  }
}
