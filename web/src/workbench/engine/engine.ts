import { player } from '../../player/player.js';
import { LEAD_FRAMES, Output, Strip, Voice, type Part } from './output.js';
import type { EngineLane, EngineState, LaneFailure, LaneStatus, Song } from './lane.js';
import { planOf } from './rendering.js';
import { bufferOf, LaneError, loadSound, render } from './sound.js';
import { framesOf, positionAt, quarterFrames, RATE_HZ, type Transport } from './timeline.js';

export type { EngineLane, EngineState, LaneFailure, LaneStatus, Song };

/** After a press on play, the song waits this long for lanes that still load. */
const LANES_WAIT_MS = 2_000;
/** After this time without sound, the audio context is suspended, so that it uses no battery. */
const IDLE_MS = 60_000;
const TICK_MS = 200;
/**
 * How far ahead sounds are scheduled. This exceeds the pause between two ticks in a background tab, so that playback
 * has no gaps.
 */
const AHEAD_FRAMES = 3 * RATE_HZ;
/** How many renderings of a lane stay in memory, so that an undone change sounds at once. */
const RENDERINGS = 2;

interface Lane {
  spec: EngineLane;
  status: LaneStatus;
  /** Aborts the loading or rendering that is in progress. */
  task: AbortController | null;
  done: Promise<void>;
  loading: Promise<AudioBuffer> | null;
  sound: AudioBuffer | null;
  renderings: Map<string, AudioBuffer>;
  /**
   * The rendered sound of the lane; `quarter` is the length of a quarter beat, in frames, for which it was rendered.
   */
  part: (Part & { quarter: number; loops: boolean }) | null;
  strip: Strip | null;
  voice: Voice | null;
}

const newLane = (spec: EngineLane): Lane => ({
  spec,
  status: { status: 'loading' },
  task: null,
  done: Promise.resolve(),
  loading: null,
  sound: null,
  renderings: new Map(),
  part: null,
  strip: null,
  voice: null,
});

const sourceOf = ({ source, seconds }: EngineLane) => ['url' in source ? source.url : source.file, seconds];
const isSame = (one: readonly unknown[], other: readonly unknown[]) =>
  one.every((value, at) => value === other[at]);
const shapeOf = (lane: EngineLane) => [
  lane.rate,
  lane.semitones,
  lane.isPercussive,
  lane.cycleBeats,
  lane.offsetBeats,
];

/** A bar with a click on each beat; the click on the first beat is higher. */
function clicksOf({ beatsPerBar }: Song, quarter: number): Part {
  const beat = framesOf(1, quarter);
  const bar = Float32Array.from({ length: beat * beatsPerBar }, (_, at) => {
    const since = at % beat;
    const hertz = at < beat ? 1_760 : 1_175;
    return 0.4 * Math.exp(-since / (0.012 * RATE_HZ)) * Math.sin((2 * Math.PI * hertz * since) / RATE_HZ);
  });
  const pattern = { offset: 0, cycle: bar.length, length: bar.length };
  return { key: 'clicks', buffer: bufferOf([bar]), pattern };
}

/**
 * Plays up to eight lanes together. Each is rendered once in the song's tempo and key and then played as it is, so
 * that playing costs next to nothing and lanes cannot drift apart.
 */
export class Engine {
  private song: Song = { tempo: 120, beatsPerBar: 4, bars: 8 };
  private range: { fromBar: number; bars: number } | null = null;
  private readonly lanes = new Map<string, Lane>();
  private output: Output | null = null;
  private transport: Transport | null = null;
  /** The position in beats while nothing plays. */
  private pausedAt = 0;
  private playsOriginals = false;
  private countsIn = 0;
  private clickGain: GainNode | null = null;
  private clicks: Voice | null = null;
  private isClicking = false;
  /** Increases with every start and pause, so that an older start that still waits for lanes is ignored. */
  private turn = 0;
  private timer: ReturnType<typeof setInterval> | undefined;
  private idle: ReturnType<typeof setTimeout> | undefined;
  private state: EngineState = { transport: 'paused', lanes: {}, canStretch: true };
  private readonly listeners = new Set<() => void>();
  private readonly leavePlayer = player.subscribe(() => this.followPlayer());

