import type { SuspectedCopy } from '../../../api/copies.js';

/** The sound that plays: A in both ears, B in both ears, or A in the left and B in the right ear. */
export type Heard = 'a' | 'b' | 'both';

export interface Side {
  url: string;
  durationMs: number;
}

/** B starts at `startMs` on the clock of A, and each millisecond of B takes `stretch` milliseconds on that clock. */
interface Alignment {
  startMs: number;
  stretch: number;
}

interface ComparisonState {
  heard: Heard;
  isPlaying: boolean;
  /** The current position on the clock of A. */
  atMs: number;
  error?: string;
}

type Element = Pick<
  HTMLAudioElement,
  'currentTime' | 'playbackRate' | 'preservesPitch' | 'paused' | 'pause' | 'play'
>;

export interface Ears {
  /** @param ear -1 left, 1 right, 0 both */
  listen: (side: Letter, ear: -1 | 0 | 1) => void;
  resume: () => Promise<void>;
  close: () => void;
}

/**
 * A sound that plays more than this before or after its position on the clock of A is moved to that position. The
 * check runs every `CHECKED_MS`.
 */
const DRIFT_MS = 40;
const CHECKED_MS = 1_000;
const LETTERS = ['a', 'b'] as const;
type Letter = (typeof LETTERS)[number];

export function alignmentOf(stretch: SuspectedCopy['stretch']): Alignment {
  const { fromMs, toMs, likeFromMs, likeToMs } = stretch;
  const ratio = toMs > fromMs && likeToMs > likeFromMs ? (likeToMs - likeFromMs) / (toMs - fromMs) : 1;
  return { startMs: likeFromMs - fromMs * ratio, stretch: ratio };
}

/** Plays the two sounds A and B of a suspected copy in step. */
export class Comparison {
  private state: ComparisonState = { heard: 'both', isPlaying: false, atMs: 0 };
  private ears: Ears | undefined;
  private frame = 0;
  private checkedMs = 0;
  private readonly listeners = new Set<() => void>();
  private loaded: Record<Letter, Element> | undefined;
  /** Where each sound starts and ends on the clock of A. */
  private readonly tracks: Record<Letter, Alignment & { endMs: number }>;
  /** From the start of the sound that begins first to the end of the sound that ends last, on the clock of A. */
  readonly range: { fromMs: number; toMs: number };

  constructor(
    private readonly sides: Record<Letter, Side>,
    { startMs, stretch }: Alignment,
    private readonly sound: {
      createAudio: (url: string) => Element;
      /** Called on the first press, because browsers play no sound before a press. */
      openEars: (elements: Record<Letter, Element>) => Ears;
    },
  ) {
    const a = { startMs: 0, stretch: 1, endMs: sides.a.durationMs };
    const b = { startMs, stretch, endMs: startMs + sides.b.durationMs * stretch };
    this.tracks = { a, b };
    this.range = { fromMs: Math.min(0, startMs), toMs: Math.max(a.endMs, b.endMs) };
    this.state.atMs = this.range.fromMs;
  }

  /**
   * Loads both sounds. The constructor does not load them, because React may discard an object that it constructed
   * during a render.
   */
  load(): void {
    void this.elements;
  }

  private get elements(): Record<Letter, Element> {
    if (this.loaded) return this.loaded;
    const { sides, tracks, sound } = this;
    this.loaded = { a: sound.createAudio(sides.a.url), b: sound.createAudio(sides.b.url) };
    // Plays B at the speed and the pitch of A, so that differences between the two are audible as beats.
    this.loaded.b.playbackRate = 1 / tracks.b.stretch;
    this.loaded.b.preservesPitch = false;
    return this.loaded;
  }

  readonly getState = (): ComparisonState => this.state;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  press(heard: Heard): void {
    if (this.state.isPlaying && this.state.heard === heard) return this.pause();
    this.set({ heard });
    this.play();
  }

  toggle(): void {
    if (this.state.isPlaying) this.pause();
    else this.play();
  }

  pause(): void {
    cancelAnimationFrame(this.frame);
    for (const side of LETTERS) this.elements[side].pause();
    this.set({ isPlaying: false });
  }

