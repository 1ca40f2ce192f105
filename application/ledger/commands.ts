import { Command } from '@nestjs/cqrs';
import type { ApprovalResult } from '../approvals/approvals.js';
import type { MappedAccount } from '../../domain/ledger/account-map.js';
import type { AdjustingRejection, Clearing, PostedEntry } from '../../domain/ledger/adjusting-entry.js';
import type { BeginBooksRejection, BooksBegin } from '../../domain/ledger/books-begin.js';
import type { ClosedPeriod, PeriodRejection, Reopening } from '../../domain/ledger/period.js';
import type { Span, StripeTieOut } from './contract.js';

export type CloseOutcome =
  | { accepted: true; first: boolean; period: ClosedPeriod }
  | { accepted: false; rejection: PeriodRejection | { code: 'BooksBehind' } };

/** Closes a month, in order and with every rule of the books green. */
export class ClosePeriod extends Command<CloseOutcome> {
  constructor(
    /** `2026-10` */
    readonly month: string,
    readonly by: string,
  ) {
    super();
  }
}

type Refused<Rejection> = { accepted: false; rejection: Rejection };

export interface RequestedEntry extends Clearing {
  entryId: string;
  month?: string | undefined;
  evidence: string;
  reason: string;
  by: string;
}

/** Asks a second person for an entry that clears an item in suspense. Nothing is posted before they agree. */
export class RequestAdjustingEntry extends Command<
  ApprovalResult | Refused<AdjustingRejection | PeriodRejection>
> {
  constructor(readonly requested: RequestedEntry) {
    super();
  }
}

/** Posts what two people agreed to, once by its id. */
export class PostAdjustingEntry extends Command<
  { accepted: true } | Refused<AdjustingRejection | PeriodRejection>
> {
  constructor(readonly entry: PostedEntry) {
    super();
  }
}

/** Notes what an item in suspense is, while it stays there. Answers whether there is such an item. */
export class ExplainItem extends Command<boolean> {
  constructor(
    readonly account: string,
    readonly about: string,
    readonly note: string,
    readonly by: string,
  ) {
    super();
  }
}

/** Asks a second person to reopen the month that was closed last. */
export class RequestReopening extends Command<ApprovalResult | Refused<PeriodRejection>> {
  constructor(
    readonly approvalId: string,
    readonly month: string,
    readonly reason: string,
    readonly by: string,
  ) {
    super();
  }
}

/** Reopens a month; its balances of then stay in the log. */
export class ReopenPeriod extends Command<{ accepted: true } | Refused<PeriodRejection>> {
  constructor(readonly reopening: Reopening) {
    super();
  }
}

/** Asks a second person to have the books begin with a month. */
export class RequestBeginning extends Command<
  ApprovalResult | Refused<BeginBooksRejection | { code: 'AlreadyRequested' }>
> {
  constructor(
    readonly approvalId: string,
    readonly month: string,
    readonly reason: string,
    readonly by: string,
  ) {
    super();
  }
}

/** Has the books begin with a month, once by its consent. The next sweep of the balance opens them. */
export class BeginBooks extends Command<{ accepted: true } | Refused<BeginBooksRejection>> {
  constructor(readonly beginning: BooksBegin) {
    super();
  }
}

export type RetryOutcome =
  /** It is recorded now, or was meanwhile. */
  | 'agrees'
  | 'contradicts'
  /** Nothing of this name was set aside, or the provider knows it no more. */
  | 'unknown';

/** Reads a report again that was set aside, and records it if the record no longer speaks against it. */
export class RetryFact extends Command<RetryOutcome> {
  constructor(
    /** The provider's id, ours of a refund or a withdrawal, or the key of the alert. */
    readonly id: string,
    readonly by: string,
  ) {
    super();
  }
}

/** Compares a report of the provider's balance with the books, and keeps what came of it. */
export class DoTieOut extends Command<StripeTieOut> {
  constructor(
    readonly csv: string,
    /** What the report was asked for, beyond the days of its lines. */
    readonly span: Span,
    readonly by: string,
  ) {
    super();
  }
}

/** Says what our accounts are called in another bookkeeping. */
export class ChangeAccountMap extends Command<void> {
  constructor(
    readonly accounts: readonly MappedAccount[],
    readonly by: string,
  ) {
    super();
  }
}
