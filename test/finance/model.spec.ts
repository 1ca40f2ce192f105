import { expect, it } from '@jest/globals';
import { PaymentGatewayUnavailable } from '../../application/payments/payment-gateway.js';
import { SEED, sizeOf } from '../support/sizes.js';
import { runHistory } from './model/history.js';
import { runInsiderHistory } from './model/insiders.js';
import { runPlanHistory, PlanWorld } from './model/plans.js';

const HISTORIES = sizeOf('MODEL_HISTORIES');
const STEPS = 40;
// `7.123` is one history, `7` all histories that begin with it.
const NAMES = SEED.includes('.') ? [SEED] : Array.from({ length: HISTORIES }, (_, n) => `${SEED}.${n}`);

/** Checks that the histories reached every outcome. */
function expectAll(counts: ReadonlyMap<string, number>, least: number): void {
  if (process.env.MODEL_COUNTS) process.stdout.write(`${JSON.stringify(Object.fromEntries(counts))}\n`);
  if (NAMES.length >= 1_000) expect(counts.size).toBeGreaterThanOrEqual(least);
}

it(`[FIN-22, FIN-23, FIN-24, FIN-25, FIN-27, FIN-123, FIN-124, FIN-127, FIN-128, FIN-480, SPLIT-701, PRICE-706, SELL-727, BACK-722, PROMO-705, GIFT-705] ${HISTORIES} seeded histories end every command in the books that an oracle counts`, () => {
  const counts = new Map<string, number>();
  for (const name of NAMES) runHistory(name, STEPS, counts);
  expectAll(counts, 75);
});

it(`[FIN-120] ${HISTORIES} seeded histories of changes of plan, ended between any two lines, charge each change once at most`, async () => {
  const counts = new Map<string, number>();
  for (const name of NAMES) await runPlanHistory(name, STEPS, counts);
  expectAll(counts, 28);
});

it(`[FIN-122] in ${HISTORIES} seeded histories of insiders nobody has more than was paid for it, and nothing above the limits that two people did not agree to`, async () => {
  const counts = new Map<string, number>();
  for (const name of NAMES) await runInsiderHistory(name, STEPS, counts);
  expectAll(counts, 34);
});

it('[FIN-121] a change whose answers are lost for a day is not asked for again when its request is repeated', async () => {
  const world = new PlanWorld('lost answers');
  world.provider.trouble = false;
  const { upgrade } = world.provider;
  const asked: string[] = [];
  world.provider.upgrade = async (...change) => {
    asked.push(change[2]);
    await upgrade.apply(world.provider, change).catch(() => undefined);
    throw new PaymentGatewayUnavailable('the answer is lost');
  };
  expect(await world.request(false)).toBe('open');
  world.now += 25 * 3_600_000;
  await world.request(true);
  expect(asked).toHaveLength(1);
});
