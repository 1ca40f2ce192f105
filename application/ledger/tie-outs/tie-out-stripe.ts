import { Injectable } from '@nestjs/common';
import { factsBehind, tieOut } from '../../../domain/ledger/tie-out.js';
import { Clock } from '../../shared/clock.js';
import type { StripeTieOut } from '../contract.js';
import { CashFactQueries } from '../queries.js';
import { readStripeReport } from './stripe-report.js';

const DAY_MS = 86_400_000;

@Injectable()
export class TieOutStripe {
  constructor(
    private readonly facts: CashFactQueries,
    private readonly clock: Clock,
  ) {}

  /** Facts after the report's last day count as missing. @param from first requested day @throws ReportUnreadable */
  async run(csv: string, from?: Date): Promise<Omit<StripeTieOut, 'kept'>> {
    const reported = readStripeReport(csv);
    const first = reported.reduce(
      (least, { at }) => Math.min(least, at.getTime()),
      (from ?? this.clock.now()).getTime(),
    );
    const since = new Date(first - (first % DAY_MS));
    const recorded = await this.facts.recorded(reported.map(({ transactionId }) => transactionId));
    const { matched, unmatchedTransactions, unmatchedFacts } = tieOut(
      reported,
      recorded,
      await this.facts.behind(recorded.flatMap(factsBehind), since),
    );
    const now = this.clock.now().getTime();
    const ageDays = (at: Date): number => Math.max(0, Math.floor((now - at.getTime()) / DAY_MS));
    return {
      matched: matched.map(({ transaction, position }) => ({
        transactionId: transaction.transactionId,
        position,
        amountMicroUsd: transaction.netMicroUsd,
      })),
      onlyAtStripe: unmatchedTransactions.map(({ transactionId, at, category, netMicroUsd, references }) => ({
        transactionId,
        at: at.toISOString(),
        ageDays: ageDays(at),
        category,
        netMicroUsd,
        references,
      })),
      onlyInBooks: unmatchedFacts.map(({ at, about, ...fact }) => ({
        ...fact,
        references: [about],
        at: at.toISOString(),
        ageDays: ageDays(at),
      })),
    };
  }
}
