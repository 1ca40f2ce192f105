import { assert } from '../shared/decision.js';
import type { Unexplained } from '../shared/invoice-event.js';
import { MICRO_USD_PER_CENT, sumOf } from '../shared/micro-usd.js';
import { isOfLot, valueOf, type CreditAccount, type CreditLot, type LotSegment } from './credit-account.js';

/** The payment for one invoice line: money collected and money paid back. `CreditAccount` has the unspent credits. */
export interface InvoiceLot {
  /** The account that has the lot: of the payer, of the gift, or of the person who received the gift. */
  userId: string;
  lotId: string;
  invoiceId: string;
  credits: number;
  valueMicroUsd: number;
  grossMicroUsd: number;
  taxMicroUsd: number;
  taxPlace?: string;
  /** The part of the gross that was paid in cash. Refunds cannot exceed this part. */
  collectedMicroUsd: number;
  /** The time of the payment in ISO 8601. */
  paidAt: string;
  /** A failed refund returns the money to us. Tax and credits are not restored. */
  refunds: {
    refundId: string;
    netMicroUsd: number;
    taxMicroUsd: number;
    unexplained?: Unexplained;
    failed: boolean;
    /** `over`: the refund is no longer pending, and late reports that it is pending are ignored. */
    pending?: 'now' | 'over';
    /** The pending amount was recorded as owed to the customer. */
    owed?: true;
  }[];
  disputes: {
    disputeId: string;
    /** The amount that the bank took, including any excess over the payment (`unexplained`). */
    amountMicroUsd: number;
    unexplained?: Unexplained;
    taxMicroUsd: number;
    status: 'open' | 'won' | 'lost';
    /** The provider's ids of later movements that `amountMicroUsd` includes. */
    adjustments: string[];
    /** What the lost dispute took from the lot, without returned and compensating credits. */
    taken?: LotSegment;
    /** The dispute was lost, then won by an appeal. */
    recovered?: true;
  }[];
  /** Creators' shares that were taken back, for purchases paid with the lot. */
  sharesTakenBack: { purchaseId: string; creatorId: string; shareMicroUsd: number }[];
  /** Compensation by administrators for spent or lost credits of the lot. `of`: the id of the lot or purchase. */
  compensations: { of: string; valueMicroUsd: number }[];
}

/** Recorded if a refund or dispute exceeds what is left of the payment. */
const MORE_THAN_LEFT = 'more than is left of the payment';

/** Returns the collected amount that is neither paid back nor disputed, in whole cents. */
export function leftOf({ collectedMicroUsd, refunds, disputes }: InvoiceLot): number {
  const back = sumOf(refunds.map((refund) => (refund.failed ? 0 : amountOf(refund))));
  const held = sumOf(disputes.map((each) => (isOver(each) ? 0 : explainedOf(each))));
  const left = collectedMicroUsd - back - held;
  assert(left >= 0, 'no more than was collected is explained as gone');
  return left;
}

/** Returns the amount that left for good: refunds that did not fail, and lost disputes without a won appeal. */
export const goneOf = ({ refunds, disputes }: InvoiceLot): number =>
  sumOf(refunds.map((refund) => (refund.failed ? 0 : amountOf(refund)))) +
  sumOf(disputes.map((each) => (isLost(each) ? explainedOf(each) : 0)));

/**
 * Returns the net payment less what went back as money or as compensating credits. A failed refund counts, because it
 * is still owed. An open dispute counts, because the bank holds the money. The result is negative if more went back
 * than was paid.
 */
export function keptOf({ valueMicroUsd, refunds, disputes, compensations }: InvoiceLot): number {
  const refunded = refunds.map((each) => each.netMicroUsd + (each.unexplained?.amountMicroUsd ?? 0));
  const disputed = disputes.map((each) => (isOver(each) ? 0 : each.amountMicroUsd - each.taxMicroUsd));
  const good = compensations.map((each) => each.valueMicroUsd);
  return valueMicroUsd - sumOf([...refunded, ...disputed, ...good]);
}

type Refund = InvoiceLot['refunds'][number];
type Dispute = InvoiceLot['disputes'][number];