  readonly getState = (): EngineState => this.state;

  /** Calls the listener on each change of the state, until the returned function is called. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  };

  setSong(song: Song): void {
    const { tempo } = this.song;
    this.song = song;
    if (tempo !== song.tempo) for (const lane of this.lanes.values()) this.prepare(lane);
    this.settle();
  }

  /** Replaces the lanes. While the song plays, unchanged lanes play on. */
  setLanes(specs: readonly EngineLane[]): void {
    const ids = new Set(specs.map(({ id }) => id));
    for (const [id, lane] of this.lanes) if (!ids.has(id)) this.remove(id, lane);
    for (const spec of specs) {
      const lane = this.lanes.get(spec.id) ?? newLane(spec);
      const isNew = !this.lanes.has(spec.id);
      const before = lane.spec;
      lane.spec = spec;
      this.lanes.set(spec.id, lane);
      const isOther = !isSame(sourceOf(spec), sourceOf(before));
      if (isNew || isOther) this.reload(lane);
      else if (!isSame(shapeOf(spec), shapeOf(before))) this.prepare(lane);
      if (isNew) this.connect(lane);
      else lane.strip?.set(spec);
    }
    this.settle();
    this.publish();
  }

  retry(laneId: string): void {
    const lane = this.lanes.get(laneId);
    if (lane?.status.status !== 'failed') return;
    this.reload(lane);
    this.publish();
  }

  /**
   * Starts at a beat, else where the song was paused. Must be called while a press is handled, because browsers refuse
   * to play sound at other times.
   */
  play(fromBeat?: number): void {
    if (fromBeat !== undefined) this.seek(fromBeat);
    if (this.state.transport === 'paused') void this.start();
  }

  pause(): void {
    this.turn += 1;
    if (this.transport && this.output) {
      const { start, quarter } = this.transport;
      const frame = Math.max(this.output.frame, start);
      this.pausedAt = positionAt(this.transport, frame) / framesOf(1, quarter);
      this.stopVoices(this.output.frame);
      this.transport = null;
      clearInterval(this.timer);
      this.idle = setTimeout(() => void this.output?.context.suspend(), IDLE_MS);
    }
    this.publish({ transport: 'paused' });
  }

  seek(beat: number): void {
    this.pausedAt = beat;
    if (this.transport) this.restart(beat);
  }

  /** Repeats a range of bars; null repeats the whole song. */
  setRange(range: { fromBar: number; bars: number } | null): void {
    this.range = range;
    this.settle();
  }

  /** The position in the song, in beats. While counting in, it runs up to the beat where the song starts. */
  get beat(): number {
    const { transport, output } = this;
    if (!transport || !output) return this.pausedAt;
    return positionAt(transport, output.frame) / framesOf(1, transport.quarter);
  }

  /** The peak level of the last 40 ms, in dB of full scale; -Infinity in silence. */
  level(): { peakDb: number } {
    return { peakDb: this.output?.peakDb ?? Number.NEGATIVE_INFINITY };
  }

  /** While `isOn`, every lane plays as recorded, in its own tempo and key. */
  setOriginals(isOn: boolean): void {
    this.playsOriginals = isOn;
    this.settle();
  }

  setClick(isOn: boolean): void {
    this.isClicking = isOn;
    this.clickGain?.gain.setTargetAtTime(isOn ? 1 : 0, this.output?.context.currentTime ?? 0, 0.005);
  }

  /** Sets how many bars are counted in before each start; 0 for none. */
  setCountIn(bars: number): void {
    this.countsIn = bars;
  }

  close(): void {
    this.pause();
    clearTimeout(this.idle);
    this.leavePlayer();
    for (const { task } of this.lanes.values()) task?.abort();
    this.lanes.clear();
    this.listeners.clear();
    void this.output?.context.close();
    this.output = null;
  }

