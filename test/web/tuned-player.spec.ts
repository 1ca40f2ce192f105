import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Player, STRETCH_WAIT_MS, type Tuning } from '../../web/src/player/player-store.js';
import { FakeAudio } from './support/fake-audio.js';
import { sampleNamed } from './support/render.js';

const TUNING: Tuning = { rate: 0.8, semitones: 2, seconds: 12, repeats: true, isPercussive: false };
const one = sampleNamed('one', { durationMs: 12_000, previewUrl: '/media/previews/one.mp3' });
const two = sampleNamed('two', { durationMs: 12_000, previewUrl: '/media/previews/two.mp3' });

class FakeTuned extends FakeAudio {
  tuning: Tuning | undefined;
  readonly prepared: string[] = [];
  tune(tuning: Tuning | undefined): void {
    this.tuning = tuning;
  }
  prepare(address: string): void {
    this.prepared.push(address);
  }
  readonly abandoned: string[] = [];
  abandon(isPassed: (address: string) => boolean): void {
    this.abandoned.push(...[this.src, ...this.prepared].filter(isPassed));
  }
}

let plain: FakeAudio & { playbackRate?: number; preservesPitch?: boolean };
let tuned: FakeTuned;
let tunings: Record<string, Tuning | undefined>;
let created: () => Promise<FakeTuned>;
let heard: string[];
let alerts: string[];
let player: Player;
let warn: ReturnType<typeof jest.spyOn>;

beforeEach(() => {
  plain = new FakeAudio();
  tuned = new FakeTuned();
  tunings = { one: TUNING };
  created = () => Promise.resolve(tuned);
  [heard, alerts] = [[], []];
  warn = jest.spyOn(console, 'warn').mockImplementation(() => undefined);
  player = new Player({
    createAudio: () => plain as unknown as HTMLAudioElement,
    showAlert: ({ title }) => alerts.push(title),
    onHeard: ({ id }) => heard.push(id),
    tuningOf: ({ id }) => tunings[id],
    createTuned: () => created(),
  });
});
afterEach(() => {
  warn.mockRestore();
  jest.useRealTimers();
});

/** Resolves when the state no longer loads. */
const settled = () =>
  new Promise<void>((resolve) => {
    const leave = player.subscribe(() => {
      if (player.getState().isLoading) return;
      leave();
      resolve();
    });
  });

