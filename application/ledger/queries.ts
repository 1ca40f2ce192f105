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

/** The books, up to the events posted so far. */
export abstract class BookQueries {
  /** The log position up to which the journal has posted. */
  abstract position(): Promise<number>;
  /** Every account with a balance at that time; grouped: every line of the chart. */
  abstract trialBalance(options: { asOf: Date; grouped: boolean }): Promise<TrialBalance>;
  /** Each line has the balance after its event, even if the span excludes earlier events. Oldest first by default. */
  abstract statement(
    account: string,
    page: Span & { limit: number; cursor?: string; order?: 'oldest' | 'newest' },
  ): Promise<AccountStatement>;
  /** For one user, or for all. */
  abstract rollforward(span: Span & { userId?: string }): Promise<Rollforward>;
  abstract atEndOf(end: Date): Promise<Pick<ClosedPeriod, 'lastPosition' | 'hash' | 'balances'>>;
  /** The closed months, and the month of the first posting, such as `2026-10`, if there is one. */
  abstract turn(): Promise<{ firstMonth: string | undefined; closedMonths: string[] }>;
  /** The month of the first entry of our own, not counting movements at the payment provider. */
  abstract firstOwnMonth(): Promise<string | undefined>;
  /** Newest month first. */
  abstract closedPeriods(): Promise<ClosedPeriods>;
  /** The names of the accounts that moved in a span, each once, in pages of constant memory. */
  abstract accounts(span: Span): AsyncIterable<string[]>;
  /** Every line in order of position, in pages of constant memory. */
  abstract lines(span: Span): AsyncIterable<JournalLine[]>;
}

export abstract class OpenBookQueries {
  abstract openItems(now: Date): Promise<OpenItems>;
  /** Items that entries can clear: in suspense, owed to customers or in reserve. @param by ignores later lines */
  abstract clearable(now: Date, by?: Date): Promise<OpenItems>;
  abstract lateFacts(page: { limit: number; cursor?: string }): Promise<LateFacts>;
}

export abstract class AlertQueries {
  /** Unseen alerts that are not settled. */
  abstract list(asked?: Partial<AlertsQuery>): Promise<AlertList>;
  abstract unseen(cause: SeenCause): Promise<string[]>;
  /** Keys of the alerts that are not settled, seen or not. */
  abstract lasting(kind: string): Promise<string[]>;
}

export abstract class CashFactQueries {
  abstract recorded(transactionIds: readonly string[]): Promise<RecordedTransaction[]>;
  /** Cash facts, oldest first: the named ones, and those since a time, except facts of earlier movements. */
  abstract behind(named: readonly Pick<CashFact, 'fact' | 'about'>[], since: Date): Promise<CashFact[]>;
}

/** Compares the tables of the books with each other and with the log. */
export abstract class StoredBookQueries {
  abstract posted(): Promise<number>;
  /** Breaches of the rules about totals. @param now for the ages of items */
  abstract breaches(now: Date): Promise<Breach[]>;
  /** Breaches of the rules about single events. @param since only later events are checked; 0: all */
  abstract eventBreaches(now: Date, since: number): Promise<Breach[]>;
  abstract readModels(): readonly string[];
  /** Compares a read model with a refold of the log. @returns the number of rows that differ */
  abstract drift(readModel: string): Promise<number>;
}
