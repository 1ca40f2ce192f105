import { Command } from '@nestjs/cqrs';
import type { ClosedPeriod, PeriodRejection } from '../../domain/ledger/period.js';

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
