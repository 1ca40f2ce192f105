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