/** Returns whether the money is with us again. */
export const isOver = ({ status, recovered }: Dispute): boolean => status === 'won' || recovered === true;
export const isLost = (dispute: Dispute): boolean => dispute.status === 'lost' && !isOver(dispute);

/** Returns the part of a refund that the payment covers, tax included. */
export const amountOf = ({ netMicroUsd, taxMicroUsd }: Refund): number => netMicroUsd + taxMicroUsd;
export const explainedOf = ({ amountMicroUsd, unexplained }: Dispute): number =>
  amountMicroUsd - (unexplained?.amountMicroUsd ?? 0);

/** Returns the part of an amount that exceeds what is left of the payment. */
export function beyond(lot: InvoiceLot, amountMicroUsd: number): { unexplained?: Unexplained } {
  const more = amountMicroUsd - leftOf(lot);
  return more > 0 ? { unexplained: { amountMicroUsd: more, reason: MORE_THAN_LEFT } } : {};
}

export const taxLeft = ({ taxMicroUsd, refunds, disputes }: InvoiceLot): number =>
  taxMicroUsd - sumOf([...refunds, ...disputes].map((each) => each.taxMicroUsd));

/** Returns the tax contained in `part` of the amount `whole`, rounded down to a cent. */
export const taxIn = (lot: InvoiceLot, part: number, whole: number): number =>
  whole === 0
    ? 0
    : Math.min(taxLeft(lot), floorCents(Number((BigInt(lot.taxMicroUsd) * BigInt(part)) / BigInt(whole))));

export const placeOf = ({ taxPlace }: InvoiceLot): { taxPlace?: string } =>
  taxPlace === undefined ? {} : { taxPlace };

export const floorCents = (microUsd: number): number => microUsd - (microUsd % MICRO_USD_PER_CENT);

export interface Unspent {
  credits: number;
  valueMicroUsd: number;
  segments: LotSegment[];
  frozen: boolean;
}

/** Returns the unspent credits of a lot, with the returned and compensating credits that belong to it. */
export const unspentOf = (lot: InvoiceLot, account: CreditAccount): Unspent =>
  unspentIn(account.lots.filter((each) => isOfLot(each, lot.lotId)));

/** Like `unspentOf`, without compensating credits. Returns at most `most` credits, in the order of spending. */
export const paidUnspentOf = (lot: InvoiceLot, account: CreditAccount, most = Infinity): Unspent =>
  unspentIn(
    account.lots.filter((each) => isOfLot(each, lot.lotId) && !isGoodwill(each)),
    most,
  );

/** Returns the fewest compensating credits that are worth at least `worthMicroUsd`, or all if they are worth less. */
export function goodwillWorth(lot: InvoiceLot, account: CreditAccount, worthMicroUsd: number): Unspent {
  const open = account.lots.filter((each) => isOfLot(each, lot.lotId) && isGoodwill(each));
  const held = unspentIn(open).credits;
  let most = 0;
  while (most < held && unspentIn(open, most).valueMicroUsd < worthMicroUsd) most += 1;
  return unspentIn(open, most);
}

/** Credits of an undone purchase keep the kind `paid`. So a promotional lot that belongs to a payment is compensation. */
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

/** Recorded if the customer's balance at the provider paid a part, or lines without a product changed the amount due. */
const PAID_OTHERWISE = 'the lines and the payment differ: customer balance or proration';

/** Cash pays the lines in order. @returns the unpaid part of each line; negative for the first if cash is left over */
export function unexplainedOf(
  grossMicroUsd: readonly number[],
  cashMicroUsd: number,
): (Unexplained | undefined)[] {
  let rest = cashMicroUsd;
  const missing = grossMicroUsd.map((gross) => {
    const paid = Math.min(gross, rest);
    rest -= paid;
    return gross - paid;
  });
  return missing.map((amount, line) => {
    const amountMicroUsd = line === 0 ? amount - rest : amount;
    return amountMicroUsd === 0 ? undefined : { amountMicroUsd, reason: PAID_OTHERWISE };
  });
}
