import { expect, it } from '@jest/globals';
import { kindOf, suggestKind } from '../../domain/catalogue/kind.js';

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

it('[KIND-700] takes a stated kind before title, tempo and length', () => {
  expect(kindOf({ kind: 'take', titleLower: 'rhodes loop', bpm: 120, durationMs: 2_000 })).toBe('take');
  expect(kindOf({ kind: null, titleLower: 'rhodes loop', bpm: 0, durationMs: 900 })).toBe('loop');
});

const SILENT = { titleLower: 'sound', bpm: 0, durationMs: 3_000, marked: null, decays: false };

it.each<[string, Partial<Parameters<typeof suggestKind>[0]>, string | null]>([
  ['a word of the name, before markers', { titleLower: 'rhodes loop', marked: 'one-shot' }, 'loop by name'],
  ['loop points', { marked: 'loop', decays: true }, 'loop by markers'],
  ['a hit that dies away', { decays: true, bpm: 120, durationMs: 2_000 }, 'one-shot by decay'],
  ['a swell longer than a one-shot', { decays: true, durationMs: 30_000 }, null],
  ['a tick', { durationMs: 80, bpm: 180 }, 'one-shot by length'],
  ['whole bars', { bpm: 120, durationMs: 8_000 }, 'loop by length'],
  ['whole bars of a rounded tempo', { bpm: 92, durationMs: 20_779 }, 'loop by length'],
  ['two bars and a half', { bpm: 120, durationMs: 5_000 }, null],
  ['a minute without a tempo', { durationMs: 60_000 }, 'take by length'],
  ['a minute with a tempo', { bpm: 120, durationMs: 64_000 }, null],
  ['nothing', {}, null],
])('[KIND-701] suggests by %s', (_, signs, expected) => {
  const found = suggestKind({ ...SILENT, ...signs });
  expect(found && `${found.kind} by ${found.because}`).toBe(expected);
});
