import { expect, it } from '@jest/globals';
import { kindOf } from '../../domain/catalogue/kind.js';

it.each([
  ['rhodes loop', 0, 900, 'loop'],
  ['loops of a kitchen', 0, 60_000, 'loop'],
  ['looped', 0, 900, 'one-shot'],
  ['one shot of a kick', 90, 9_000, 'one-shot'],
  ['oneshots', 90, 9_000, 'one-shot'],
  ['a bar at 120', 120, 1_950, 'loop'],
  ['less than a bar at 120', 120, 1_949, 'one-shot'],
  ['just below ten seconds', 0, 9_999, 'one-shot'],
  ['harbour', 0, 10_000, 'take'],
])('[FLT-703] "%s" at %i BPM of %i ms is a %s', (titleLower, bpm, durationMs, kind) => {
  expect(kindOf({ titleLower, bpm, durationMs })).toBe(kind);
});
