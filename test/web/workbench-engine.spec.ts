import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { player } from '../../web/src/player/player.js';
import { Engine, type EngineLane } from '../../web/src/workbench/engine/engine.js';
import {
  copied,
  finished,
  isAsRecorded,
  planOf,
  resampled,
} from '../../web/src/workbench/engine/rendering.js';
import { OWN_LANE_LIMIT_SECONDS } from '../../web/src/workbench/engine/sound.js';
import {
  framesOf,
  passesBetween,
  piecesOf,
  positionAt,
  quarterFrames,
  RATE_HZ,
} from '../../web/src/workbench/engine/timeline.js';

const LANE: Omit<EngineLane, 'source'> = {
  id: 'one',
  seconds: 2,
  rate: 1,
  semitones: 0,
  isPercussive: false,
  cycleBeats: 4,
  offsetBeats: 0,
  gainDb: 0,
  pan: 0,
  isSilent: false,
};

describe('the time of the song', () => {
  it('[WORK-722] a beat is a whole number of frames, less than 0.02 % from the tempo', () => {
    for (let tempo = 40; tempo <= 240; tempo += 1) {
      const beat = framesOf(1, quarterFrames(tempo));
      expect(Number.isInteger(beat)).toBe(true);
      expect(Math.abs((beat * tempo) / (60 * RATE_HZ) - 1)).toBeLessThan(0.0002);
    }
  });

  it('[WORK-722] a lane sounds from its offset on, again after each cycle, and no longer than its sound', () => {
    const lane = { offset: 100, cycle: 400, length: 300 };
    const span = { from: 0, to: 1_000, end: 1_000 };
    expect(piecesOf(lane, span, false)).toEqual([
      { at: 100, skip: 0, length: 300 },
      { at: 500, skip: 0, length: 300 },
      { at: 900, skip: 0, length: 100 },
    ]);
    expect(piecesOf({ ...lane, cycle: null }, span, false)).toEqual([{ at: 100, skip: 0, length: 300 }]);
  });

  it('[WORK-722] a start in the middle of a sound leaves out what came before', () => {
    const lane = { offset: 100, cycle: 400, length: 300 };
    const span = { from: 600, to: 700, end: 1_000 };
    expect(piecesOf(lane, span, true)).toEqual([{ at: 600, skip: 100, length: 200 }]);
    expect(piecesOf(lane, span, false)).toEqual([]);
    expect(piecesOf(lane, { ...span, from: 800 }, true)).toEqual([]);
    expect(piecesOf({ ...lane, cycle: null }, { ...span, from: 350 }, true)).toEqual([
      { at: 350, skip: 250, length: 50 },
    ]);
  });

  it('[WORK-722] the song repeats its range of bars', () => {
    const transport = { quarter: 10, start: 1_000, origin: 150, range: { from: 100, to: 300 } };
    expect([1_000, 1_149, 1_150, 1_351].map((frame) => positionAt(transport, frame))).toEqual([
      150, 299, 100, 101,
    ]);
    expect(passesBetween(transport, 1_000, 1_400)).toEqual([
      { frame: 1_000, from: 150, to: 300, end: 300, isStart: false },
      { frame: 1_150, from: 100, to: 300, end: 300, isStart: true },
      { frame: 1_350, from: 100, to: 150, end: 300, isStart: true },
    ]);
  });

  it('[WORK-722] after ten minutes, lanes of every length still start together on the bar', () => {
    const quarter = quarterFrames(97);
    const bar = framesOf(4, quarter);
    const transport = { quarter, start: 4_321, origin: 0, range: { from: 0, to: 8 * bar } };
    const pass = passesBetween(transport, 4_321, 4_321 + 600 * RATE_HZ).at(-1)!;
    const startsOf = (beats: number) => {
      const cycle = framesOf(beats, quarter);
      const pieces = piecesOf({ offset: 0, cycle, length: cycle }, { ...pass, to: pass.end }, true);
      return new Set(pieces.map(({ at }) => pass.frame + at - pass.from));
    };
    const quarters = startsOf(0.25);
    for (const beats of [1, 4, 16, 32])
      for (const start of startsOf(beats)) expect(quarters).toContain(start);
  });
});

