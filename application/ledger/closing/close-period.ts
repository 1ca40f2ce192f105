import { Injectable } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import {
  boundsOf,
  notItsTurn,
  periodDecider,
  type BrokenRule,
  type ClosedPeriod,
  type PeriodRejection,
} from '../../../domain/ledger/period.js';
import { assert, reject, type Outcome } from '../../../domain/shared/decision.js';
import { paths } from '../../pages/paths.js';
import { staffPaths } from '../../pages/staff-paths.js';
import { Clock } from '../../shared/clock.js';
import { ReadModelProgress } from '../../shared/read-model-progress.js';
import { Streams } from '../../shared/streams.js';
import { POSTING_LIMIT_MS } from '../posting.js';
import { AlertQueries, BookQueries, OpenBookQueries } from '../queries.js';
import { Reconcile } from '../reconcile.js';
import { TieOuts } from '../tie-outs/tie-outs.js';
import type { ChecklistItem } from './closing-contract.js';

interface Checked {
  items: ChecklistItem[];
  obstacle: PeriodRejection | undefined;
  broken: BrokenRule[];
}

const plural = (count: number, one: string): string => `${count} ${count === 1 ? one : `${one}s`}`;

const item = (
  id: ChecklistItem['id'],
  href: string,
  undone: string | false | undefined,
  done: string,
): ChecklistItem => ({ id, done: !undone, text: undone || done, href });

@Injectable()
export class ClosingChecklist {
  constructor(
    private readonly books: BookQueries,
    private readonly open: OpenBookQueries,
    private readonly alerts: AlertQueries,
    private readonly tieOuts: TieOuts,
    private readonly reconcile: Reconcile,
    private readonly clock: Clock,
  ) {}

  async of(month: string): Promise<Checked> {
    const now = this.clock.now();
    const obstacle = notItsTurn({ month, now: now.toISOString(), ...(await this.books.turn()) });
    const broken = await this.broken();
    const { items: open } = await this.open.openItems(now);
    const aged = open.filter(({ aged }) => aged);
    const unexplained = open.filter(
      ({ account, note }) => (account === 'suspense' || account.startsWith('suspense:')) && note === null,
    );
    const unseen = (await this.alerts.list({ limit: 1 })).causes;
    const alerts = unseen.reduce((sum, { count }) => sum + count, 0);
    const tieOut = await this.tieOuts.covering(month);
    const items = [
      item(
        'turn',
        staffPaths.financePeriods,
        obstacle && turnOf(obstacle),
        'It is over, and every month before it is closed',
      ),
      item(
        'rules',
        staffPaths.financeReconciliation,
        broken.length > 0 &&
          `${plural(broken.length, 'rule')} of the books ${broken.length === 1 ? 'does' : 'do'} not hold: ${broken.map(({ number }) => number).join(', ')}`,
        'Every rule of the books holds',
      ),
      item(
        'tie-out',
        staffPaths.financeStripe,
        tieOut === undefined
          ? 'No report of Stripe’s that covers the month was compared with the books'
          : (tieOut.open > 0 || tieOut.unexplainedMicroUsd !== 0) &&
              'Stripe’s report of the month differs from the books',
        'Stripe’s report of the month agrees with the books',
      ),
      item(
        'aged',
        paths.finance,
        aged.length > 0 &&
          `${plural(aged.length, 'item')} ${aged.length === 1 ? 'has' : 'have'} waited for too long`,
        'Nothing has waited for too long',
      ),
      item(
        'suspense',
        staffPaths.financeSuspense,
        unexplained.length > 0 &&
          `${plural(unexplained.length, 'item')} in suspense ${unexplained.length === 1 ? 'is' : 'are'} neither explained nor cleared`,
        'Nothing in suspense is unexplained',
      ),
      item(
        'alerts',
        paths.finance,
        unseen.length > 0 && plural(alerts, 'unseen alert'),
        'Every alert was seen',
      ),
    ];
    return { items, obstacle, broken };
  }

  private async broken(): Promise<BrokenRule[]> {
    const { invariants } = await this.reconcile.run();
    return invariants.flatMap(({ holds, ...rule }) => (holds ? [] : [rule]));
  }
}

function turnOf(obstacle: PeriodRejection): string {
  switch (obstacle.code) {
    case 'PeriodNotOver':
      return 'It is not over';
    case 'PeriodOutOfOrder':
      return `${obstacle.nextMonth} comes first`;
    default:
      return 'The books begin after this month';
  }
}

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
 * Closes a month whose checklist is done. Stores every balance at the end of the month, the last event and its hash.
 * The month is sealed first: facts of the month that are recorded after the seal are posted at the time of recording,
 * so the stored sums stay complete. A closing that fails after the seal can be repeated.
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
    if (!(await this.posted())) return reject({ code: 'BooksBehind' });
    // Runs outside the transaction, because checking all rules takes long.
    const { obstacle, broken, items } = await this.checklist.of(month);
    if (obstacle) return reject(obstacle);
    const undone = items.filter(({ done }) => !done);
    const metadata = { actor: by, correlationId: periodDecider.streamOf(month) };
    const turn = { month, now: this.clock.now().toISOString(), ...(await this.books.turn()) };
    const seal = { type: 'SealPeriod', broken, undone, ...turn } as const;
    const sealed = await this.streams.execute(periodDecider, month, seal, metadata);
    if (!sealed.accepted) return sealed;
    return this.streams.transact(metadata, async (work): Promise<CloseOutcome> => {
      const stream = await work.open(periodDecider, month);
      // From here on, a concurrent adjusting entry for this month changes the month's stream, so that appending the
      // closing fails.
      if (!(await this.posted())) return reject({ code: 'BooksBehind' });
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
