import type { Decider } from '../shared/decider.js';
import { accept, assert, reject, type Decision } from '../shared/decision.js';

/** Stream `period-2026-10`: a month of the books. */
const streamOf = (month: string): string => `period-${month}`;

/** What a month added up to when it was closed; nothing is posted into it afterwards. */
export interface ClosedPeriod {
  /** `2026-10`, by UTC. */
  month: string;
  /** The newest event of the month, and its hash. */
  lastPosition: number;
  hash: string;
  /** Every balance at its end, debits above zero. */
  balances: { account: string; commodity: string; balance: number }[];
  by: string;
  at: string;
}

export type Period = { status: 'open' } | ({ status: 'closed' } & ClosedPeriod);

export type PeriodCommand = {
  type: 'ClosePeriod';
  now: string;
  /** The month of the first posting; absent while there is none. */
  firstMonth: string | undefined;
  /** The months closed before. */
  closedMonths: readonly string[];
  /** Rules of the books that are broken now. */
  broken: readonly BrokenRule[];
} & Omit<ClosedPeriod, 'at'>;

export interface BrokenRule {
  number: number;
  name: string;
  detail?: string;
}
export type PeriodEvent = { type: 'PeriodClosed'; data: ClosedPeriod };
export type PeriodRejection =
  | { code: 'PeriodNotOver'; endsAt: string }
  /** Nothing was posted in it or before it. */
  | { code: 'PeriodBeforeBooks'; firstMonth: string | null }
  /** An earlier month is open and must be closed first. */
  | { code: 'PeriodOutOfOrder'; nextMonth: string }
  | { code: 'BooksBroken'; broken: readonly BrokenRule[] };

const initialState: Period = { status: 'open' };

/** From the first instant of a month, inclusive, to that of the next. @param month `2026-10` */
export function boundsOf(month: string): { from: Date; to: Date } {
  const [year, number] = month.split('-').map(Number);
  assert(
    year !== undefined && number !== undefined && number >= 1 && number <= 12,
    'a month is one of twelve',
  );
  return { from: new Date(Date.UTC(year, number - 1)), to: new Date(Date.UTC(year, number)) };
}

/** Closing again changes nothing: what was stored stays. */
function decide(command: PeriodCommand, period: Period): Decision<PeriodEvent, PeriodRejection> {
  if (period.status === 'closed') return accept();
  const { type: _, now: at, firstMonth: _first, closedMonths: _closed, broken, ...closed } = command;
  const obstacle = notItsTurn(command);
  if (obstacle) return reject(obstacle);
  if (broken.length > 0) return reject({ code: 'BooksBroken', broken });
  for (const commodity of new Set(closed.balances.map((each) => each.commodity))) {
    const sum = closed.balances
      .filter((each) => each.commodity === commodity)
      .reduce((total, { balance }) => total + balance, 0);
    assert(sum === 0, `the books of ${command.month} are off by ${sum} ${commodity}`);
  }
  return accept<PeriodEvent>({ type: 'PeriodClosed', data: { ...closed, at } });
}

/** Why this month cannot be closed yet; undefined if it can. */
export function notItsTurn({
  month,
  now,
  firstMonth,
  closedMonths,
}: Pick<PeriodCommand, 'month' | 'now' | 'firstMonth' | 'closedMonths'>): PeriodRejection | undefined {
  const { to } = boundsOf(month);
  if (Date.parse(now) < to.getTime()) return { code: 'PeriodNotOver', endsAt: to.toISOString() };
  if (firstMonth === undefined || month < firstMonth)
    return { code: 'PeriodBeforeBooks', firstMonth: firstMonth ?? null };
  const nextMonth = firstOpen(firstMonth, closedMonths);
  return nextMonth < month ? { code: 'PeriodOutOfOrder', nextMonth } : undefined;
}

/** The earliest month of the books that is not closed. */
function firstOpen(firstMonth: string, closedMonths: readonly string[]): string {
  let month = firstMonth;
  while (closedMonths.includes(month)) month = boundsOf(month).to.toISOString().slice(0, 7);
  return month;
}

const evolve = (_: Period, { data }: PeriodEvent): Period => ({ status: 'closed', ...data });

export const periodDecider: Decider<PeriodCommand, Period, PeriodEvent, PeriodRejection> = {
  streamOf,
  initialState,
  decide,
  evolve,
};
