import { assert } from './decision.js';

/** One US cent in micro-dollars: every amount in the domain is an integer number of micro-dollars. */
export const MICRO_USD_PER_CENT = 10_000;

/** Throws unless `amount` is an integer that arithmetic cannot have blurred. */
export function assertMicroUsd(amount: number): number {
  assert(Number.isSafeInteger(amount), `not a safe integer of micro-dollars: ${amount}`);
  return amount;
}

export const microUsdFromCents = (cents: number): number => assertMicroUsd(cents * MICRO_USD_PER_CENT);

/** The creator's share, rounded down to a whole micro-dollar: floor(value · bps / 10000). */
export function floorShare(valueMicroUsd: number, policy: { shareBps: number }): number {
  assertMicroUsd(valueMicroUsd);
  // Products can pass 2^53; BigInt keeps the floor exact.
  return assertMicroUsd(Number((BigInt(valueMicroUsd) * BigInt(policy.shareBps)) / 10_000n));
}