  private async start(): Promise<void> {
    this.turn += 1;
    const { turn } = this;
    this.publish({ transport: 'starting' });
    player.pause();
    clearTimeout(this.idle);
    const output = (this.output ??= this.open());
    const isRunning = output.resume();
    const late = new Promise((resolve) => setTimeout(resolve, LANES_WAIT_MS));
    await Promise.race([late, Promise.all(Array.from(this.lanes.values(), ({ done }) => done))]);
    const mayPlay = await isRunning;
    if (turn !== this.turn) return;
    if (!mayPlay) return this.pause();
    const quarter = quarterFrames(this.song.tempo);
    const frame = output.frame + LEAD_FRAMES;
    const countIn = framesOf(this.countsIn * this.song.beatsPerBar, quarter);
    if (countIn > 0) {
      const before = { quarter, start: frame, origin: 0, range: { from: 0, to: countIn } };
      new Voice(output, output.input, clicksOf(this.song, quarter), frame).schedule(before, frame + countIn);
    }
    this.timer = setInterval(() => this.tick(), TICK_MS);
    this.begin(this.pausedAt, frame + countIn);
    this.publish({ transport: countIn > 0 ? 'counting-in' : 'playing' });
  }

  private open(): Output {
    const output = new Output();
    this.output = output;
    output.setVolume(player.getState().volume);
    this.clickGain = new GainNode(output.context, { gain: this.isClicking ? 1 : 0 });
    this.clickGain.connect(output.input);
    for (const lane of this.lanes.values()) this.connect(lane);
    // The operating system stops the audio context during phone calls, in sleep mode, and when an audio device is
    // removed.
    output.context.addEventListener('statechange', () => {
      if (this.transport && output.context.state !== 'running') this.pause();
    });
    return output;
  }

  private followPlayer(): void {
    const { currentlyPlaying, volume } = player.getState();
    this.output?.setVolume(volume);
    if (currentlyPlaying !== null && this.state.transport !== 'paused') this.pause();
  }

  private tick(): void {
    const { transport, output } = this;
    if (!transport || !output) return;
    const until = output.frame + AHEAD_FRAMES;
    for (const { voice } of this.lanes.values()) voice?.schedule(transport, until);
    this.clicks?.schedule(transport, until);
    if (this.state.transport === 'counting-in' && output.frame >= transport.start)
      this.publish({ transport: 'playing' });
  }

  private connect(lane: Lane): void {
    if (!this.output) return;
    lane.strip = new Strip(this.output);
    lane.strip.set(lane.spec);
  }

  private remove(id: string, lane: Lane): void {
    lane.task?.abort();
    if (this.output) lane.voice?.stop(this.output.frame);
    lane.strip?.close();
    this.lanes.delete(id);
  }

  private reload(lane: Lane): void {
    lane.loading = null;
    lane.renderings.clear();
    lane.status = { status: 'loading' };
    this.prepare(lane);
  }

  /** Loads and renders the sound of a lane. Until the new sound is ready, the lane plays the old one. */
  private prepare(lane: Lane): void {
    lane.task?.abort();
    const task = new AbortController();
    lane.task = task;
    lane.done = this.partOf(lane, task.signal)
      .then(
        (part) => {
          if (lane.task !== task) return;
          lane.part = part;
          lane.status = { status: 'ready' };
        },
        (error: unknown) => {
          if (lane.task !== task || task.signal.aborted) return;
          console.warn('A sound of the workbench could not be loaded.', error);
          lane.part = null;
          lane.status = {
            status: 'failed',
            reason: error instanceof LaneError ? error.reason : 'unreadable',
          };
        },
      )
      .then(() => {
        if (lane.task !== task) return;
        lane.task = null;
        this.settle();
        this.publish();
      });
  }

