import type { Breach } from './audit-log.js';
import type { ClosedPeriod } from '../../domain/ledger/period.js';
import type { CashFact, RecordedTransaction } from '../../domain/ledger/tie-out.js';
import type { Commodity } from '../../domain/ledger/accounts.js';
import type { AlertList, AlertsQuery, SeenCause } from './alert-contract.js';
import type {
  AccountStatement,
  BalancesOverTime,
  ClosedPeriods,
  EventPage,
  EventsQuery,
  LateFacts,
  MonthlyRollforward,
  OpenItems,
  Rollforward,
  Span,
  TrialBalance,
} from './contract.js';
import type { TaxReport } from './tax/tax-contract.js';

/** A posted line, as exports print it. */
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

/** The books, as of the events posted so far. */
export abstract class BookQueries {
  /** The position up to which the journal has followed the log. */
  abstract position(): Promise<number>;
  /** Every account with a balance at that instant; grouped: every line of the chart. */
  abstract trialBalance(options: { asOf: Date; grouped: boolean }): Promise<TrialBalance>;
  /** With the balance after each event, even if the span leaves earlier events out; oldest first unless asked. */
  abstract statement(
    account: string,
    page: Span & { limit: number; cursor?: string; order?: 'oldest' | 'newest' },
  ): Promise<AccountStatement>;
  /** Of one user, or of everybody. */
  abstract rollforward(span: Span & { userId?: string }): Promise<Rollforward>;
  /** The end of a period: its last event, and every balance that is not 0. */
  abstract atEndOf(end: Date): Promise<Pick<ClosedPeriod, 'lastPosition' | 'hash' | 'balances'>>;
  /** The month of the first posting, such as `2026-10`, if there is one yet, and the months that are closed. */
  abstract turn(): Promise<{ firstMonth: string | undefined; closedMonths: string[] }>;
  /** The month of the first entry that is more than a movement at the payment provider. */
  abstract firstOwnMonth(): Promise<string | undefined>;
  /** Newest month first. */
  abstract closedPeriods(): Promise<ClosedPeriods>;
  /** The names of the accounts that a span moves, each once, in pages of constant memory. */
  abstract accounts(span: Span): AsyncIterable<string[]>;
  /** Every line in order of position, in pages of constant memory. */
  abstract lines(span: Span): AsyncIterable<JournalLine[]>;
}

/** The books by month (UTC), from the first that moved anything to that of `now`. */
export abstract class MonthlyBookQueries {
  abstract balances(now: Date): Promise<BalancesOverTime>;
  /** Of one user, or of everybody. */
  abstract rollforward(now: Date, userId: string | undefined): Promise<MonthlyRollforward>;
}

/** Items that wait to be settled, and items that came late. */
export abstract class OpenBookQueries {
  abstract openItems(now: Date): Promise<OpenItems>;
  /** Those that entries clear: in suspense, owed to customers or held in reserve. @param by of the lines until then alone; without it, of all */
  abstract clearable(now: Date, by?: Date): Promise<OpenItems>;
  abstract lateFacts(page: { limit: number; cursor?: string }): Promise<LateFacts>;
}

/** What tax was collected where. */
export abstract class TaxQueries {
  /** By month, then place. */
  abstract report(span: Span): Promise<TaxReport>;
}

export abstract class AlertQueries {
  /** What nobody has seen yet and is not over. */
  abstract list(asked?: Partial<AlertsQuery>): Promise<AlertList>;
  /** The keys of those of a cause that nobody has seen yet. */
  abstract unseen(cause: SeenCause): Promise<string[]>;
  /** The keys of what is not over, seen or not. */
  abstract lasting(kind: string): Promise<string[]>;
}

/** Our balance at the payment provider, from both sides. */
export abstract class CashFactQueries {
  /** Those of the given movements that the log has. */
  abstract recorded(transactionIds: readonly string[]): Promise<RecordedTransaction[]>;
  /** The cash of our facts, oldest first: the named ones, and later ones that the provider had not moved before. */
  abstract behind(named: readonly Pick<CashFact, 'fact' | 'about'>[], since: Date): Promise<CashFact[]>;
}

/** The event log, for auditors. */
export abstract class EventQueries {
  abstract list(query: EventsQuery): Promise<EventPage>;
}

/** The tables of the books, compared with each other and with the log. */
export abstract class StoredBookQueries {
  /** The position up to which the journal has followed the log. */
  abstract posted(): Promise<number>;
  /** Breaches of the rules about what all of the books come to. @param now for the ages of items */
  abstract breaches(now: Date): Promise<Breach[]>;
  /** Breaches of the rules about each event. @param since the position behind which events are judged; 0: all */
  abstract eventBreaches(now: Date, since: number): Promise<Breach[]>;
  /** The names of the read models. */
  abstract readModels(): readonly string[];
  /** Compares a read model with a fold of the log. @returns the rows that differ */
  abstract drift(readModel: string): Promise<number>;
}