describe('the sound of a lane', () => {
  const quarter = quarterFrames(120);
  const ramp = Float32Array.from({ length: 96_000 }, (_, at) => at / 96_000);

  it('[WORK-722] a loop fills its cycle exactly, and a lane that is cut to fewer beats takes its first beats', () => {
    // A loop of 91.7 BPM, sold as 92.
    const whole = planOf(Math.round((4 * 60 * RATE_HZ) / 91.7), { ...LANE, rate: 120 / 92 }, quarter);
    expect(whole.rendering).toMatchObject({ content: 125_627, frames: 96_000, loops: true });
    const half = planOf(125_217, { ...LANE, rate: 120 / 92, cycleBeats: 2 }, quarter);
    expect(half.rendering).toMatchObject({ content: 62_609, frames: 48_000, loops: true });
    const once = planOf(24_000, { ...LANE, offsetBeats: 1.25 }, quarter);
    expect(once).toMatchObject({
      rendering: { content: 24_000, frames: 24_000, loops: false },
      pattern: { offset: 30_000, cycle: 96_000, length: 24_000 },
    });
    expect(isAsRecorded(once.rendering)).toBe(true);
    expect(isAsRecorded(whole.rendering)).toBe(false);
  });

  it('[WORK-721] the end of a loop runs into its start', () => {
    const { rendering } = planOf(96_500, { ...LANE, cycleBeats: 2 }, quarter);
    const [piece] = finished(copied([ramp], rendering), rendering);
    expect(piece).toHaveLength(48_000);
    // The start is untouched. The last frame is close to the one before the start of the repetition.
    expect(piece![0]).toBe(0);
    expect(piece!.at(-1)).toBeCloseTo(ramp[47_999]!, 2);
    let steepest = 0;
    for (let at = 1; at < 48_000; at += 1)
      steepest = Math.max(steepest, Math.abs(piece![at]! - piece![at - 1]!));
    expect(steepest).toBeLessThan(0.001);
  });

  it('[WORK-727] without a stretcher, the pitch follows the tempo', () => {
    const { rendering } = planOf(96_000, { ...LANE, rate: 2, cycleBeats: null }, quarter);
    const [piece] = resampled([ramp], rendering);
    expect(piece).toHaveLength(48_000);
    expect(piece![12_000]).toBeCloseTo(ramp[24_000]!, 4);
  });
});

/** What Web Audio was asked for. Its clock stands still unless a test moves it. */
const audio = {
  currentTime: 10,
  state: 'running',
  started: [] as { when: number; name: string }[],
  stopped: 0,
};
let contexts: EventTarget[] = [];

class Param {
  value = 0;
  setTargetAtTime() {}
  setValueAtTime() {}
  linearRampToValueAtTime() {}
}
class Node {
  readonly [name: string]: unknown;
  gain = new Param();
  pan = new Param();
  threshold = new Param();
  knee = new Param();
  ratio = new Param();
  attack = new Param();
  release = new Param();
  fftSize = 4;
  connect = (to: unknown) => to;
  disconnect() {}
  getFloatTimeDomainData(frames: Float32Array) {
    frames.fill(0.5);
  }
}
class Source extends Node {
  constructor(
    _context: unknown,
    private readonly given: { buffer: { name: string } },
  ) {
    super();
  }
  start(when: number) {
    audio.started.push({ when, name: this.given.buffer.name });
  }
  stop() {
    audio.stopped += 1;
  }
}
class Context extends EventTarget {
  destination = {};
  constructor() {
    super();
    contexts.push(this);
  }
  get currentTime() {
    return audio.currentTime;
  }
  get state() {
    return audio.state;
  }
  resume = async () => void (audio.state = 'running');
  suspend = async () => undefined;
  close = async () => undefined;
  createGain = () => new Node();
  createDynamicsCompressor = () => new Node();
  createAnalyser = () => new Node();
  createWaveShaper = () => new Node();
  createStereoPanner = () => new Node();
}
const SECONDS: Record<number, number> = { 1: 2, 2: 300 };
class Decoder {
  async decodeAudioData(bytes: ArrayBuffer) {
    const duration = SECONDS[bytes.byteLength];
    if (!duration) throw new Error('no sound');
    return new Buffered({ length: duration * RATE_HZ, numberOfChannels: 1 });
  }
}
class Buffered {
  readonly sampleRate = RATE_HZ;
  readonly length: number;
  readonly numberOfChannels: number;
  readonly name: string;
  constructor({ length, numberOfChannels }: { length: number; numberOfChannels: number }) {
    [this.length, this.numberOfChannels, this.name] = [length, numberOfChannels, String(length)];
  }
  get duration() {
    return this.length / RATE_HZ;
  }
  getChannelData = () => new Float32Array(this.length);
  copyToChannel() {}
}
/** A stretcher that never answers, or fails at once. */
class Stretcher {
  static isBroken = false;
  static running = 0;
  static onAsked: () => void = () => undefined;
  onerror: () => void = () => undefined;
  postMessage() {
    Stretcher.running += 1;
    Stretcher.onAsked();
    if (Stretcher.isBroken) this.onerror();
  }
  terminate() {
    Stretcher.running -= 1;
  }
}

