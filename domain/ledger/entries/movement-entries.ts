import { feeOfRecord, type BalanceTransaction, type HeldMovement } from '../../shared/balance-movement.js';
import { SUSPENSE } from '../accounts.js';
import { CASH, entry, inForeign, usd, type Entry } from './entry-parts.js';

/**
 * What the provider keeps for itself. The fact behind a movement posts the rest of it, and a dispute posts its own
 * fee; a won dispute that gives its fee back lowers the dispute fees.
 */
export function fee(movement: BalanceTransaction): Entry | undefined {
  const kept = feeOfRecord(movement);
  const account = movement.kind === 'dispute won' ? 'dispute-fees' : 'stripe-fees';
  return entry('stripe-fee', [usd(account, kept), usd(CASH, -kept)]);
}

/** A movement without a fact of ours, and its mirror. The fact's name is that of most: a reserve is no suspense. */
export const heldMovement = (held: HeldMovement, sign: 1 | -1): Entry | undefined =>
  entry(
    'movement-in-suspense',
    held.foreign
      ? [
          inForeign(CASH, held.foreign.currency, sign * held.foreign.amountMicro),
          inForeign(held.account ?? SUSPENSE, held.foreign.currency, -sign * held.foreign.amountMicro),
        ]
      : [
          usd(CASH, sign * (held.amountMicroUsd - held.feeMicroUsd)),
          usd(held.feeAccount ?? 'dispute-fees', sign * held.feeMicroUsd),
          usd(held.account ?? SUSPENSE, -sign * held.amountMicroUsd),
        ],
  );
