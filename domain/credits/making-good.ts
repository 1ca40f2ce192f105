import { counter } from '../shared/counter.js';
import type { CreditEvent } from './credit-account.js';
import { invoiceDecider } from './invoice.js';
import { leftToMakeGood } from './invoice-lot.js';
import { sumOf } from './lot-payment.js';

/** The amount that an adjustment makes good, or will make good once it is applied. */
export interface MadeGood {
  adjustmentId: string;
  makesGood: string;
  paidLotId?: string;
  valueMicroUsd: number;
}

/** Stream `made-good-{userId}`: what adjustments with a value make good for one user. */
export const madeGoodCounter = counter<'MadeGoodCounted', MadeGood & { userId: string; at: string }>(
  'MadeGoodCounted',
  (userId) => `made-good-${userId}`,
);

/** The paid lot that an adjustment would count against, and the amount that may still be made good. */
export interface LeftToMakeGood {
  paidLotId?: string;
  leftMicroUsd: number;
}

/**
 * Returns what may still be made good for a lot or a purchase. A purchase that drew on several paid lots is made good
 * one lot at a time, starting with the lot that has most left.
 * @param history all events of the buyer's account
 * @param asked all requests, except declined and failed ones
 * @returns undefined if the account has no such lot or purchase
 */
export function leftOfNamed(
  makesGood: string,
  history: readonly CreditEvent[],
  asked: readonly MadeGood[],
): LeftToMakeGood | undefined {
  const parts = paidPartsOf(makesGood, history);
  if (!parts) return undefined;
  const { account, lots } = history.reduce(invoiceDecider.evolve, invoiceDecider.initialState);
  const applied = new Set(
    history.flatMap(({ type, data }) =>
      type === 'CreditsGranted' && data.adjustment ? [data.adjustment.adjustmentId] : [],
    ),
  );
  const left = [...parts].flatMap(([paidLotId, worthMicroUsd]) => {
    const lot = lots.get(paidLotId);
    if (!lot) return [];
    const waiting = asked.filter((each) => each.paidLotId === paidLotId && !applied.has(each.adjustmentId));
    const madeGood = [
      ...lot.madeGood,
      ...waiting.map(({ makesGood: of, valueMicroUsd }) => ({ of, valueMicroUsd })),
    ];
    const ofNamed = madeGood.filter(({ of }) => of === makesGood);
    const leftMicroUsd = Math.min(
      worthMicroUsd - sumOf(ofNamed.map(({ valueMicroUsd }) => valueMicroUsd)),
      leftToMakeGood({ ...lot, madeGood }, account),
    );
    return [{ paidLotId, leftMicroUsd: Math.max(0, leftMicroUsd) }];
  });
  return left.sort((a, b) => b.leftMicroUsd - a.leftMicroUsd)[0] ?? { leftMicroUsd: 0 };
}

/** Returns per paid lot what the lot was worth, or what the purchase took from it and did not get back. */
function paidPartsOf(named: string, history: readonly CreditEvent[]): Map<string, number> | undefined {
  const grants = history.flatMap(({ type, data }) => (type === 'CreditsGranted' ? [data] : []));
  const parts = new Map<string, number>();
  const add = (lotId: string, microUsd: number): void => {
    const grant = grants.find((each) => each.lotId === lotId);
    // Goodwill is not made good again.
    if (grant?.kind !== 'paid') return;
    const paidLotId = grant.returned?.lotId ?? lotId;
    parts.set(paidLotId, (parts.get(paidLotId) ?? 0) + microUsd);
  };
  const lot = grants.find(({ lotId }) => lotId === named);
  if (lot) {
    add(lot.lotId, lot.valueMicroUsd);
    return parts;
  }
  const spent = history.find(({ type, data }) => type === 'CreditsSpent' && data.purchaseId === named);
  if (spent?.type !== 'CreditsSpent') return undefined;
  for (const { lotId, valueMicroUsd } of spent.data.segments) add(lotId, valueMicroUsd);
  for (const { lotId, returned, valueMicroUsd } of grants)
    if (returned?.purchaseId === named) add(lotId, -valueMicroUsd);
  return parts;
}
