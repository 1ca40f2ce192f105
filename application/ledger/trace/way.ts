import type { CreditEvent } from '../../../domain/credits/credit-account.js';
import type { AdjustingEvent } from '../../../domain/ledger/adjusting-entry.js';
import { chartedAccount } from '../../../domain/ledger/accounts.js';
import { entryFor, type Posting } from '../../../domain/ledger/entry.js';
import type { BankPayoutEvent } from '../../../domain/payments/bank-payout.js';
import type { PayoutClaimEvent } from '../../../domain/payouts/payout-claim.js';
import type { PayoutEvent } from '../../../domain/payouts/payouts.js';
import type { PurchaseEvent } from '../../../domain/purchases/purchase.js';
import type { BalanceTransactionEvent } from '../../../domain/shared/balance-movement.js';
import { decimalDollars, MICRO_USD_PER_CENT, sumOf } from '../../../domain/shared/micro-usd.js';
import type { PaymentWords } from '../../payments/payment-gateway.js';
import type { TraceCard } from './trace-contract.js';
import type { Cited, Traced, TracedEvents } from './traced-events.js';

type Known =
  | CreditEvent
  | PurchaseEvent
  | PayoutEvent
  | PayoutClaimEvent
  | BankPayoutEvent
  | BalanceTransactionEvent
  | AdjustingEvent;
export type TracedOf<Type extends Known['type']> = Omit<Traced, 'type' | 'data'> &
  Extract<Known, { type: Type }>;

export const allOf = <Type extends Known['type']>(
  events: readonly Traced[],
  ...types: readonly Type[]
): TracedOf<Type>[] =>
  events.filter(({ type }) => (types as readonly string[]).includes(type)) as unknown as TracedOf<Type>[];

export interface DraftFact {
  label: string;
  text?: string;
  microUsd?: number;
  at?: string;
  href?: string;
  person?: string;
  sample?: string;
}
export type Draft = Omit<TraceCard, 'facts' | 'postings' | 'positions' | 'at' | 'href'> & {
  at: Date;
  href?: string;
  facts: DraftFact[];
  events: readonly Cited[];
};
/** The facts of a card. Empty and false values are left out. */
export type DraftFacts = readonly (DraftFact | '' | false | undefined)[];

export class Way {
  readonly cards = new Map<string, Draft>();

  constructor(
    readonly events: TracedEvents,
    readonly words: PaymentWords,
  ) {}

  has = (key: string): boolean => this.cards.has(key);

  add({ facts, ...draft }: Omit<Draft, 'from' | 'facts'> & { facts: DraftFacts }): string {
    this.cards.set(draft.key, { ...draft, facts: facts.flatMap((fact) => fact || []), from: [] });
    return draft.key;
  }

  join(key: string, from: string): void {
    const card = this.cards.get(key);
    if (card && key !== from && !card.from.includes(from)) card.from.push(from);
  }
}

/** Formats dollars to the micro-dollar, with a typographic minus. */
export const money = (microUsd: number): string => decimalDollars(microUsd).replace('-', '\u2212');

/** Formats dollars with two decimal places if that is exact, else to the micro-dollar. */
export const cents = (microUsd: number): string =>
  microUsd % MICRO_USD_PER_CENT === 0 ? money(microUsd).slice(0, -4) : money(microUsd);

/** Returns a percentage such as "60 %" or "1.94 %". */
export const percent = (part: number, whole: number): string =>
  `${whole === 0 ? 0 : Number(((part / whole) * 100).toFixed(2))} %`;

/** Returns a reduced fraction such as "2/3". */
export function fraction(remainder: number, of: number): string {
  let [a, b] = [of, remainder];
  while (b !== 0) [a, b] = [b, a % b];
  return `${remainder / a}/${of / a}`;
}

/** Returns (amount · numerator) mod denominator. Uses BigInt, because the product may exceed a safe integer. */
export const remainderOf = (amount: number, numerator: number, denominator: number): number =>
  Number((BigInt(amount) * BigInt(numerator)) % BigInt(denominator));

/** What a debit and a credit mean on each account, as text for the cards. */
const EFFECTS: Record<string, readonly [debit: string, credit: string]> = {
  'stripe:balance': ['Cash comes to Stripe', 'Cash leaves Stripe'],
  'stripe:reserve': ['Kept back by Stripe', 'No longer kept back'],
  'bank:in-transit': ['On its way to our bank', 'No longer on its way'],
  bank: ['Arrives at our bank', 'Leaves our bank'],
  'disputes:held': ['Held by the bank', 'No longer held'],
  'deferred:*': ['Lot gets smaller', 'Lot gets bigger'],
  'creator:*': ['Owed less to the creator', 'Owed to the creator'],
  'payouts-in-transit': ['No longer on its way', 'On its way to the creator'],
  tax: ['Tax owed less', 'Tax owed'],
  'owed-to-customers': ['Owed less to the customer', 'Owed to the customer'],
  suspense: ['Waits for an explanation', 'Waits for an explanation'],
  'opening-balances': ['Less at the beginning', 'There at the beginning'],
  credits: ['Earned income undone', 'Earned income'],
  forfeited: ['Forfeited value undone', 'Forfeited value'],
  refunds: ['Refunded after it was earned', 'Refund undone'],
  royalties: ['Creator\u2019s share', 'Creator\u2019s share taken back'],
  'stripe-fees': ['Kept by Stripe', 'Given back by Stripe'],
  'dispute-fees': ['Kept for the dispute', 'Given back'],
  'chargeback-loss': ['Lost to the bank', 'Won back'],
  promotions: ['Given by us', 'Taken back'],
  'creator-losses': ['Written off', 'Write-off undone'],
  issued: ['Credits taken out', 'Credits issued'],
  'user:*': ['Credits arrive', 'Credits go'],
  'frozen:*': ['Credits frozen', 'Credits no longer frozen'],
  spent: ['Credits spent', 'Spending undone'],
  revoked: ['Credits revoked', 'Revocation undone'],
};

export const effectOf = ({ account, delta }: Posting): string =>
  EFFECTS[chartedAccount(account)?.group ?? '']?.[delta > 0 ? 0 : 1] ?? '';

export const postingsOf = (event: { type: string; data: object }): Posting[] =>
  entryFor(event)?.postings ?? [];

/** Returns the dollars that an event moves on an account, or with `others` on all other accounts. */
export const movedOn = (
  account: string,
  event: { type: string; data: object },
  how?: { others: true },
): number =>
  sumOf(
    postingsOf(event)
      .filter((each) => each.commodity === 'usd' && (each.account === account) !== (how?.others ?? false))
      .map(({ delta }) => delta),
  );
