import { promise, redeem } from './promoting.js';
import { share } from './sharing.js';
import { closeMonth, moveClock } from './months.js';
import { World } from './world.js';
import * as lateFacts from './late-facts.js';
import * as buying from './buying.js';
import { inquire } from './inquiries.js';
import * as paying from './paying.js';
import * as refunding from './refunding.js';
import { clearSuspense, reopenMonth } from './suspense.js';
import { tieOutNow } from './tie-outs.js';
import * as treasury from './treasury.js';
import { check } from './rules.js';

type Step = (world: World) => void;

/** The steps with their relative frequency. */
const STEPS: readonly (readonly [number, Step])[] = [
  [18, buying.buy],
  [8, buying.buyPack],
  [8, buying.payInvoice],
  [3, buying.buyTopUp],
  [4, buying.buyGift],
  [4, buying.redeemGift],
  [2, buying.expireGift],
  [1, buying.eraseGiver],
  [4, buying.promote],
  [9, buying.adjust],
  [2, buying.applyAdjustment],
  [6, share],
  [4, promise],
  [7, redeem],
  [4, buying.returnPurchase],
  [2, buying.takeDown],
  [2, buying.recover],
  [5, refunding.refundUnspent],
  [5, refunding.settleRefund],
  [5, refunding.refundOutside],
  [3, refunding.failRefund],
  [6, paying.openDispute],
  [6, paying.closeDispute],
  [3, paying.adjustDispute],
  [2, paying.appeal],
  [2, paying.failPayment],
  [3, lateFacts.hearLate],
  [3, lateFacts.payProrations],
  [8, lateFacts.sweepMovements],
  [3, inquire],
  [4, tieOutNow],
  [7, paying.withdraw],
  [9, paying.settleWithdrawal],
  [3, paying.reverseTransfer],
  [4, treasury.payBank],
  [12, treasury.notifyOfMovements],
  [6, clearSuspense],
  [8, moveClock],
  [2, closeMonth],
  [2, reopenMonth],
];
const WEIGHT = STEPS.reduce((sum, [weight]) => sum + weight, 0);

/**
 * Runs one history and counts its outcomes. Throws an error that names the step at which the books went
 * wrong.
 */
export function runHistory(name: string, steps: number, counts: Map<string, number>): World {
  const world = new World(name);
  const path: string[] = [];
  try {
    // Creators have earnings to withdraw only weeks later.
    if (world.oneIn(3)) {
      for (const step of [buying.payInvoice, buying.payInvoice, buying.buy, buying.buy]) step(world);
      world.company.now += 15 * 86_400_000;
    }
    while (path.length < steps) {
      let pick = world.below(WEIGHT);
      const [, step] = STEPS.find(([weight]) => (pick -= weight) < 0) as (typeof STEPS)[number];
      world.did = '';
      world.company.fresh = [];
      step(world);
      // The step had nothing to act on yet, so another one runs.
      if (world.did === '') continue;
      path.push(`${step.name} ${world.did}`);
      counts.set(`${step.name} ${world.did}`, (counts.get(`${step.name} ${world.did}`) ?? 0) + 1);
      check(world);
    }
    while (world.agreed.length > 0) buying.applyAdjustment(world);
    refunding.settleRefunds(world);
    lateFacts.hearAll(world);
    treasury.notifyOfAll(world);
    lateFacts.sweepMovements(world);
    check(world, { last: true });
    return world;
  } catch (error) {
    throw new Error(`SEED=${name}, after ${path.join(', ')}: ${(error as Error).message}`, {
      cause: error,
    });
  }
}
