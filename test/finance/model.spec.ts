import { expect, it } from '@jest/globals';
import { SEED, sizeOf } from '../support/sizes.js';
import { runHistory } from './model/history.js';

const HISTORIES = sizeOf('MODEL_HISTORIES');
const STEPS = 40;

it(`[FIN-22, FIN-23, FIN-24, FIN-25, FIN-27] ${HISTORIES} seeded histories end every command in the books that an oracle counts`, () => {
  const counts = new Map<string, number>();
  // `7.123` is one history, `7` all that begin with it.
  const names = SEED.includes('.') ? [SEED] : Array.from({ length: HISTORIES }, (_, n) => `${SEED}.${n}`);
  for (const name of names) runHistory(name, STEPS, counts);
  // Everything that can happen has happened.
  if (names.length >= 1_000) expect(counts.size).toBeGreaterThan(40);
});