  private async partOf(lane: Lane, signal: AbortSignal): Promise<Lane['part']> {
    const { spec } = lane;
    const quarter = quarterFrames(this.song.tempo);
    lane.loading ??= loadSound(spec);
    const sound = await lane.loading;
    signal.throwIfAborted();
    lane.sound = sound;
    const { rendering, pattern } = planOf(sound.length, spec, quarter);
    const key = JSON.stringify(rendering);
    let buffer = lane.renderings.get(key);
    if (!buffer) {
      const rendered = await render(sound, rendering, signal);
      signal.throwIfAborted();
      buffer = rendered.buffer;
      if (this.state.canStretch !== rendered.isStretched) this.publish({ canStretch: rendered.isStretched });
    }
    lane.renderings.delete(key);
    lane.renderings.set(key, buffer);
    if (lane.renderings.size > RENDERINGS) lane.renderings.delete(lane.renderings.keys().next().value ?? '');
    return { key: JSON.stringify([key, pattern]), buffer, pattern, quarter, loops: rendering.loops };
  }

  /** The part that a lane must play now; null if the lane must be silent. */
  private wanted({ part, sound, spec }: Lane): Part | null {
    if (!part || part.quarter !== this.transport?.quarter) return null;
    if (!this.playsOriginals || !sound) return part;
    const { length } = sound;
    const cycle = part.loops ? length : part.pattern.cycle;
    const pattern = { ...part.pattern, cycle, length: Math.min(length, cycle ?? length) };
    return { key: `original ${JSON.stringify([spec.id, pattern])}`, buffer: sound, pattern };
  }

  /** While the song plays, starts and stops sounds to match changes of the song and of the lanes. */
  private settle(): void {
    const { transport, output } = this;
    if (!transport || !output) return;
    const range = this.rangeOf(quarterFrames(this.song.tempo));
    const isRetimed = transport.quarter !== quarterFrames(this.song.tempo);
    if (isRetimed || range.from !== transport.range.from || range.to !== transport.range.to) {
      // After a change of tempo, waits until all playing lanes are rendered, so that they change their tempo
      // together.
      const isWaiting = isRetimed && Array.from(this.lanes.values()).some(({ voice, task }) => voice && task);
      if (!isWaiting) this.restart();
      return;
    }
    const frame = Math.max(output.frame + LEAD_FRAMES, transport.start);
    for (const lane of this.lanes.values()) {
      const part = this.wanted(lane);
      if (part?.key !== lane.voice?.part.key) this.voice(lane, part, frame);
    }
    this.tick();
  }

  private rangeOf(quarter: number): Transport['range'] {
    const { fromBar, bars } = this.range ?? { fromBar: 0, bars: this.song.bars };
    const bar = framesOf(this.song.beatsPerBar, quarter);
    return { from: fromBar * bar, to: (fromBar + Math.max(1, bars)) * bar };
  }

  /** While the song plays, starts all lanes again at a beat; without a beat, at the current position. */
  private restart(beat?: number): void {
    const { transport, output } = this;
    if (!transport || !output) return;
    const frame = Math.max(output.frame + LEAD_FRAMES, transport.start);
    const position = beat ?? positionAt(transport, frame) / framesOf(1, transport.quarter);
    this.stopVoices(frame);
    this.begin(position, frame);
  }

  private begin(beat: number, frame: number): void {
    const { output } = this;
    if (!output || !this.clickGain) return;
    const quarter = quarterFrames(this.song.tempo);
    const range = this.rangeOf(quarter);
    const position = framesOf(beat, quarter);
    const origin = position >= range.from && position < range.to ? position : range.from;
    this.transport = { quarter, start: frame, origin, range };
    for (const lane of this.lanes.values()) this.voice(lane, this.wanted(lane), frame);
    this.clicks = new Voice(output, this.clickGain, clicksOf(this.song, quarter), frame);
    this.tick();
  }

  private voice(lane: Lane, part: Part | null, frame: number): void {
    lane.voice?.stop(frame);
    lane.voice =
      part && lane.strip && this.output ? new Voice(this.output, lane.strip.input, part, frame) : null;
  }

  private stopVoices(frame: number): void {
    for (const lane of this.lanes.values()) this.voice(lane, null, frame);
    this.clicks?.stop(frame);
    this.clicks = null;
  }

  private publish(change: Partial<EngineState> = {}): void {
    const lanes = Object.fromEntries(Array.from(this.lanes, ([id, { status }]) => [id, status]));
    this.state = { ...this.state, lanes, ...change };
    this.listeners.forEach((listener) => listener());
  }
}
