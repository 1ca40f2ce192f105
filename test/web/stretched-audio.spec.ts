import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { cut } from '../../web/src/player/stretch/preview-audio.js';
import { PREPARED_MS, StretchedAudio } from '../../web/src/player/stretch/stretched-audio.js';
import type { Tuning } from '../../web/src/player/player-store.js';

const RATE_HZ = 48_000;
const LOOP: Tuning = { rate: 0.5, semitones: 3, seconds: 2, repeats: true, isPercussive: false };
const ONCE: Tuning = { ...LOOP, repeats: false };
/** The silence of 1,105 samples that the encoder adds. */
const ADDED_SECONDS = 1_105 / RATE_HZ;

/** A context whose clock and state the test controls. */
class FakeContext extends EventTarget {
  currentTime = 10;
  state = 'running';
  destination = {};
  readonly gain = {
    value: 1,
    level: 0,
    setTargetAtTime: (level: number) => (this.gain.level = level),
    setValueAtTime: (level: number) => (this.gain.level = level),
    linearRampToValueAtTime: (level: number) => (this.gain.level = level),
    cancelScheduledValues: () => undefined,
  };
  refusesToResume = false;
  seconds = 2.1;
  createGain = () => ({ gain: this.gain, connect: (to: unknown) => to });
  decodeAudioData = () =>
    Promise.resolve({
      duration: this.seconds,
      length: this.seconds * RATE_HZ,
      sampleRate: RATE_HZ,
      numberOfChannels: 1,
      getChannelData: () => Float32Array.from({ length: this.seconds * RATE_HZ }, (_, at) => at),
    });
  resume = () => {
    if (!this.refusesToResume) this.state = 'running';
    return this.refusesToResume ? new Promise<void>(() => undefined) : Promise.resolve();
  };
  suspend = () => this.change('suspended');
  change(state: string): void {
    this.state = state;
    this.dispatchEvent(new Event('statechange'));
  }
}

let context: FakeContext;
let tick: () => void;
let audio: StretchedAudio;
let events: string[];
let answers: (Partial<Response> | Error)[];
let fetched: string[];
let requests: Map<string, AbortSignal>;
const schedule = jest.fn<(change: Record<string, number | boolean>) => Promise<void>>();
const addBuffers = jest.fn<(channels: Float32Array[]) => Promise<void>>();
const configure = jest.fn<(blocks: { blockMs: number }) => Promise<void>>();
const native = globalThis.fetch;

beforeEach(() => {
  jest.useFakeTimers();
  context = new FakeContext();
  [events, fetched, answers] = [[], [], []];
  for (const mock of [schedule, addBuffers, configure]) mock.mockReset();
  requests = new Map();
  globalThis.fetch = ((address: string, { signal }: { signal: AbortSignal }) => {
    fetched.push(address);
    requests.set(address, signal);
    const answer = answers.shift() ?? {
      ok: true,
      arrayBuffer: async () => Uint8Array.of(255, 251, 4).buffer,
    };
    return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
  }) as typeof fetch;
  const node = {
    connect: (to: unknown) => to,
    setUpdateInterval: (_: number, onTime: () => void) => (tick = onTime),
    dropBuffers: () => undefined,
    schedule,
    addBuffers,
    configure,
  };
  audio = new StretchedAudio(context as never, node as never);
  for (const event of ['timeupdate', 'ended', 'error', 'pause', 'canplay'])
    audio.addEventListener(event, () => events.push(event));
});
afterEach(() => {
  globalThis.fetch = native;
  jest.useRealTimers();
});

const start = async (tuning: Tuning) => {
  audio.src = '/one.mp3';
  audio.load();
  audio.tune(tuning);
  await audio.play();
};
const scheduled = () => schedule.mock.lastCall?.[0] ?? {};
/** Half a block and the margin after the press. */
const STARTS = 10.08;
/** Lets the sound play for some seconds after its start. */
const after = (seconds: number) => {
  context.currentTime = STARTS + seconds;
  tick();
};

