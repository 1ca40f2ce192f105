import { evolveBy } from '../shared/by-type.js';
import { accept, assert, reject, unreachable, type Decision, type Decider } from '../shared/decision.js';
import { reasonIn, type Reason } from '../shared/remark.js';

/** The sums of a month when it was closed. Nothing is posted into a closed month. */
export interface ClosedPeriod {
  /** A month by UTC, such as `2026-10`. */
  month: string;
  /** The newest event that was recorded before the end of the month or has a line posted before it, and its hash. */
  lastPosition: number;
  hash: string;
  /** Every balance at the end of the month; debits are positive. */
  balances: { account: string; commodity: string; balance: number }[];
  by: string;
  at: string;
}

/** `reopenings` has the ids of the approvals that reopened the month. */
export type Period = { reopenings: readonly string[] } & (
  | { status: 'open'; sealed: boolean }
  | ({ status: 'closed'; signed: boolean } & ClosedPeriod)
);

interface Turn {
  month: string;
  now: string;
  /**
   * The first month of the books: the chosen month, or else the month of the first posting. Undefined if neither
   * exists.
   */
  firstMonth: string | undefined;
  closedMonths: readonly string[];
}

type PeriodCommand =
  /**
   * Stops the posting of facts into the month, so that the month can be summed up. Adjusting entries are still
   * possible.
   */
  | ({ type: 'SealPeriod' } & Turn & Obstacles)
  | ({ type: 'ClosePeriod' } & Turn & Obstacles & Omit<ClosedPeriod, 'at'>)
  /** Records that an adjusting entry is posted at the end of the month. */
  | ({ type: 'AdjustPeriod'; entryId: string } & Turn)
  | ({ type: 'ReopenPeriod' } & Reopening & Omit<Turn, 'firstMonth'>)
  /** A second person confirms the sums with which the month was closed. */
  | { type: 'SignPeriod'; month: string; by: string; now: string };

interface Obstacles {
  broken: readonly BrokenRule[];
  undone: readonly Undone[];
}

export interface Reopening extends Reason {
  month: string;
  by: string;
  approvedBy: string;
  approvalId: string;
}

export interface Undone {
  id: string;
  text: string;
}

export interface BrokenRule {
  number: number;
  name: string;
  detail?: string;
}
export type PeriodEvent =
  /** Facts of the month that are recorded after this event are late facts. */
  | { type: 'PeriodSealed'; data: { month: string; at: string } }
  | { type: 'PeriodClosed'; data: ClosedPeriod }
  | { type: 'PeriodAdjusted'; data: { month: string; entryId: string; at: string } }
  | { type: 'PeriodReopened'; data: Reopening & { at: string } }
  | { type: 'PeriodSigned'; data: { month: string; by: string; at: string } };

export type PeriodRejection =
  | { code: 'PeriodNotOver'; endsAt: string }
  /** The books begin after this month. */
  | { code: 'PeriodBeforeBooks'; firstMonth: string | null }
  /** An earlier month is open and must close first. */
  | { code: 'PeriodOutOfOrder'; nextMonth: string }
  | { code: 'BooksBroken'; broken: readonly BrokenRule[] }
  | { code: 'PeriodNotReady'; undone: readonly Undone[] }
  | { code: 'PeriodIsClosed' }
  | { code: 'PeriodIsOpen' }
  /** The person who closed the month cannot sign it. */
  | { code: 'SecondPersonNeeded' }
  /** A later month is closed and must be reopened first. */
  | { code: 'PeriodNotNewest'; newestMonth: string };

/** Returns the first instant of a month such as `2026-10`, and the first instant of the next month. */
export function boundsOf(month: string): { from: Date; to: Date } {
  const [year, number] = month.split('-').map(Number);
  const isMonth = year !== undefined && number !== undefined && number >= 1 && number <= 12;
  assert(isMonth, 'a month is one of twelve');
  return { from: new Date(Date.UTC(year, number - 1)), to: new Date(Date.UTC(year, number)) };
}

/** Returns the last instant of a month, at which adjusting entries for this past month are posted. */
export const endOf = (month: string): Date => new Date(boundsOf(month).to.getTime() - 1);

