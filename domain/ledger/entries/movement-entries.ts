import { feeOfRecord, type BalanceTransaction, type HeldMovement } from '../../shared/balance-movement.js';
import { SUSPENSE } from '../accounts.js';
import { CASH, entry, inForeign, usd, type Entry } from './entry-parts.js';

/**
 * Posts the provider's fee. The fact behind a movement posts the rest, and a dispute posts its own fee. A won dispute
 * that returns its fee lowers the dispute fees.
 */
export function fee(movement: BalanceTransaction): Entry | undefined {
  const kept = feeOfRecord(movement);
  const account = movement.kind === 'dispute won' ? 'dispute-fees' : 'stripe-fees';
  return entry('stripe-fee', [usd(account, kept), usd(CASH, -kept)]);
}

/**
 * Posts a movement without a fact of ours, or its mirror. The fact name fits most of them, but a reserve is not
 * suspense.
 */
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