describe('a stretched sound', () => {
  it('[PLAY-700] plays from its start without the silence of the encoder, in tempo and key', async () => {
    await start(ONCE);
    expect(events).toEqual(['canplay']);
    expect(scheduled()).toMatchObject({ active: true, rate: 0.5, semitones: 3, tonalityHz: 8_000 });
    // The node renders what precedes the start, too, which the gate hides.
    const { output, input, rate } = scheduled() as { output: number; input: number; rate: number };
    expect(input + (STARTS - output) * rate).toBeCloseTo(0, 9);
    const [channel] = addBuffers.mock.lastCall?.[0] ?? [];
    expect(channel).toHaveLength(2 * RATE_HZ);
    expect(channel?.[0]).toBe(Math.round(ADDED_SECONDS * RATE_HZ));
    expect(audio.duration).toBe(2);
  });

  it('[PLAY-700] gives drums shorter blocks, and no limit below which they are transposed', async () => {
    await start({ ...ONCE, isPercussive: true });
    expect(scheduled()).toMatchObject({ tonalityHz: 0 });
    expect(configure.mock.lastCall?.[0].blockMs).toBeLessThan(120);
  });

  it('[PLAY-701] repeats a loop until it is paused; a sound that plays once ends', async () => {
    await start(LOOP);
    const { loopStart = 0, loopEnd = 0 } = scheduled() as { loopStart?: number; loopEnd?: number };
    expect(loopEnd - loopStart).toBeCloseTo(2, 9);
    after(1);
    expect(audio.currentTime).toBeCloseTo(0.5, 6);
    after(9);
    expect(audio.currentTime).toBeCloseTo(0.5, 6);
    expect(events).not.toContain('ended');
    audio.tune(ONCE);
    context.currentTime += 5;
    tick();
    expect(events).toContain('ended');
    expect([audio.paused, audio.ended, audio.currentTime]).toEqual([true, true, 2]);
  });

  it('[PLAY-701] lays repetitions around a loop, so that its seam sounds like any other place', () => {
    const ramp = Float32Array.from({ length: 10 }, (_, at) => at);
    expect([...cut(ramp, { from: 2, length: 3 })]).toEqual([2, 3, 4]);
    expect([...cut(ramp, { from: 2, length: 3 }, 4)]).toEqual([4, 2, 3, 4, 2, 3, 4, 2, 3, 4, 2]);
    expect([...cut(ramp, { from: 2, length: 3 }, 3)]).toEqual([2, 3, 4, 2, 3, 4, 2, 3, 4]);
    expect([...cut(ramp, { from: 8, length: 4 })]).toEqual([8, 9, 0, 0]);
  });

  it('[PLAY-702] pauses, resumes, seeks and fades to a volume', async () => {
    await start(LOOP);
    after(1);
    audio.volume = 0.4;
    expect(context.gain.level).toBe(0.4);
    audio.pause();
    expect(context.gain.level).toBe(0);
    expect(scheduled()).toMatchObject({ active: false });
    context.currentTime += 100;
    expect(audio.currentTime).toBeCloseTo(0.5, 6);
    await audio.play();
    expect(context.gain.level).toBe(0.4);
    expect(audio.currentTime).toBeCloseTo(0.5, 6);
    audio.currentTime = 1.5;
    const { input = 0 } = scheduled() as { input?: number };
    const { loopStart = 0 } = scheduled() as { loopStart?: number };
    expect(input - loopStart).toBeCloseTo(1.5, 6);
    expect(fetched).toEqual(['/one.mp3']);
  });

  it('[PLAY-707] goes on at the same place when the project changes', async () => {
    await start(LOOP);
    after(1);
    audio.tune({ ...LOOP, rate: 1, semitones: 0 });
    const { input = 0, loopStart = 0, output = 0 } = scheduled() as Record<string, number>;
    // Until the change sounds, the old rate goes on.
    expect(input - loopStart).toBeCloseTo(0.5 + (output - context.currentTime) * 0.5, 6);
    expect(scheduled()).toMatchObject({ rate: 1, semitones: 0 });
    expect(addBuffers).toHaveBeenCalledTimes(1);
    schedule.mockClear();
    audio.tune({ ...LOOP, rate: 1, semitones: 0 });
    expect(schedule).not.toHaveBeenCalled();
  });

  it.each([
    [new TypeError('offline'), 2],
    [{ ok: false, status: 404 }, 4],
    [{ ok: true, arrayBuffer: async () => Promise.reject(new Error('cut off')) }, 2],
  ])(
    '[PLAY-702] a failed request rejects and has a code, and the next load asks again',
    async (answer, code) => {
      answers = [answer as Partial<Response>];
      await expect(start(ONCE)).rejects.toThrow('could not be loaded');
      expect([audio.error, audio.paused]).toEqual([{ code }, true]);
      expect(events).toContain('error');
      await start(ONCE);
      expect([audio.error, fetched.length]).toEqual([null, 2]);
    },
  );

  it('[PLAY-702] a preview that cannot be decoded has its own code', async () => {
    context.decodeAudioData = () => Promise.reject(new Error('not audio'));
    await expect(start(ONCE)).rejects.toThrow('could not be loaded');
    expect(audio.error).toEqual({ code: 3 });
  });

  it('[PLAY-702] a pause or another sound while it loads is an interruption, not a failure', async () => {
    audio.src = '/one.mp3';
    audio.load();
    const paused = audio.play();
    audio.pause();
    await expect(paused).rejects.toThrow(expect.objectContaining({ name: 'AbortError' }));
    audio.load();
    const replaced = audio.play();
    audio.src = '/two.mp3';
    audio.load();
    await expect(replaced).rejects.toThrow(expect.objectContaining({ name: 'AbortError' }));
    expect(schedule).not.toHaveBeenCalledWith(expect.objectContaining({ active: true }));
  });

  it('[PLAY-702] refuses to play where the browser waits for a press', async () => {
    context.state = 'suspended';
    context.refusesToResume = true;
    const starting = expect(start(ONCE)).rejects.toThrow(
      expect.objectContaining({ name: 'NotAllowedError' }),
    );
    await jest.advanceTimersByTimeAsync(1_000);
    await starting;
    expect(audio.paused).toBe(true);
  });

  it('[PLAY-702] pauses when the system stops the sound, and sleeps after a while without any', async () => {
    await start(LOOP);
    await jest.advanceTimersByTimeAsync(60_000);
    expect(context.state).toBe('running');
    context.change('interrupted');
    expect([audio.paused, events.at(-1)]).toEqual([true, 'pause']);
    context.state = 'running';
    await jest.advanceTimersByTimeAsync(60_000);
    expect(context.state).toBe('suspended');
    await audio.play();
    expect([context.state, audio.paused]).toEqual(['running', false]);
  });

  it('[PLAY-708] a prepared preview is not fetched again for a minute', async () => {
    audio.prepare('/one.mp3');
    await start(ONCE);
    expect(fetched).toEqual(['/one.mp3']);
    await jest.advanceTimersByTimeAsync(PREPARED_MS + 1);
    await start(ONCE);
    expect(fetched).toHaveLength(2);
  });

  it('[PLAY-741] ends the requests for sounds that were passed, but for the one that is about to play', async () => {
    answers = Array.from({ length: 3 }, () => ({
      ok: true,
      arrayBuffer: () => new Promise<ArrayBuffer>(() => undefined),
    }));
    const ended = () => [...requests].filter(([, { aborted }]) => aborted).map(([address]) => address);
    audio.src = '/one.mp3';
    audio.load();
    void audio.play().catch(() => undefined);
    audio.prepare('/two.mp3');
    audio.prepare('/three.mp3');
    audio.abandon((address) => address !== '/two.mp3');
    expect(ended()).toEqual(['/three.mp3']);
    audio.pause();
    audio.abandon((address) => address === audio.src);
    expect(ended()).toEqual(['/one.mp3', '/three.mp3']);
    await start(ONCE);
    expect(fetched).toEqual(['/one.mp3', '/two.mp3', '/three.mp3', '/one.mp3']);
    audio.abandon(() => true);
    await start(ONCE);
    expect(fetched).toHaveLength(4);
    expect(events).toEqual(['canplay', 'canplay']);
  });
});
