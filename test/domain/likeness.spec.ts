import { describe, expect, it } from '@jest/globals';
import { likenessOf } from '../../domain/publishing/likeness.js';

const SHARES = Array.from({ length: 51 }, (_, at) => 0.5 + at / 100);
const FRAMES = [5, 8, 11, 12, 23, 24, 60, 400];

describe('[COPY-16] how alike two sounds are', () => {
  it('rises with both looks: what is more alike is never told of less', () => {
    const score = (agreement: number, frames: number, phases: number): number =>
      likenessOf({ agreement, frames, phases })?.score ?? 0;
    for (const frames of FRAMES)
      for (const agreement of SHARES)
        for (const phases of SHARES.map((share) => 2 * (share - 0.5))) {
          const here = score(agreement, frames, phases);
          expect(score(agreement + 0.01, frames, phases)).toBeGreaterThanOrEqual(here);
          expect(score(agreement, frames, phases + 0.02)).toBeGreaterThanOrEqual(here);
        }
  });

  it('has 70 or more where it is held, and less where it is listed', () => {
    for (const frames of FRAMES)
      for (const agreement of SHARES)
        for (const phases of [0, 0.2, 0.4, 0.8, 1]) {
          const alike = likenessOf({ agreement, frames, phases });
          if (alike) expect(alike.tier === 'held').toBe(alike.score >= 70);
          if (alike) expect(alike.score).toBeLessThanOrEqual(100);
        }
  });

  it('holds nothing of less than half a second, and lists nothing by its signs or its phases alone', () => {
    expect(likenessOf({ agreement: 0.95, frames: 24, phases: 0.6 })).toMatchObject({ tier: 'held' });
    expect(likenessOf({ agreement: 0.95, frames: 23, phases: 0.6 })).toMatchObject({ tier: 'listed' });
    expect(likenessOf({ agreement: 0.84, frames: 200, phases: 0 })).toBeUndefined();
    expect(likenessOf({ agreement: 0.99, frames: 200, phases: 0.05 })).toBeUndefined();
    expect(likenessOf({ agreement: 0.58, frames: 200, phases: 1 })).toBeUndefined();
    expect(likenessOf({ agreement: 0.9, frames: 9, phases: 0.1 })).toBeUndefined();
  });
});