function decide(command: PeriodCommand, period: Period): Decision<PeriodEvent, PeriodRejection> {
  switch (command.type) {
    case 'SealPeriod': {
      const { month, now: at } = command;
      if (period.status === 'closed' || period.sealed) return accept();
      // A month that cannot close yet must not be sealed either, because facts are still posted into it.
      const obstacle = notReady(command);
      if (obstacle) return reject(obstacle);
      return accept<PeriodEvent>({ type: 'PeriodSealed', data: { month, at } });
    }
    case 'ClosePeriod':
      return close(command, period);
    case 'AdjustPeriod': {
      const { month, entryId, now: at } = command;
      if (period.status === 'closed') return reject({ code: 'PeriodIsClosed' });
      const obstacle = notInBooks(command);
      if (obstacle) return reject(obstacle);
      return accept<PeriodEvent>({ type: 'PeriodAdjusted', data: { month, entryId, at } });
    }
    case 'ReopenPeriod': {
      const { month, by, approvedBy, approvalId, now: at, closedMonths } = command;
      if (period.reopenings.includes(approvalId)) return accept();
      if (period.status === 'open') return reject({ code: 'PeriodIsOpen' });
      const newestMonth = closedMonths.toSorted().at(-1) ?? month;
      if (newestMonth > month) return reject({ code: 'PeriodNotNewest', newestMonth });
      const data = { month, by, approvedBy, approvalId, ...reasonIn(command), at };
      return accept<PeriodEvent>({ type: 'PeriodReopened', data });
    }
    case 'SignPeriod': {
      const { month, by, now: at } = command;
      if (period.status === 'open') return reject({ code: 'PeriodIsOpen' });
      if (period.by === by) return reject({ code: 'SecondPersonNeeded' });
      return period.signed
        ? accept()
        : accept<PeriodEvent>({ type: 'PeriodSigned', data: { month, by, at } });
    }
    default:
      return unreachable(command);
  }
}

/** Closes a month. Has no effect on a closed month, so that the stored sums stay. */
function close(
  command: Extract<PeriodCommand, { type: 'ClosePeriod' }>,
  period: Period,
): Decision<PeriodEvent, PeriodRejection> {
  if (period.status === 'closed') return accept();
  const { month, lastPosition, hash, balances, by, now: at } = command;
  const obstacle = notReady(command);
  if (obstacle) return reject(obstacle);
  for (const commodity of new Set(balances.map((each) => each.commodity))) {
    const sum = balances
      .filter((each) => each.commodity === commodity)
      .reduce((total, { balance }) => total + balance, 0);
    assert(sum === 0, `the books of ${command.month} are off by ${sum} ${commodity}`);
  }
  return accept<PeriodEvent>({ type: 'PeriodClosed', data: { month, lastPosition, hash, balances, by, at } });
}

function notReady({ broken, undone, ...turn }: Turn & Obstacles): PeriodRejection | undefined {
  const obstacle = notItsTurn(turn);
  if (obstacle) return obstacle;
  if (broken.length > 0) return { code: 'BooksBroken', broken };
  return undone.length > 0 ? { code: 'PeriodNotReady', undone } : undefined;
}

export function notItsTurn(turn: Turn): PeriodRejection | undefined {
  const { month, firstMonth, closedMonths } = turn;
  const obstacle = notInBooks(turn);
  if (obstacle || firstMonth === undefined) return obstacle;
  const nextMonth = firstOpen(firstMonth, closedMonths);
  return nextMonth < month ? { code: 'PeriodOutOfOrder', nextMonth } : undefined;
}

function notInBooks({ month, now, firstMonth }: Turn): PeriodRejection | undefined {
  const { to } = boundsOf(month);
  if (Date.parse(now) < to.getTime()) return { code: 'PeriodNotOver', endsAt: to.toISOString() };
  return firstMonth === undefined || month < firstMonth
    ? { code: 'PeriodBeforeBooks', firstMonth: firstMonth ?? null }
    : undefined;
}

function firstOpen(firstMonth: string, closedMonths: readonly string[]): string {
  let month = firstMonth;
  while (closedMonths.includes(month)) month = boundsOf(month).to.toISOString().slice(0, 7);
  return month;
}

/** Stream `period-2026-10`: a month of the books. */
export const periodDecider: Decider<PeriodCommand, Period, PeriodEvent, PeriodRejection> = {
  streamOf: (month) => `period-${month}`,
  initialState: { status: 'open', sealed: false, reopenings: [] },
  decide,
  evolve: evolveBy<Period, PeriodEvent>({
    PeriodSealed: (period) => (period.status === 'open' ? { ...period, sealed: true } : period),
    PeriodClosed: ({ reopenings }, closed) => ({ status: 'closed', signed: false, ...closed, reopenings }),
    PeriodAdjusted: (period) => period,
    PeriodReopened: ({ reopenings }, { approvalId }) => ({
      status: 'open',
      sealed: false,
      reopenings: [...reopenings, approvalId],
    }),
    PeriodSigned: (period) => (period.status === 'closed' ? { ...period, signed: true } : period),
  }),
};
