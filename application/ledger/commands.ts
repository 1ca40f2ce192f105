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

/** Closes a month. The months before it must be closed, and every rule of the books must hold. */
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

/** Requests an entry that clears an item in suspense. Nothing is posted before a second person approves. */
export class RequestAdjustingEntry extends Command<
  ApprovalResult | Refused<AdjustingRejection | PeriodRejection>
> {
  constructor(readonly requested: RequestedEntry) {
    super();
  }
}

/** Posts an approved entry, once per id. */
export class PostAdjustingEntry extends Command<
  { accepted: true } | Refused<AdjustingRejection | PeriodRejection>
> {
  constructor(readonly entry: PostedEntry) {
    super();
  }
}

/** Notes what an item in suspense is, while it is there. Returns false if there is no such item. */
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

/** Requests an approval to reopen the month that was closed last. */
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

/** Reopens a month. The balances of the closing stay in the log. */
export class ReopenPeriod extends Command<{ accepted: true } | Refused<PeriodRejection>> {
  constructor(readonly reopening: Reopening) {
    super();
  }
}

/** Requests an approval for the first month of the books. */
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

/** Sets the first month of the books, once per approval. The next sweep of the balance posts the opening balances. */
export class BeginBooks extends Command<{ accepted: true } | Refused<BeginBooksRejection>> {
  constructor(readonly beginning: BooksBegin) {
    super();
  }
}

export type RetryOutcome =
  /** The fact is recorded now, or was recorded meanwhile. */
  | 'agrees'
  | 'contradicts'
  /** No report with this id was set aside, or the provider no longer has it. */
  | 'unknown';

/** Reads a report that was set aside again, and records it unless it still contradicts the record. */
export class RetryFact extends Command<RetryOutcome> {
  constructor(
    /** The provider's id, our id of a refund or withdrawal, or the key of the alert. */
    readonly id: string,
    readonly by: string,
  ) {
    super();
  }
}

/** Compares the provider's balance report with the books, and keeps the result. */
export class DoTieOut extends Command<StripeTieOut> {
  constructor(
    readonly csv: string,
    /** The time for which the report was requested, in addition to the days of its lines. */
    readonly span: Span,
    readonly by: string,
  ) {
    super();
  }
}

/** Maps our accounts to those of another bookkeeping system. */
export class ChangeAccountMap extends Command<void> {
  constructor(
    readonly accounts: readonly MappedAccount[],
    readonly by: string,
  ) {
    super();
  }
}
