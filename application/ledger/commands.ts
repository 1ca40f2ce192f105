import { Command } from '@nestjs/cqrs';
import type { AlertCommand } from '../../domain/ledger/alert.js';
import type { ClosedPeriod, PeriodRejection } from '../../domain/ledger/period.js';
import type { Unclocked } from '../shared/streams.js';

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

/** Raises an alert once, settles it, or notes who saw it. Answers whether there is one. */
export class DecideAlert extends Command<boolean> {
  constructor(
    readonly decision: Unclocked<AlertCommand>,
    readonly actor: string,
  ) {
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