  seek(atMs: number): void {
    const { fromMs, toMs } = this.range;
    this.set({ atMs: Math.min(toMs, Math.max(fromMs, atMs)) });
    if (this.state.isPlaying) this.align(0);
  }

  close(): void {
    this.pause();
    this.listeners.clear();
    this.ears?.close();
  }

  private play(): void {
    const { heard, atMs } = this.state;
    const firstMs = Math.min(...this.heard().map((side) => this.tracks[side].startMs));
    this.ears ??= this.sound.openEars(this.elements);
    this.ears.listen('a', heard === 'both' ? -1 : 0);
    this.ears.listen('b', heard === 'both' ? 1 : 0);
    void this.ears.resume();
    if (!this.isHeardLater(atMs)) this.set({ atMs: firstMs });
    this.set({ isPlaying: true });
    this.align(0);
    let before = performance.now();
    const tick = () => {
      const now = performance.now();
      this.advance(now - before);
      before = now;
      if (this.state.isPlaying) this.frame = requestAnimationFrame(tick);
    };
    cancelAnimationFrame(this.frame);
    this.frame = requestAnimationFrame(tick);
  }

  /** Takes the time from a sound that is playing, or from the wall clock if none is playing. */
  private advance(passedMs: number): void {
    const leader = this.heard().find((side) => !this.elements[side].paused);
    const { startMs, stretch } = this.tracks[leader ?? 'a'];
    const atMs = leader
      ? startMs + this.elements[leader].currentTime * 1_000 * stretch
      : this.state.atMs + passedMs;
    this.set({ atMs });
    if (!this.isHeardLater(atMs)) return this.pause();
    const isDue = performance.now() - this.checkedMs >= CHECKED_MS;
    this.align(isDue ? DRIFT_MS : Number.POSITIVE_INFINITY);
  }

  /**
   * Plays the sounds that are heard now, and pauses the others. @param driftMs sounds that are further than this
   * from their position on the clock of A are moved to it
   */
  private align(driftMs: number): void {
    if (driftMs <= DRIFT_MS) this.checkedMs = performance.now();
    for (const side of LETTERS) {
      const element = this.elements[side];
      const { startMs, stretch } = this.tracks[side];
      const atMs = (this.state.atMs - startMs) / stretch;
      if (!this.heard().includes(side) || atMs < 0 || atMs >= this.sides[side].durationMs) {
        if (!element.paused) element.pause();
        continue;
      }
      if (element.paused || Math.abs(element.currentTime * 1_000 - atMs) > driftMs)
        element.currentTime = atMs / 1_000;
      if (!element.paused) continue;
      Promise.resolve(element.play()).catch((error: Error) => {
        // An `AbortError` is no failure: a pause interrupted the start.
        if (error.name === 'AbortError') return;
        this.pause();
        this.set({ error: 'This could not be played.' });
      });
    }
  }

  private heard(): readonly Letter[] {
    const { heard } = this.state;
    return heard === 'both' ? LETTERS : [heard];
  }

  private isHeardLater(atMs: number): boolean {
    return this.heard().some((side) => atMs < this.tracks[side].endMs - 10);
  }

  private set(change: Partial<ComparisonState>): void {
    this.state = { ...this.state, ...change };
    for (const listener of this.listeners) listener();
  }
}

export const BROWSER_SOUND = {
  createAudio: (url: string): HTMLAudioElement => {
    const audio = new Audio(url);
    audio.preload = 'auto';
    return audio;
  },
  openEars: (elements: Record<Letter, Element>): Ears => {
    const context = new AudioContext();
    const panner = (element: Element) => {
      const pan = new StereoPannerNode(context);
      context
        .createMediaElementSource(element as HTMLAudioElement)
        .connect(pan)
        .connect(context.destination);
      return pan;
    };
    const panners = { a: panner(elements.a), b: panner(elements.b) };
    return {
      listen: (side, ear) => {
        panners[side].pan.value = ear;
      },
      resume: () => context.resume(),
      close: () => void context.close(),
    };
  },
};
