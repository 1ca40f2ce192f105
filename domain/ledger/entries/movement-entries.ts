import { feeOfRecord, type BalanceTransaction, type HeldMovement } from '../../shared/balance-movement.js';
import { SUSPENSE } from '../accounts.js';
import { CASH, entry, inForeign, usd, type Entry } from './entry-parts.js';

/**
 * Posts the fee of a movement. The fact of the movement posts the rest; the fact of a dispute includes its fee. If a
 * won dispute returns its fee, the dispute fees decrease.
 */
export function fee(movement: BalanceTransaction): Entry | undefined {
  const kept = feeOfRecord(movement);
  const account = movement.kind === 'dispute won' ? 'dispute-fees' : 'stripe-fees';
  return entry('stripe-fee', [usd(account, kept), usd(CASH, -kept)]);
}

/**
 * Posts a movement that no fact of ours explains, or reverses that entry (`sign` −1). All such entries have one fact
 * name, also those of reserves.
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
