import { expect, it } from '@jest/globals';
import { SEED, sizeOf } from '../support/sizes.js';
import { runHistory } from './model/history.js';

const HISTORIES = sizeOf('MODEL_HISTORIES');
const STEPS = 40;

it(`[FIN-22, FIN-23, FIN-24, FIN-25, FIN-27] ${HISTORIES} seeded histories end every command in the books that an oracle counts`, () => {
  const counts = new Map<string, number>();
  const started = performance.now();
  // `7.123` is one history, `7` all that begin with it.
  const names = SEED.includes('.') ? [SEED] : Array.from({ length: HISTORIES }, (_, n) => `${SEED}.${n}`);
  for (const name of names) runHistory(name, STEPS, counts);
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  const told = [...counts].sort().map(([step, count]) => `${step} ${count}`);
  console.log(`model: SEED=${SEED}, ${names.length} histories in ${seconds} s\n${told.join('\n')}`);
  // Everything that can happen has happened.
  if (names.length >= 1_000) expect(counts.size).toBeGreaterThan(40);
});
