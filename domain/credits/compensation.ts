import { counter } from '../shared/counter.js';
import { grantsIn, type CreditEvent } from './credit-account.js';
import { invoiceDecider } from './invoice.js';
import { leftToCompensate } from './invoice-lot.js';
import { sumOf } from '../shared/micro-usd.js';

/** An adjustment, requested or made, that replaces the lost credits of the lot or purchase `makesGood`. */
export interface Compensation {
  adjustmentId: string;
  makesGood: string;
  paidLotId?: string;
  valueMicroUsd: number;
}

/** Counts the compensation requested for a user, so that concurrent requests cannot exceed the loss. */
export const compensationCounter = counter<'MadeGoodCounted', Compensation & { userId: string; at: string }>(
  'MadeGoodCounted',
  (userId) => `made-good-${userId}`,
);

/** How much of a loss an adjustment may still compensate, and the paid lot behind the loss. */
export interface LeftToCompensate {
  paidLotId?: string;
  leftMicroUsd: number;
}

/**
 * Returns how much of the lot or purchase `makesGood` may still be compensated. A purchase that took from several paid
 * lots is compensated one lot at a time, starting with the lot that has the largest amount left.
 * @param history the events of all gifts that came into the buyer's account, followed by all events of that account
 * @param asked all requests for compensation, except declined and failed ones
 * @returns undefined if the account has no such lot or purchase
 */
export function leftOfNamed(
  makesGood: string,
  history: readonly CreditEvent[],
  asked: readonly Compensation[],
): LeftToCompensate | undefined {
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
    const compensations = [
      ...lot.compensations,
      ...waiting.map(({ makesGood: of, valueMicroUsd }) => ({ of, valueMicroUsd })),
    ];
    const ofNamed = compensations.filter(({ of }) => of === makesGood);
    const leftMicroUsd = Math.min(
      worthMicroUsd - sumOf(ofNamed.map(({ valueMicroUsd }) => valueMicroUsd)),
      leftToCompensate({ ...lot, compensations }, account),
    );
    return [{ paidLotId, leftMicroUsd: Math.max(0, leftMicroUsd) }];
  });
  return left.sort((a, b) => b.leftMicroUsd - a.leftMicroUsd)[0] ?? { leftMicroUsd: 0 };
}

/**
 * Returns the value of the lot or purchase with the id `named`, for each paid lot behind it. The value of a purchase
 * excludes returned credits.
 */
function paidPartsOf(named: string, history: readonly CreditEvent[]): Map<string, number> | undefined {
  const grants = grantsIn(history);
  const parts = new Map<string, number>();
  const add = (lotId: string, microUsd: number): void => {
    const grant = grants.find((each) => each.lotId === lotId);
    // Only paid credits are compensated.
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
