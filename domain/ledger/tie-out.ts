import type { BalanceTransaction, MovementKind } from '../shared/balance-movement.js';
import { entryFor, type LedgerFact } from './entry.js';

/** A line of the payment provider's report: one movement of its balance. Cents are whole. */
export interface ReportedTransaction {
  /** `txn_…` */
  transactionId: string;
  at: Date;
  category: string;
  grossMicroUsd: number;
  netMicroUsd: number;
  /** Everything the line names: its source, its charge, its invoice. */
  references: string[];
}

/** A movement that the log has under the provider's id. */
export interface RecordedTransaction extends Pick<BalanceTransaction, 'transactionId' | 'grossMicroUsd'> {
  /**
   * The fact that posts the movement without its fee; null for a fee, and for a movement that no fact of ours is
   * about.
   */
  fact: string | null;
  about: string | null;
  position: number;
}

/** What one event moved in our `stripe:balance`. */
export interface CashFact {
  position: number;
  at: Date;
  fact: string;
  /** Our id of its subject, as the movement names it. */
  about: string;
  amountMicroUsd: number;
}

export interface TiedOut {
  matched: { transaction: ReportedTransaction; position: number }[];
  /** In the report, not in the books. */
  unmatchedTransactions: ReportedTransaction[];
  /** In the books, not in the report. */
  unmatchedFacts: CashFact[];
}

/** The fact that posts a movement without its fee; a fee posts itself, and no fact posts a reserve or an `other` movement. */
const FACT_OF: Record<MovementKind, LedgerFact | undefined> = {
  charge: 'invoice-paid',
  refund: 'invoice-refunded',
  'refund failed': 'refund-failed',
  dispute: 'dispute-opened',
  'dispute won': 'dispute-won',
  'dispute adjusted': 'dispute-adjusted',
  'payment failed': 'invoice-refunded',
  transfer: 'transfer-created',
  'transfer reversed': 'transfer-reversed',
  'bank payout': 'bank-payout-sent',
  'bank payout failed': 'bank-payout-failed',
  fee: undefined,
  reserve: undefined,
  other: undefined,
};

export const factOfMovement = (kind: MovementKind): LedgerFact | undefined => FACT_OF[kind];

/**
 * What the fact behind a movement takes from the balance: all but the fee. Only a dispute's facts include their fee.
 */
export const movedByFact = ({
  kind,
  grossMicroUsd,
  feeMicroUsd,
}: Pick<BalanceTransaction, 'kind' | 'grossMicroUsd' | 'feeMicroUsd'>): number =>
  kind === 'dispute' || kind === 'dispute adjusted' ? grossMicroUsd - feeMicroUsd : grossMicroUsd;

/** What an event moves in the provider's balance; undefined if it moves nothing there. */
export function cashFactOf(event: {
  type: string;
  data: unknown;
}): { fact: LedgerFact; about: string; amountMicroUsd: number } | undefined {
  const entry = entryFor(event);
  const amountMicroUsd = (entry?.postings ?? [])
    .filter(({ account }) => account === 'stripe:balance')
    .reduce((sum, { delta }) => sum + delta, 0);
  if (!entry || amountMicroUsd === 0) return undefined;
  return { fact: entry.fact, about: aboutOf(event.data), amountMicroUsd };
}

export function aboutOf(data: unknown): string {
  const ids = data as Record<string, string | undefined> & { invoice?: { invoiceId: string } };
  const { transactionId, refundId, disputeId, reversalId, transferId, payoutId } = ids;
  return (
    transactionId ??
    refundId ??
    disputeId ??
    reversalId ??
    transferId ??
    payoutId ??
    ids.invoice?.invoiceId ??
    ''
  );
}

/** The facts that post a movement: the one it is about, and the one for its fee. */
export const factsBehind = ({
  fact,
  about,
  transactionId,
}: RecordedTransaction): Pick<CashFact, 'fact' | 'about'>[] => {
  const fee = { fact: 'stripe-fee', about: transactionId };
  if (!fact || about === null) return [fee];
  const facts = fact === 'invoice-refunded' ? [fact, 'refund-pending', 'refund-no-longer-pending'] : [fact];
  return [...facts.map((each) => ({ fact: each, about })), fee];
};

const keyOf = ({ fact, about }: Pick<CashFact, 'fact' | 'about'>): string => `${fact} ${about}`;

/**
 * Compares each line of a report with the movement that the log has under its id and with the facts behind that:
 * they must have moved the same amount, the fee included. Both lists name whatever does not tie out in full, so
 * that they differ by as much as the balances do.
 * @param facts every fact about the transactions, and all others of the time that the report covers
 */
export function tieOut(
  reported: readonly ReportedTransaction[],
  recorded: readonly RecordedTransaction[],
  facts: readonly CashFact[],
): TiedOut {
  const known = new Map(recorded.map((each) => [each.transactionId, each]));
  const behind = new Map<string, CashFact[]>();
  for (const fact of facts) {
    behind.set(keyOf(fact), [...(behind.get(keyOf(fact)) ?? []), fact]);
  }
  const used = new Set<CashFact>();
  const result: TiedOut = { matched: [], unmatchedTransactions: [], unmatchedFacts: [] };
  // A transaction that comes twice in a report is one.
  for (const transaction of new Map(reported.map((each) => [each.transactionId, each])).values()) {
    const { transactionId, grossMicroUsd, netMicroUsd } = transaction;
    const entry = known.get(transactionId);
    const all = entry ? factsBehind(entry).flatMap((named) => behind.get(keyOf(named)) ?? []) : [];
    const sum = all.reduce((total, { amountMicroUsd }) => total + amountMicroUsd, 0);
    const told = entry?.grossMicroUsd === grossMicroUsd && sum === netMicroUsd;
    const [first = entry] = all;
    if (entry && first && told && !all.some((fact) => used.has(fact))) {
      for (const fact of all) used.add(fact);
      result.matched.push({ transaction, position: first.position });
    } else result.unmatchedTransactions.push(transaction);
  }
  const unused = facts.filter((fact) => !used.has(fact));
  result.unmatchedFacts = unused.filter((fact) => !neverMoved(fact, unused));
  return result;
}

/** Facts about one thing that cancel out where nothing moved after all. */
const CANCELLING: readonly (readonly string[])[] = [
  ['invoice-refunded', 'refund-undone', 'refund-pending', 'refund-no-longer-pending', 'refund-failed'],
  ['movement-in-suspense'],
];

/**
 * Whether it is about a refund that the provider refused or has not sent, and so is in no report; or about a movement
 * that was in suspense until the fact behind it came.
 */
function neverMoved({ fact, about }: CashFact, facts: readonly CashFact[]): boolean {
  const kind = CANCELLING.find((each) => each.includes(fact)) ?? [];
  const all = facts.filter((each) => kind.includes(each.fact) && each.about === about);
  return all.length > 0 && all.reduce((sum, { amountMicroUsd }) => sum + amountMicroUsd, 0) === 0;
}