describe('the engine', () => {
  const before = { fetch: globalThis.fetch };
  let engine: Engine;
  let answers: (Response | Error)[];
  const found = () => ({ ok: true, arrayBuffer: async () => new ArrayBuffer(1) }) as Response;
  const gone = () => ({ ok: false, status: 404 }) as Response;

  beforeEach(() => {
    Object.assign(audio, { currentTime: 10, state: 'running', started: [], stopped: 0 });
    contexts = [];
    answers = [];
    Stretcher.isBroken = false;
    Object.assign(globalThis, {
      AudioContext: Context,
      OfflineAudioContext: Decoder,
      AudioBuffer: Buffered,
      AudioBufferSourceNode: Source,
      GainNode: Node,
      Worker: Stretcher,
      fetch: async () => {
        const answer = answers.shift() ?? found();
        if (answer instanceof Error) throw answer;
        return answer;
      },
    });
    jest.spyOn(console, 'warn').mockImplementation(() => undefined);
    engine = new Engine();
    engine.setSong({ tempo: 120, beatsPerBar: 4, bars: 4 });
  });
  afterEach(() => {
    engine.close();
    Object.assign(globalThis, before);
    jest.restoreAllMocks();
  });

  const lane = (change: Partial<EngineLane> = {}): EngineLane => ({
    ...LANE,
    source: { url: '/media/previews/one.mp3' },
    ...change,
  });
  const until = (isSo: () => boolean) =>
    new Promise<void>((resolve) => {
      const check = () => {
        if (!isSo()) return;
        leave();
        resolve();
      };
      const leave = engine.subscribe(check);
      check();
    });
  const settled = () =>
    until(() => Object.values(engine.getState().lanes).every(({ status }) => status !== 'loading'));
  const playing = async () => {
    engine.play();
    await until(() => engine.getState().transport === 'playing');
  };
  const file = (bytes: number) => new File([new Uint8Array(bytes)], 'own.wav');
  const LOOP = String(2 * RATE_HZ);

  it('[WORK-723] a lane that fails says why, does not stop the others, and can be tried again', async () => {
    answers = [gone(), found()];
    engine.setLanes([lane(), lane({ id: 'two' })]);
    await settled();
    expect(engine.getState().lanes).toEqual({
      one: { status: 'failed', reason: 'missing' },
      two: { status: 'ready' },
    });
    await playing();
    expect(audio.started.some(({ name }) => name === LOOP)).toBe(true);
    answers = [new Error('offline')];
    engine.retry('one');
    await settled();
    expect(engine.getState().lanes.one).toEqual({ status: 'failed', reason: 'network' });
    engine.retry('one');
    await settled();
    expect(engine.getState().lanes.one).toEqual({ status: 'ready' });
  });

  it('[WORK-726] a file that is too large, too long or no sound is refused', async () => {
    const large = Object.defineProperty(file(1), 'size', { value: 51 * 2 ** 20 });
    const own = { seconds: null };
    engine.setLanes([
      lane({ id: 'large', source: { file: large }, ...own }),
      lane({ id: 'long', source: { file: file(2) }, ...own }),
      lane({ id: 'text', source: { file: file(3) }, ...own }),
      lane({ id: 'good', source: { file: file(1) }, ...own }),
    ]);
    await settled();
    expect(OWN_LANE_LIMIT_SECONDS).toBeLessThan(SECONDS[2]!);
    expect(engine.getState().lanes).toEqual({
      large: { status: 'failed', reason: 'too-large' },
      long: { status: 'failed', reason: 'too-long' },
      text: { status: 'failed', reason: 'unreadable' },
      good: { status: 'ready' },
    });
  });

  it('[WORK-724] the player pauses the engine, and the engine the player', async () => {
    const pause = jest.spyOn(player, 'pause');
    engine.setLanes([lane()]);
    await playing();
    expect(pause).toHaveBeenCalled();
    const state = player.getState();
    jest.spyOn(player, 'getState').mockReturnValue({ ...state, currentlyPlaying: 'a sample' });
    player.setVolume(0.5);
    expect(engine.getState().transport).toBe('paused');
  });

  it('[WORK-724] it goes on exactly where it was paused, also when the system stopped it', async () => {
    engine.setLanes([lane()]);
    await playing();
    const begun = audio.started[0]!.when;
    audio.currentTime = begun + 1.25;
    expect(engine.beat).toBeCloseTo(2.5, 9);
    audio.state = 'interrupted';
    contexts[0]!.dispatchEvent(new Event('statechange'));
    expect(engine.getState().transport).toBe('paused');
    expect(engine.beat).toBeCloseTo(2.5, 9);
    audio.currentTime += 100;
    await playing();
    audio.currentTime += 0.05;
    expect(engine.beat).toBeCloseTo(2.5, 9);
    engine.seek(8);
    audio.currentTime += 0.05;
    expect(engine.beat).toBeCloseTo(8, 9);
  });

  it('[WORK-725] a change of one lane starts only that lane again, at the same place', async () => {
    engine.setLanes([lane(), lane({ id: 'two' })]);
    await playing();
    const { stopped } = audio;
    audio.started = [];
    engine.setLanes([lane({ gainDb: -6, pan: 1, isSilent: true }), lane({ id: 'two' })]);
    expect([audio.started, audio.stopped]).toEqual([[], stopped]);
    engine.setLanes([lane({ offsetBeats: 1 }), lane({ id: 'two' })]);
    await settled();
    await until(() => audio.started.length > 0);
    // One lane: one piece sounds and at most two follow in the three seconds that are scheduled.
    expect(audio.started.length).toBeLessThanOrEqual(3);
  });

  it('[WORK-725] a new tempo waits for its sounds, and an outdated one is not rendered to its end', async () => {
    engine.setLanes([lane()]);
    await settled();
    await playing();
    audio.started = [];
    engine.setSong({ tempo: 100, beatsPerBar: 4, bars: 4 });
    engine.setLanes([lane({ rate: 100 / 120 })]);
    await Promise.resolve();
    const asked = new Promise<void>((resolve) => (Stretcher.onAsked = resolve));
    engine.setSong({ tempo: 90, beatsPerBar: 4, bars: 4 });
    engine.setLanes([lane({ rate: 90 / 120 })]);
    await asked;
    expect(Stretcher.running).toBe(1);
    expect(audio.started.filter(({ name }) => name !== LOOP)).toEqual([]);
  });

  it('[WORK-727] where a browser cannot stretch, the engine plays and says so', async () => {
    Stretcher.isBroken = true;
    engine.setLanes([lane({ rate: 1.5, cycleBeats: null, seconds: 3 })]);
    await settled();
    expect(engine.getState()).toMatchObject({ canStretch: false, lanes: { one: { status: 'ready' } } });
  });

  it('[WORK-724] it counts in before it starts', async () => {
    engine.setLanes([lane()]);
    engine.setCountIn(1);
    engine.play();
    await until(() => engine.getState().transport === 'counting-in');
    const [clicks, loop] = [audio.started.find(({ name }) => name === LOOP), audio.started];
    expect(loop.length).toBeGreaterThan(1);
    expect(clicks).toBeDefined();
    expect(engine.beat).toBeLessThan(0);
    engine.pause();
    expect(engine.beat).toBe(0);
  });
});
