import { accept, reject, type Decision, type Decider } from '../shared/decision.js';
import type { Reason } from '../shared/remark.js';

export interface BooksBegin extends Reason {
  /** The first month of the books by UTC, such as `2026-10`. */
  month: string;
  by: string;
  approvedBy: string;
  approvalId: string;
}

export type BeginBooks = {
  type: 'BeginBooks';
  now: string;
  closedMonths: readonly string[];
  /** The month of our first entry that is not a mere movement at the provider. Undefined without such an entry. */
  firstOwnMonth: string | undefined;
} & BooksBegin;

export type BooksBegun = { type: 'BooksBegun'; data: BooksBegin & { at: string } };

export type BeginBooksRejection =
  | { code: 'MonthNotBegun'; month: string }
  /** A month is closed, so the opening balances of the books can no longer change. */
  | { code: 'PeriodIsClosed'; newestMonth: string }
  /** We posted entries of our own before the requested month. An opening balance must not replace them. */
  | { code: 'BooksBeganEarlier'; firstMonth: string };

type Begun = readonly BooksBegun['data'][];

function decide(command: BeginBooks, begun: Begun): Decision<BooksBegun, BeginBooksRejection> {
  const { type: _, now: at, closedMonths, firstOwnMonth, ...beginning } = command;
  const { month, approvalId } = beginning;
  if (begun.some((each) => each.approvalId === approvalId)) return accept();
  if (month > at.slice(0, 7)) return reject({ code: 'MonthNotBegun', month });
  const newestMonth = closedMonths.toSorted().at(-1);
  if (newestMonth !== undefined) return reject({ code: 'PeriodIsClosed', newestMonth });
  if (firstOwnMonth !== undefined && firstOwnMonth < month)
    return reject({ code: 'BooksBeganEarlier', firstMonth: firstOwnMonth });
  return accept({ type: 'BooksBegun', data: { ...beginning, at } });
}

/** Stream `books-begin`: the newest month counts. Earlier movements at the provider form the opening balance. */
export const booksBeginDecider: Decider<BeginBooks, Begun, BooksBegun, BeginBooksRejection, void> = {
  streamOf: () => 'books-begin',
  initialState: [],
  decide,
  evolve: (begun, { data }) => [...begun, data],
};
