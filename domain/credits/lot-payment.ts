import { assert } from '../shared/decision.js';
import type { Unexplained } from '../shared/invoice-event.js';
import { MICRO_USD_PER_CENT } from '../shared/micro-usd.js';
import { isOfLot, valueOf, type CreditAccount, type CreditLot, type LotSegment } from './credit-account.js';

/** What a paid invoice line collected, and what of that was paid back. Its credits are in the account. */
export interface InvoiceLot {
  userId: string;
  lotId: string;
  invoiceId: string;
  credits: number;
  valueMicroUsd: number;
  grossMicroUsd: number;
  taxMicroUsd: number;
  taxPlace?: string;
  /** The part of the gross that came in as cash; only this much can be paid back. */
  collectedMicroUsd: number;
  /** ISO 8601. */
  paidAt: string;
  /** A failed refund: we hold the money again, but its tax and its credits are still gone. */
  refunds: {
    refundId: string;
    netMicroUsd: number;
    taxMicroUsd: number;
    unexplained?: Unexplained;
    failed: boolean;
    /** `over`: it was, and late reports of it count for nothing. */
    pending?: 'now' | 'over';
    /** What was pending was recorded as owed to the customer. */
    owed?: true;
  }[];
  disputes: {
    disputeId: string;
    /** What the bank took, with the part that is unexplained. */
    amountMicroUsd: number;
    unexplained?: Unexplained;
    taxMicroUsd: number;
    status: 'open' | 'won' | 'lost';
    /** The movements after the first that are in the amount, by the provider's ids. */
    adjustments: string[];
    /** Lost, and won back by an appeal. */
    recovered?: true;
  }[];
  /** What creators lost of purchases that the lot paid for. */
  sharesTakenBack: { purchaseId: string; shareMicroUsd: number }[];
  /** What administrators gave for credits of it that were spent or destroyed; `of` is the lot or the purchase. */
  madeGood: { of: string; valueMicroUsd: number }[];
}

/** The provider paid back, or a bank took, more than is left of the amount collected. */
const MORE_THAN_LEFT = 'more than is left of the payment';

/** The amount collected that is neither paid back nor disputed, in whole cents. */
export function leftOf({ collectedMicroUsd, refunds, disputes }: InvoiceLot): number {
  const back = sumOf(refunds.map((refund) => (refund.failed ? 0 : amountOf(refund))));
  const held = sumOf(disputes.map((each) => (each.status === 'won' ? 0 : explainedOf(each))));
  const left = collectedMicroUsd - back - held;
  assert(left >= 0, 'no more than was collected is explained as gone');
  return left;
}

/** What was paid back for good. */
export const goneOf = ({ refunds, disputes }: InvoiceLot): number =>
  sumOf(refunds.map((refund) => (refund.failed ? 0 : amountOf(refund)))) +
  sumOf(disputes.map((each) => (each.status === 'lost' ? explainedOf(each) : 0)));

/**
 * The net payment less what went back of it, in money or in credits that make it good. A failed refund counts, because
 * it is still owed; an open dispute counts, because the bank holds its money. Below zero, more went back than was paid.
 */
export function keptOf({ valueMicroUsd, refunds, disputes, madeGood }: InvoiceLot): number {
  const refunded = refunds.map((each) => each.netMicroUsd + (each.unexplained?.amountMicroUsd ?? 0));
  const disputed = disputes.map((each) =>
    each.status === 'won' || each.recovered ? 0 : each.amountMicroUsd - each.taxMicroUsd,
  );
  const good = madeGood.map((each) => each.valueMicroUsd);
  return valueMicroUsd - sumOf([...refunded, ...disputed, ...good]);
}

type Refund = InvoiceLot['refunds'][number];
type Dispute = InvoiceLot['disputes'][number];

export const sumOf = (amounts: readonly number[]): number => amounts.reduce((sum, amount) => sum + amount, 0);
/** As much of it as the payment explains. */
export const amountOf = ({ netMicroUsd, taxMicroUsd }: Refund): number => netMicroUsd + taxMicroUsd;
export const explainedOf = ({ amountMicroUsd, unexplained }: Dispute): number =>
  amountMicroUsd - (unexplained?.amountMicroUsd ?? 0);

/** How much of an amount exceeds what is left. */
export function beyond(lot: InvoiceLot, amountMicroUsd: number): { unexplained?: Unexplained } {
  const more = amountMicroUsd - leftOf(lot);
  return more > 0 ? { unexplained: { amountMicroUsd: more, reason: MORE_THAN_LEFT } } : {};
}

export const taxLeft = ({ taxMicroUsd, refunds, disputes }: InvoiceLot): number =>
  taxMicroUsd - sumOf([...refunds, ...disputes].map((each) => each.taxMicroUsd));

/** The tax that goes with a part of a whole, rounded down to a cent. */
export const taxIn = (lot: InvoiceLot, part: number, whole: number): number =>
  whole === 0
    ? 0
    : Math.min(taxLeft(lot), floorCents(Number((BigInt(lot.taxMicroUsd) * BigInt(part)) / BigInt(whole))));

/** As the events about a lot name it. */
export const placeOf = ({ taxPlace }: InvoiceLot): { taxPlace?: string } =>
  taxPlace === undefined ? {} : { taxPlace };

export const floorCents = (microUsd: number): number => microUsd - (microUsd % MICRO_USD_PER_CENT);

/** Credits of a lot that nobody has spent. */
export interface Unspent {
  credits: number;
  valueMicroUsd: number;
  segments: LotSegment[];
  frozen: boolean;
}

/** What the account still holds of this lot, of lots that purchases returned from it, and of lots that make it good. */
export const unspentOf = (lot: InvoiceLot, account: CreditAccount): Unspent =>
  unspentIn(account.lots.filter((each) => isOfLot(each, lot.lotId)));

/** The same without the credits that make it good; at most so many, those that are spent next. */
export const paidUnspentOf = (lot: InvoiceLot, account: CreditAccount, most = Infinity): Unspent =>
  unspentIn(
    account.lots.filter((each) => isOfLot(each, lot.lotId) && !isGoodwill(each)),
    most,
  );

/** Of the credits that make it good, the fewest that are worth this much, or all. */
export function goodwillWorth(lot: InvoiceLot, account: CreditAccount, worthMicroUsd: number): Unspent {
  const open = account.lots.filter((each) => isOfLot(each, lot.lotId) && isGoodwill(each));
  const held = unspentIn(open).credits;
  let most = 0;
  while (most < held && unspentIn(open, most).valueMicroUsd < worthMicroUsd) most += 1;
  return unspentIn(open, most);
}

/** What comes back keeps its kind, so only goodwill is promotional among the lots of a payment. */
const isGoodwill = ({ kind }: CreditLot): boolean => kind === 'promotional';

function unspentIn(open: readonly CreditLot[], most = Infinity): Unspent {
  const segments: LotSegment[] = [];
  let left = most;
  for (const each of open) {
    const credits = Math.min(left, each.credits - each.spentCredits);
    left -= credits;
    if (credits > 0) segments.push({ lotId: each.lotId, credits, valueMicroUsd: valueOf(each, credits) });
  }
  return {
    segments,
    credits: sumOf(segments.map(({ credits }) => credits)),
    valueMicroUsd: sumOf(segments.map(({ valueMicroUsd }) => valueMicroUsd)),
    frozen: open.some(({ disputedBy }) => disputedBy !== undefined),
  };
}
