import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { setMediaBase } from '../../web/src/api/page-settings.js';
import { Player, type PlayerPorts, type PlayRequest } from '../../web/src/player/player-store.js';
import { FakeAudio } from './support/fake-audio.js';
import { sampleNamed } from './support/render.js';

const one = sampleNamed('one', { durationMs: 90_000, previewUrl: '/media/previews/one.mp3' });
const two = sampleNamed('two', { durationMs: 12_000, previewUrl: '/media/previews/two.mp3' });
const silent = sampleNamed('silent', { previewUrl: null });

let audio: FakeAudio;
let player: Player;
let alerts: string[];
let heard: string[];
let warn: ReturnType<typeof jest.spyOn>;

beforeEach(() => {
  audio = new FakeAudio();
  alerts = [];
  heard = [];
  warn = jest.spyOn(console, 'warn').mockImplementation(() => undefined);
  const ports: PlayerPorts = {
    createAudio: () => audio as unknown as HTMLAudioElement,
    showAlert: ({ title }) => alerts.push(title),
    onHeard: ({ id }) => heard.push(id),
  };
  player = new Player(ports);
});
afterEach(() => {
  warn.mockRestore();
  jest.useRealTimers();
});

const play = (sample = one, request: PlayRequest = {}) => player.play(sample, request);
const notAllowed = () => Object.assign(new Error('no'), { name: 'NotSupportedError' });

describe('starting and stopping', () => {
  it('[PLAY-01] goes from idle over loading to playing, and pauses when it is pressed again', async () => {
    expect(player.getState()).toMatchObject({ currentlyPlaying: null, isLoading: false });
    const starting = play();
    expect(player.getState()).toMatchObject({ currentlyPlaying: 'one', isLoading: true });
    await starting;
    expect(player.getState()).toMatchObject({ currentlyPlaying: 'one', isLoading: false });
    await play();
    expect(player.getState().currentlyPlaying).toBeNull();
    expect(audio.paused).toBe(true);
  });

  it('[PLAY-01] stops the current sound and resets it to 0 when another starts', async () => {
    await play();
    audio.at(20);
    const rewound = jest.fn();
    audio.addEventListener('pause', () => rewound());
    await play(two);
    expect(rewound).toHaveBeenCalled();
    expect(player.getState()).toMatchObject({ currentlyPlaying: 'two', currentTime: 0 });
    await play(one);
    expect(audio.currentTime).toBe(0);
  });

  it('resumes a paused sound where it was', async () => {
    await play();
    audio.at(20);
    player.pause();
    await play();
    expect(audio.currentTime).toBe(20);
    audio.at(23);
    expect(heard).toEqual(['one']);
  });

  it('[PLAY-740] counts a sound as heard once, after two seconds of it, wherever the listener moves', async () => {
    await play();
    audio.at(1.5);
    player.seek(40);
    audio.at(40.4);
    player.pause();
    await play();
    expect(heard).toEqual([]);
    audio.at(40.5);
    audio.at(45);
    expect(heard).toEqual(['one']);
    await play(two);
    await play(one);
    expect(heard).toEqual(['one']);
    audio.at(2);
    expect(heard).toEqual(['one', 'one']);
  });

  it('[PLAY-740] counts a shorter sound when it ends', async () => {
    await play(sampleNamed('kick', { durationMs: 600 }));
    audio.at(0.5);
    expect(heard).toEqual([]);
    audio.dispatchEvent(new Event('ended'));
    expect(heard).toEqual(['kick']);
  });

  it('[PLAY-741] a pause before the sound arrived ends its request, and the next press asks again', async () => {
    audio.readyState = 0;
    void play();
    await Promise.resolve();
    player.pause();
    expect(audio.src).toBe('');
    audio.readyState = 4;
    await play();
    expect(audio.addresses).toEqual(['/media/previews/one.mp3', '/media/previews/one.mp3']);
    expect(player.getState()).toMatchObject({ currentlyPlaying: 'one', isLoading: false });
  });

  it('[PLAY-03] clears what plays at the end and on an error', async () => {
    await play();
    audio.at(20);
    audio.dispatchEvent(new Event('ended'));
    expect(player.getState()).toMatchObject({ currentlyPlaying: null, isLoading: false, currentTime: 0 });
    await play();
    audio.error = { code: 2 };
    audio.dispatchEvent(new Event('error'));
    expect(player.getState()).toMatchObject({ currentlyPlaying: null, isLoading: false });
  });

  it('[PLAY-03] stays where it is when a paused sound is moved to its end', async () => {
    await play(one, { queue: [one, two] });
    player.pause();
    player.seek(60);
    const { currentTime } = player.getState();
    // Browsers fire this event for paused sounds too.
    audio.dispatchEvent(new Event('ended'));
    expect(currentTime).toBeGreaterThan(0);
    expect(player.getState()).toMatchObject({ currentlyPlaying: null, currentTime });
  });

  it('[PLAY-08] clamps the volume to 0..1 and starts at 1', () => {
    expect(player.getState()).toMatchObject({ volume: 1, currentTime: 0, currentlyPlaying: null });
    player.setVolume(4);
    expect(player.getState().volume).toBe(1);
    player.setVolume(-0.2);
    expect(player.getState().volume).toBe(0);
    player.setVolume(Number.NaN);
    expect(player.getState().volume).toBe(1);
  });

  it('[PLAY-420] keeps the volume for the next visit, but not the silence', () => {
    const kept: number[] = [];
    const heard = new Player({
      createAudio: () => audio as never,
      showAlert: () => undefined,
      onHeard: () => undefined,
      keepVolume: (volume) => kept.push(volume),
    });
    heard.setVolume(0.2);
    heard.toggleMute();
    expect(heard.getState().volume).toBe(0);
    expect(kept).toEqual([0.2]);
  });

  it('[WEB-11] unmutes to the volume there was before', () => {
    player.setVolume(0.2);
    player.toggleMute();
    expect(player.getState().volume).toBe(0);
    player.toggleMute();
    expect(player.getState().volume).toBe(0.2);
    player.setVolume(0);
    player.toggleMute();
    expect(player.getState().volume).toBe(0.2);
  });

  it('goes on along the list and leaves out what has no audio', async () => {
    await play(one, { queue: [one, silent, two] });
    player.skip(1);
    expect(player.getState().currentlyPlaying).toBe('two');
    player.skip(1);
    expect(player.getState().currentlyPlaying).toBe('two');
  });
});

