import type { ClosedPeriod } from '../../domain/ledger/period.js';
import type { CashFact, RecordedTransaction } from '../../domain/ledger/tie-out.js';
import type { Commodity } from '../../domain/ledger/accounts.js';
import type { AlertList, AlertsQuery, SeenCause } from './alert-contract.js';
import type {
  AccountStatement,
  ClosedPeriods,
  LateFacts,
  OpenItems,
  Rollforward,
  Span,
  TrialBalance,
} from './contract.js';

/** A rule of the books that does not hold. */
export interface Breach {
  invariant: number;
  detail: string;
}

export interface JournalLine {
  position: number;
  line: number;
  at: Date;
  fact: string;
  account: string;
  commodity: Commodity;
  delta: number;
  stream: string;
  type: string;
}

/** Reads the books as far as the journal has posted the log. The newest events may be missing. */
export abstract class BookQueries {
  /** Returns the position of the last event that the journal has posted. */
  abstract position(): Promise<number>;
  /** Lists every account with a balance at `asOf`. If grouped, lists every line of the chart of accounts instead. */
  abstract trialBalance(options: { asOf: Date; grouped: boolean }): Promise<TrialBalance>;
  /** Lists the lines of an account, by default oldest first. Balances include the events before the span. */
  abstract statement(
    account: string,
    page: Span & { limit: number; cursor?: string; order?: 'oldest' | 'newest' },
  ): Promise<AccountStatement>;
  /** Sums up how the credits of one user, or of all users, changed in a span. */
  abstract rollforward(span: Span & { userId?: string }): Promise<Rollforward>;
  abstract atEndOf(end: Date): Promise<Pick<ClosedPeriod, 'lastPosition' | 'hash' | 'balances'>>;
  /**
   * Returns the closed months and the first month of the books, such as `2026-10`: the chosen month, or else the
   * month of the first posting.
   */
  abstract turn(): Promise<{ firstMonth: string | undefined; closedMonths: string[] }>;
  /** Returns the month of our first entry, not counting mere movements at the payment provider. */
  abstract firstOwnMonth(): Promise<string | undefined>;
  /** Lists the closed months, newest first. */
  abstract closedPeriods(): Promise<ClosedPeriods>;
  /** Yields the names of the accounts that moved in a span, each once, in pages. */
  abstract accounts(span: Span): AsyncIterable<string[]>;
  /** Yields every journal line in order of position, in pages. */
  abstract lines(span: Span): AsyncIterable<JournalLine[]>;
}

export abstract class OpenBookQueries {
  abstract openItems(now: Date): Promise<OpenItems>;
  /** Lists items in suspense, owed to customers or in reserve. @param by ignores lines after this time */
  abstract clearable(now: Date, by?: Date): Promise<OpenItems>;
  abstract lateFacts(page: { limit: number; cursor?: string }): Promise<LateFacts>;
}

export abstract class AlertQueries {
  /** Lists alerts that are neither seen nor settled. */
  abstract list(asked?: Partial<AlertsQuery>): Promise<AlertList>;
  abstract unseen(cause: SeenCause): Promise<string[]>;
  /** Lists the keys of all open alerts of a kind, seen or unseen. */
  abstract lasting(kind: string): Promise<string[]>;
}

export abstract class CashFactQueries {
  abstract recorded(transactionIds: readonly string[]): Promise<RecordedTransaction[]>;
  /**
   * Lists the facts in `named` and all facts from `since` on, oldest first. Leaves out other facts whose movement at
   * the provider precedes `since`.
   */
  abstract behind(named: readonly Pick<CashFact, 'fact' | 'about'>[], since: Date): Promise<CashFact[]>;
}

/** Compares the tables of the books with each other and with the log. */
export abstract class StoredBookQueries {
  abstract posted(): Promise<number>;
  /** Returns breaches of the rules about totals. @param now determines the ages of open items */
  abstract breaches(now: Date): Promise<Breach[]>;
  /** Returns breaches of the rules about single events. @param since the position after which events are checked */
  abstract eventBreaches(now: Date, since: number): Promise<Breach[]>;
  abstract readModels(): readonly string[];
  /** Compares a read model with a rebuild from the log. @returns the number of rows that differ */
  abstract drift(readModel: string): Promise<number>;
}
