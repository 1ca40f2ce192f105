import { expect, it } from '@jest/globals';
import { SeenNames } from '../../application/ledger/seen-names.js';
import { randomFrom } from '../../domain/shared/seeded-random.js';

it('[FIN-22] knows names as a set does, through growth and deletions', () => {
  const random = randomFrom('seen names');
  const [seen, set] = [new SeenNames(), new Set<string>()];
  for (let step = 0; step < 30_000; step += 1) {
    const name = `purchase-user${Math.floor(random() * 9_000)}.sample`;
    if (random() < 0.35) {
      seen.delete(name);
      set.delete(name);
    } else {
      if (seen.add(name) === set.has(name)) throw new Error(`${name} at step ${step}`);
      set.add(name);
    }
    if (step % 10_000 === 0)
      for (let n = 0; n < 9_000; n += 1)
        if (seen.has(`purchase-user${n}.sample`) !== set.has(`purchase-user${n}.sample`))
          throw new Error(`${n} after step ${step}`);
  }
  expect(set.size).toBeGreaterThan(1_000);
});

it('[FIN-22] tells a hundred thousand names apart', () => {
  const seen = new SeenNames();
  for (let n = 0; n < 100_000; n += 1)
    if (!seen.add(`purchase-${n}.${n % 1_000}`)) throw new Error(`${n} is taken for another`);
});
