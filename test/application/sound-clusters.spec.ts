import { beforeAll, expect, it } from '@jest/globals';
import {
  clustered,
  distanceTo,
  nearestAmong,
  nearestSounds,
  vectorAt,
  type SoundVectors,
} from '../../adapters/platform/search/sound-clusters.js';
import { BALANCES, COMPARED } from '../../domain/catalogue/sound/facts.js';
import { seeded } from '../audio/synthesis.js';

const SOUNDS = 100_000;
const random = seeded(4);
const KINDS = Array.from({ length: 400 }, () =>
  Array.from({ length: COMPARED }, (_, at) => ((random() - 0.5) * 200) / (1 + at / 8)),
);
const known = new Int8Array(SOUNDS * COMPARED);
for (let number = 0; number < SOUNDS; number++) {
  const kind = KINDS[number % KINDS.length] ?? [];
  for (let at = 0; at < COMPARED; at++)
    known[number * COMPARED + at] = (kind[at] ?? 0) + (random() - 0.5) * 30;
}
/** Every tenth sound has no description. */
const described = Uint32Array.from({ length: SOUNDS }, (_, number) => number).filter(
  (number) => number % 10 > 0,
);
let sounds: SoundVectors;
beforeAll(async () => {
  sounds = await clustered(known, described);
});

it('[EAR-712] the nearest sounds among many are found without comparing all', () => {
  let [found, all] = [0, 0];
  for (let number = 5; number < SOUNDS; number += 5_001) {
    for (const balance of BALANCES) {
      const sought = { sound: vectorAt(known, number), balance, limit: 10 };
      let asked = 0;
      const near = nearestSounds(sounds, sought, () => ++asked > 0) ?? [];
      expect(asked).toBeLessThan(SOUNDS / 2);
      const tenth = nearestAmong(sounds, sought, described).at(-1)?.distance ?? 0;
      found += near.filter(({ distance }) => distance <= tenth).length;
      all += 10;
      for (const each of near)
        expect(each.distance).toBe(distanceTo(sought.sound, balance, known, each.number * COMPARED));
    }
  }
  expect(found / all).toBeGreaterThan(0.9);
});

it('[EAR-712] if few sounds pass a filter, all of them are compared', () => {
  const sought = { sound: vectorAt(known, 7), balance: 'timbre' as const, limit: 10 };
  const passes = (number: number): boolean => number % 301 === 0;
  expect(nearestSounds(sounds, sought, passes)).toBeUndefined();
  const few = nearestAmong(sounds, sought, described.filter(passes));
  expect(few).toHaveLength(10);
  expect(few.map(({ distance }) => distance)).toEqual(
    Array.from(described.filter(passes), (number) =>
      distanceTo(sought.sound, 'timbre', known, number * COMPARED),
    )
      .sort((a, b) => a - b)
      .slice(0, 10),
  );
});
