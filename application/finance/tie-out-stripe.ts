import { Injectable } from '@nestjs/common';
import { tieOut } from '../../domain/ledger/tie-out.js';
import { Clock } from '../ports/clock.js';
import type { StripeTieOut } from './contract.js';
import { CashFacts } from './readers.js';
import { readStripeReport } from './stripe-report.js';

const DAY_MS = 86_400_000;

/** Holds our Stripe balance against Stripe's own report of it. */
@Injectable()
export class TieOutStripe {
  constructor(
    private readonly facts: CashFacts,
    private readonly clock: Clock,
  ) {}

  /**
   * Facts from the report's first day on are compared; later ones than it covers are listed as not in it yet.
   * @throws ReportUnreadable
   */
  async run(csv: string): Promise<StripeTieOut> {
    const transactions = readStripeReport(csv);
    const first = Math.min(...transactions.map(({ at }) => at.getTime()), this.clock.now().getTime());
    const { matched, unmatchedTransactions, unmatchedFacts } = tieOut(
      transactions,
      await this.facts.since(new Date(first - (first % DAY_MS))),
    );
    const now = this.clock.now().getTime();
    const ageDays = (at: Date): number => Math.max(0, Math.floor((now - at.getTime()) / DAY_MS));
    return {
      matched: matched.map(({ transaction, fact }) => ({
        transactionId: transaction.transactionId,
        position: fact.position,
        amountMicroUsd: fact.amountMicroUsd,
      })),
      onlyAtStripe: unmatchedTransactions.map(({ transactionId, at, category, netMicroUsd, references }) => ({
        transactionId,
        at: at.toISOString(),
        ageDays: ageDays(at),
        category,
        netMicroUsd,
        references,
      })),
      onlyInBooks: unmatchedFacts.map(({ at, ...fact }) => ({
        ...fact,
        at: at.toISOString(),
        ageDays: ageDays(at),
      })),
    };
  }
}
