import { describe, expect, it } from '@jest/globals';
import { loopOf, tuningOf } from '../../web/src/player/tuning.js';
import { sampleNamed } from './support/render.js';

const PROJECT = { tempo: 90, key: 'C Minor' } as const;
const BAR = { playsOriginal: false, playsOn: false };
const EIGHT_BEATS_MS = (8 * 60_000) / 104;
const loop = sampleNamed('loop', {
  title: 'Vibes, borrowed',
  bpm: 104,
  key: 'A Minor',
  durationMs: Math.round(EIGHT_BEATS_MS),
});

describe('the change that a project makes', () => {
  it('[PLAY-700] is a rate and a shift; without a project, or where nothing changes, there is none', () => {
    expect(tuningOf(loop, PROJECT, BAR)).toEqual({
      rate: expect.closeTo(90 / 104, 9),
      semitones: 3,
      seconds: expect.closeTo(EIGHT_BEATS_MS / 1_000, 9),
      repeats: true,
      isPercussive: false,
    });
    expect(tuningOf(loop, null, BAR)).toBeUndefined();
    expect(tuningOf(loop, { tempo: 104, key: 'C Major' }, BAR)).toBeUndefined();
    expect(tuningOf(loop, { tempo: 208, key: null }, BAR)).toBeUndefined();
  });

  it('[PLAY-705] leaves the original as recorded, which still repeats', () => {
    const compared = tuningOf(loop, PROJECT, { ...BAR, playsOriginal: true });
    expect(compared).toMatchObject({ rate: 1, semitones: 0, repeats: true });
  });

  it.each([
    [['Drums'], true],
    [['Kick', 'Hi-Hat'], true],
    [['Drums', 'Bass'], false],
    [['Piano'], false],
    [[], false],
  ])('[PLAY-700] treats %j as drums: %p', (instruments, isPercussive) => {
    expect(tuningOf({ ...loop, instruments }, PROJECT, BAR)).toMatchObject({ isPercussive });
  });

  it('[PLAY-701] a one-shot plays once, and so does a loop in audition mode', () => {
    const shot = { ...loop, title: 'Vibes one-shot', bpm: 0, durationMs: 800 };
    expect(tuningOf(shot, PROJECT, BAR)).toMatchObject({ rate: 1, seconds: 0.8, repeats: false });
    expect(tuningOf(loop, PROJECT, { ...BAR, playsOn: true })).toMatchObject({ repeats: false });
  });
});

describe('the length of a loop', () => {
  const of = (bpm: number, durationMs: number) => loopOf({ kind: 'loop', bpm, durationMs });

  it('[PLAY-701] is a whole number of beats, without silence or a tail after the last beat', () => {
    expect(of(120, 4_000)).toEqual({ seconds: 4, beats: 8 });
    expect(of(120, 4_130)).toEqual({ seconds: 4, beats: 8 });
    expect(of(120, 3_870)).toEqual({ seconds: 4, beats: 8 });
    expect(of(104, 4_615)?.seconds).toBeCloseTo(EIGHT_BEATS_MS / 1_000, 9);
  });

  it('[PLAY-701] is that of the file where the stored tempo is rounded; the beats still last as in the project', () => {
    const rounded = { ...loop, bpm: 92, durationMs: Math.round((16 * 60_000) / 92.4) };
    expect(loopOf(rounded)).toEqual({ seconds: rounded.durationMs / 1_000, beats: 16 });
    const { rate = 0 } = { ...tuningOf(rounded, PROJECT, BAR) };
    expect(rounded.durationMs / 1_000 / rate).toBeCloseTo(16 * (60 / 90), 6);
  });

  it('[PLAY-701] is unknown for a sample that is no loop, has no tempo or is longer than its preview', () => {
    expect(loopOf({ kind: 'one-shot', bpm: 120, durationMs: 500 })).toBeUndefined();
    expect(of(0, 4_000)).toBeUndefined();
    expect(of(120, 64_000)).toBeUndefined();
  });
});