describe('the preview limit', () => {
  it('[PLAY-02] stops at 60 seconds', async () => {
    await play();
    audio.at(59.9);
    expect(player.getState().currentlyPlaying).toBe('one');
    audio.at(60);
    expect(player.getState().currentlyPlaying).toBeNull();
    expect(audio.paused).toBe(true);
  });

  it('[PLAY-02] lands on the limit when seeking past it, and on 0 before the start', async () => {
    await play();
    player.seek(75);
    expect(audio.currentTime).toBe(60);
    player.seek(-3);
    expect(audio.currentTime).toBe(0);
  });

  it('[PLAY-02] seeks no further than a shorter preview goes', async () => {
    await play(two);
    player.seek(30);
    expect(audio.currentTime).toBe(12);
  });

  it('[PLAY-06] counts 60 seconds as the whole of a longer sound', async () => {
    await play();
    audio.duration = 90;
    audio.at(15);
    const { currentTime, duration } = player.getState();
    expect(currentTime / duration).toBe(0.25);
  });
});

describe('failures', () => {
  it('[PLAY-04] tries once more after 50 ms with another address, then plays', async () => {
    jest.useFakeTimers();
    audio.failures = [notAllowed()];
    const starting = play();
    await jest.advanceTimersByTimeAsync(49);
    expect(audio.addresses).toEqual(['/media/previews/one.mp3']);
    await jest.advanceTimersByTimeAsync(1);
    await starting;
    expect(audio.addresses[1]).toMatch(/^\/media\/previews\/one\.mp3\?retry=\d+$/);
    expect(player.getState().currentlyPlaying).toBe('one');
    expect(alerts).toEqual([]);
  });

  it('[OPS-208] asks a CDN first where there is one, and then this site', async () => {
    setMediaBase('https://cdn.example');
    audio.failures = [notAllowed()];
    await play();
    setMediaBase(undefined);
    expect(audio.addresses).toEqual([
      'https://cdn.example/media/previews/one.mp3',
      expect.stringMatching(/^\/media\/previews\/one\.mp3\?retry=/),
    ]);
  });

  it('[PLAY-04] logs and alerts "Preview not available" when a press fails twice', async () => {
    audio.failures = [notAllowed(), notAllowed()];
    await play();
    expect(alerts).toEqual(['Preview not available']);
    expect(warn).toHaveBeenCalled();
    expect(player.getState()).toMatchObject({ currentlyPlaying: null, isLoading: false });
  });

  it('[PLAY-04] only logs when nobody pressed', async () => {
    audio.failures = [notAllowed(), notAllowed()];
    await play(one, { pressed: false });
    expect(alerts).toEqual([]);
    expect(warn).toHaveBeenCalled();
  });

  it('[PLAY-04] neither logs nor alerts when a pause interrupts', async () => {
    audio.failures = [Object.assign(new Error('paused'), { name: 'AbortError' })];
    const starting = play();
    player.pause();
    await starting;
    expect(alerts).toEqual([]);
    expect(warn).not.toHaveBeenCalled();
    expect(audio.addresses.length).toBeLessThanOrEqual(1);
  });

  it('[PLAY-05] waits for readiness, but at most 800 ms', async () => {
    jest.useFakeTimers();
    audio.readyState = 0;
    const starting = play();
    await jest.advanceTimersByTimeAsync(799);
    expect(player.getState().isLoading).toBe(true);
    await jest.advanceTimersByTimeAsync(1);
    await starting;
    expect(player.getState()).toMatchObject({ currentlyPlaying: 'one', isLoading: false });
  });

  it('[PLAY-05] starts as soon as the audio is ready', async () => {
    audio.readyState = 0;
    const starting = play();
    audio.dispatchEvent(new Event('canplay'));
    await starting;
    expect(player.getState().isLoading).toBe(false);
  });

  it.each([
    [1, 'ABORTED'],
    [2, 'NETWORK'],
    [3, 'DECODE'],
    [4, 'SRC_NOT_SUPPORTED'],
  ])('[PLAY-09] tells error %i apart as %s', async (code, kind) => {
    await play();
    audio.error = { code };
    audio.dispatchEvent(new Event('error'));
    expect(player.getState().error).toBe(kind);
  });

  it('[PLAY-10] says that a sound has no file, with the text of the place', async () => {
    await play(silent, { source: 'discover' });
    await play(silent);
    expect(alerts).toEqual(['Audio unavailable', 'Audio not available for this sample']);
    expect(player.getState().track).toBeNull();
  });
});