describe('a player with a project', () => {
  it('[PLAY-700] plays what the project changes through the other output, and the rest as before', async () => {
    await player.play(one);
    expect([tuned.paused, tuned.tuning, plain.paused]).toEqual([false, TUNING, true]);
    expect(tuned.addresses).toEqual(['/media/previews/one.mp3']);
    await player.play(two);
    expect([tuned.paused, plain.paused]).toEqual([true, false]);
    expect(plain.playbackRate).toBe(1);
    expect(player.getState()).toMatchObject({ currentlyPlaying: 'two', currentTime: 0, canTranspose: true });
    plain.at(2);
    expect(heard).toEqual(['two']);
  });

  it('[PLAY-702] follows, seeks, limits, sets the volume, pauses, resumes and ends as before', async () => {
    player.setVolume(0.3);
    await player.play(one);
    expect(tuned.volume).toBe(0.3);
    tuned.duration = 11.9;
    tuned.at(4);
    expect(player.getState()).toMatchObject({ currentTime: 4, duration: 11.9 });
    player.seek(70);
    expect(tuned.currentTime).toBe(11.9);
    player.seek(6);
    await player.play(one);
    expect([tuned.paused, player.getState().currentlyPlaying]).toEqual([true, null]);
    await player.play(one);
    expect([tuned.paused, tuned.currentTime, heard]).toEqual([false, 6, ['one']]);
    tuned.dispatchEvent(new Event('ended'));
    expect(player.getState()).toMatchObject({ currentlyPlaying: null, currentTime: 0 });
    await player.play(one);
    tuned.at(60);
    expect(player.getState().currentlyPlaying).toBeNull();
  });

  it('[PLAY-702] tries a failed preview once more, then says so', async () => {
    tuned.failures = [new Error('one'), new Error('two')];
    await player.play(one);
    expect(tuned.addresses).toHaveLength(2);
    expect(tuned.addresses[1]).toMatch(/\?retry=\d+$/);
    expect(alerts).toEqual(['Preview not available']);
    await player.play(one);
    tuned.error = { code: 3 };
    tuned.dispatchEvent(new Event('error'));
    expect(player.getState()).toMatchObject({ currentlyPlaying: null, error: 'DECODE' });
  });

  it('[PLAY-702] a seek before the output is there counts when it plays', async () => {
    const starting = player.play(one);
    player.seek(5);
    await starting;
    expect(tuned.currentTime).toBe(5);
  });

  it('[PLAY-707] a project that opens while a sound plays is heard from the same place, and counts once', async () => {
    tunings = {};
    await player.play(one);
    plain.at(3);
    plain.currentTime = 3.2;
    tunings = { one: TUNING };
    player.retune();
    await settled();
    expect([plain.paused, tuned.paused, tuned.currentTime]).toEqual([true, false, 3.2]);
    expect(heard).toEqual(['one']);
    // The element reports its pause later, which must not pause the other output.
    plain.dispatchEvent(new Event('pause'));
    expect(player.getState()).toMatchObject({ currentlyPlaying: 'one', isLoading: false });
    tunings = {};
    player.retune();
    expect([tuned.tuning, tuned.paused]).toEqual([undefined, false]);
  });

  it('[PLAY-703] changes the tempo alone where the browser cannot do more, and tries again with the next sound', async () => {
    created = () => Promise.reject(new Error('no worklets'));
    await player.play(one);
    expect([plain.paused, plain.playbackRate, plain.preservesPitch]).toEqual([false, 0.8, true]);
    expect(player.getState()).toMatchObject({ currentlyPlaying: 'one', canTranspose: false });
    plain.at(2);
    expect([alerts, heard]).toEqual([[], ['one']]);
    player.close();
    created = () => Promise.resolve(tuned);
    await player.play(one);
    expect([tuned.paused, player.getState().canTranspose]).toEqual([false, true]);
  });

  it('[PLAY-703] does not wait for ever for the files', async () => {
    jest.useFakeTimers();
    created = () => new Promise(() => undefined);
    const starting = player.play(one);
    await jest.advanceTimersByTimeAsync(STRETCH_WAIT_MS - 1);
    expect(player.getState().isLoading).toBe(true);
    await jest.advanceTimersByTimeAsync(1);
    await starting;
    expect([plain.paused, player.getState().canTranspose]).toEqual([false, false]);
  });

  it('[PLAY-703] a pause while the files load stops the start', async () => {
    let arrive = (_: FakeTuned) => {};
    created = () => new Promise((resolve) => (arrive = resolve));
    const starting = player.play(one);
    player.pause();
    arrive(tuned);
    await starting;
    expect([tuned.paused, plain.paused, player.getState().currentlyPlaying]).toEqual([true, true, null]);
  });

  it('[PLAY-708] prepares only what the project changes', async () => {
    expect([player.prepare(one), player.prepare(two)]).toEqual([true, false]);
    await player.play(one);
    expect(tuned.prepared).toEqual(['/media/previews/one.mp3']);
  });

  it('[PLAY-741] a pause before the sound arrived ends its request only', async () => {
    player.prepare(one);
    tunings.two = TUNING;
    player.prepare(two);
    await Promise.resolve();
    tuned.readyState = 0;
    void player.play(two);
    while (tuned.src === '') await Promise.resolve();
    player.pause();
    expect(new Set(tuned.abandoned)).toEqual(new Set(['/media/previews/two.mp3']));
  });
});
