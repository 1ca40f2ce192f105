/** A line of the payment provider's report: one movement of its balance. Cents are whole. */
export interface BalanceTransaction {
  /** `txn_…` */
  transactionId: string;
  at: Date;
  category: string;
  grossMicroUsd: number;
  netMicroUsd: number;
  /** Everything the line names: its source, its charge, its invoice. */
  references: string[];
}

/** What one event moved in our `stripe:balance`. */
export interface CashFact {
  position: number;
  at: Date;
  fact: string;
  /** The provider's ids that the event carries. */
  references: string[];
  amountMicroUsd: number;
}

export interface TiedOut {
  matched: { transaction: BalanceTransaction; fact: CashFact }[];
  /** In the report, not in the books. */
  unmatchedTransactions: BalanceTransaction[];
  /** In the books, not in the report. */
  unmatchedFacts: CashFact[];
}

/**
 * Ties each transaction to one fact that names the same thing and moved as much, each at most once. A fee is
 * its own matter: what came in is compared before it, and a dispute with what it took in all.
 */
export function tieOut(transactions: readonly BalanceTransaction[], facts: readonly CashFact[]): TiedOut {
  const open = new Map<string, CashFact[]>();
  for (const fact of facts)
    for (const reference of fact.references) open.set(reference, [...(open.get(reference) ?? []), fact]);
  const used = new Set<CashFact>();
  const result: TiedOut = { matched: [], unmatchedTransactions: [], unmatchedFacts: [] };
  // A transaction that comes twice in a report is one.
  const unique = new Map(transactions.map((transaction) => [transaction.transactionId, transaction]));
  for (const transaction of unique.values()) {
    const { references, grossMicroUsd, netMicroUsd } = transaction;
    const fact = references
      .flatMap((reference) => open.get(reference) ?? [])
      .find(
        (each) =>
          !used.has(each) && (each.amountMicroUsd === grossMicroUsd || each.amountMicroUsd === netMicroUsd),
      );
    if (fact) {
      used.add(fact);
      result.matched.push({ transaction, fact });
    } else result.unmatchedTransactions.push(transaction);
  }
  result.unmatchedFacts = facts.filter((fact) => !used.has(fact));
  return result;
}
