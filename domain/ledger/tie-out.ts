import { isDispute, type BalanceTransaction, type MovementKind } from '../shared/balance-movement.js';
import { entryFor, type LedgerFact } from './entry.js';

/** A line of the payment provider's report: one movement of its balance. */
export interface ReportedTransaction {
  /** The provider's id, such as `txn_…`. */
  transactionId: string;
  at: Date;
  category: string;
  /** Such as `usd`. All amounts of this line, its movement and its facts are millionths of this currency. */
  currency: string;
  grossMicroUsd: number;
  netMicroUsd: number;
  /** All ids that the line names: its source, charge, invoice and payout. */
  references: string[];
}

/** A movement of the provider's balance as our log recorded it. */
export interface RecordedTransaction extends Pick<BalanceTransaction, 'transactionId' | 'grossMicroUsd'> {
  /** The fact that posts the movement without its fee. Null for movements without a fact of ours, such as fees. */
  fact: string | null;
  about: string | null;
  currency: string;
  position: number;
}

/**
 * The amount that one event moved in our account `stripe:balance`, or in its account for another currency, such as
 * `stripe:balance:eur`.
 */
export interface CashFact {
  position: number;
  at: Date;
  fact: string;
  /**
   * The id of the subject, such as a refund. Equals the `about` of the provider's movement. For a fee or a movement
   * in suspense, it is the movement's own id.
   */
  about: string;
  currency: string;
  amountMicroUsd: number;
}

export interface TiedOut {
  matched: { transaction: ReportedTransaction; position: number }[];
  unmatchedTransactions: ReportedTransaction[];
  unmatchedFacts: CashFact[];
}

/**
 * The fact that posts a movement's gross amount; for opened and adjusted disputes, it also posts the
 * fee. Fees, reserves and `other` movements have no fact of ours.
 */
export const FACT_OF_MOVEMENT: Readonly<Record<MovementKind, LedgerFact | undefined>> = {
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

/**
 * Returns the amount that the fact of a movement posts: the gross amount, for opened and adjusted disputes less the
 * fee.
 */
export const movedByFact = (
  movement: Pick<BalanceTransaction, 'kind' | 'grossMicroUsd' | 'feeMicroUsd'>,
): number => movement.grossMicroUsd - (isDispute(movement) ? movement.feeMicroUsd : 0);

/** Returns what an event moves in the provider's balance, or undefined if it moves nothing there. */
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
  const { transactionId, refundId, disputeId, reversalId, transferId, payoutId, invoice } = ids;
  const subject = transactionId ?? refundId ?? disputeId ?? reversalId ?? transferId ?? payoutId;
  return subject ?? invoice?.invoiceId ?? '';
}

type NamedFact = Pick<CashFact, 'fact' | 'about'>;

export function factsBehind(
  movement: Pick<RecordedTransaction, 'fact' | 'about' | 'transactionId'>,
): NamedFact[] {
  const { fact, about, transactionId } = movement;
  const fee = { fact: 'stripe-fee', about: transactionId };
  if (!fact || about === null) return [fee];
  const facts = fact === 'invoice-refunded' ? [fact, 'refund-pending', 'refund-no-longer-pending'] : [fact];
  return [...facts.map((each) => ({ fact: each, about })), fee];
}

const keyOf = ({ fact, about }: NamedFact): string => `${fact} ${about}`;

/**
 * Compares each line of a report with the recorded movement of the same id, and with the facts behind that movement.
 * A line ties out if the movement has the same gross amount and the facts sum to the same net amount. The two lists
 * of unmatched items contain everything else, except facts that cancel each other out. The difference of the lists
 * therefore equals the difference of the balances.
 * @param facts every fact about the transactions, and all other facts since the report's first day whose movement is
 * not older
 */
export function tieOut(
  reported: readonly ReportedTransaction[],
  recorded: readonly RecordedTransaction[],
  facts: readonly CashFact[],
): TiedOut {
  const known = new Map(recorded.map((each) => [each.transactionId, each]));
  const behind = new Map<string, CashFact[]>();
  for (const fact of facts) behind.set(keyOf(fact), [...(behind.get(keyOf(fact)) ?? []), fact]);
  const used = new Set<CashFact>();
  const result: TiedOut = { matched: [], unmatchedTransactions: [], unmatchedFacts: [] };
  // A transaction that the report lists twice counts once.
  for (const transaction of new Map(reported.map((each) => [each.transactionId, each])).values()) {
    const { transactionId, currency, grossMicroUsd, netMicroUsd } = transaction;
    const entry = known.get(transactionId);
    const all = entry ? factsBehind(entry).flatMap((named) => behind.get(keyOf(named)) ?? []) : [];
    const sum = all.reduce((total, { amountMicroUsd }) => total + amountMicroUsd, 0);
    const agrees =
      entry?.currency === currency && entry.grossMicroUsd === grossMicroUsd && sum === netMicroUsd;
    const [first = entry] = all;
    if (entry && first && agrees && !all.some((fact) => used.has(fact))) {
      for (const fact of all) used.add(fact);
      result.matched.push({ transaction, position: first.position });
    } else result.unmatchedTransactions.push(transaction);
  }
  const unused = facts.filter((fact) => !used.has(fact));
  return { ...result, unmatchedFacts: unused.filter((fact) => !neverMoved(fact, unused)) };
}

/** Facts of one group about the same subject add up to 0 if no money moved. */
const CANCELLING: readonly (readonly string[])[] = [
  ['invoice-refunded', 'refund-undone', 'refund-pending', 'refund-no-longer-pending', 'refund-failed'],
  ['movement-in-suspense'],
];

/**
 * Returns true if all unmatched facts about the same refund, or about the same movement in suspense, cancel each
 * other out.
 */
function neverMoved({ fact, about }: CashFact, facts: readonly CashFact[]): boolean {
  const kind = CANCELLING.find((each) => each.includes(fact)) ?? [];
  const all = facts.filter((each) => kind.includes(each.fact) && each.about === about);
  return all.length > 0 && all.reduce((sum, { amountMicroUsd }) => sum + amountMicroUsd, 0) === 0;
}
