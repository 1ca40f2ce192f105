import { deviceNow } from '../clock.js';
import type { Sample } from '../../../application/catalogue/contract.js';
import { PREVIEW_LIMIT_SECONDS, previewSeconds } from '../../../application/catalogue/values.js';
import { mediaAddress } from '../../../application/media/values.js';
import { mediaBase } from '../api/page-settings.js';

const READY_WAIT_MS = 800;
const RETRY_DELAY_MS = 50;
export const SEEK_STEP_SECONDS = 5;
/** A sound counts as heard once this much of it was played. A shorter sound counts when it ends. */
const HEARD_SECONDS = 2;
/** A press waits at most this long for the code that changes the pitch. Then the sound plays without that code. */
export const STRETCH_WAIT_MS = 10_000;

export type AudioErrorKind = 'ABORTED' | 'NETWORK' | 'DECODE' | 'SRC_NOT_SUPPORTED';
const ERROR_KINDS: Record<number, AudioErrorKind> = {
  1: 'ABORTED',
  2: 'NETWORK',
  3: 'DECODE',
  4: 'SRC_NOT_SUPPORTED',
};

export interface PlayerState {
  /** Id of the sound that plays or loads; null if none does. */
  currentlyPlaying: string | null;
  isLoading: boolean;
  /** The position in seconds. */
  currentTime: number;
  /** The length of the preview in seconds, at most 60; 0 before the first play. */
  duration: number;
  /** From 0 to 1. */
  volume: number;
  /** The sound in the player bar: playing, paused or last heard. */
  track: Sample | null;
  /** The list that `track` was started from, in its order. */
  queue: readonly Sample[];
  error: AudioErrorKind | null;
  /** False after this browser failed to create a `TunedOutput`. Then only the tempo follows a project. */
  canTranspose: boolean;
}

/** How a sample sounds in a project. */
export interface Tuning {
  rate: number;
  semitones: number;
  /** The true length of the sound in seconds, at most 60. Its preview is longer, because the encoder added silence. */
  seconds: number;
  /** Whether the sound repeats until the listener stops it. */
  repeats: boolean;
  /** True for drums, whose attacks must stay sharp; false for other sounds, whose pitch must stay steady. */
  isPercussive: boolean;
}

/** The members of an audio element that the player uses. */
export interface AudioOutput extends EventTarget {
  src: string;
  currentTime: number;
  volume: number;
  readonly duration: number;
  readonly readyState: number;
  readonly paused: boolean;
  readonly ended: boolean;
  readonly error: { readonly code: number } | null;
  load(): void;
  play(): Promise<void>;
  pause(): void;
}

/** An output that changes tempo and pitch. */
export interface TunedOutput extends AudioOutput {
  /** Applies at once to the sound that plays, else to the next sound. If undefined, the sound plays as recorded. */
  tune(tuning: Tuning | undefined): void;
  /** Loads a preview that will probably play next. */
  prepare(address: string): void;
  /** Cancels pending requests for previews that `isPassed` selects, except for the preview that is about to play. */
  abandon(isPassed: (address: string) => boolean): void;
}

export interface PlayRequest {
  queue?: readonly Sample[];
  /** False if no press started the sound; its failure is then logged instead of shown. */
  pressed?: boolean;
  /** The place of the press, which selects the text for a sound without a file. */
  source?: 'discover' | 'elsewhere';
}

export interface PlayerPorts {
  createAudio: () => HTMLAudioElement;
  showAlert: (alert: { title: string }) => void;
  /** Called once per start, when the sound counts as heard. */
  onHeard: (track: Sample) => void;
  /** How the project changes a sample; undefined if the sample plays as recorded. */
  tuningOf?: (track: Sample) => Tuning | undefined;
  /** Rejects if this browser cannot change the pitch. Then an audio element changes the tempo alone. */
  createTuned?: () => Promise<TunedOutput>;
  /** Whether the next sound of the list starts when the current sound ends. */
  playsOn?: () => boolean;
  /** Stores the volume for the next visit; not called for volume 0. */
  keepVolume?: (volume: number) => void;
}

const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** Plays one sound at a time for the whole page, and holds the state that rows and player bar show. */
export class Player {
  private state: PlayerState = {
    currentlyPlaying: null,
    isLoading: false,
    currentTime: 0,
    duration: 0,
    volume: 1,
    track: null,
    queue: [],
    error: null,
    canTranspose: true,
  };
  /** The output of the current sound: `element` or `tuned`. */
  private audio: AudioOutput | null = null;
  private element: HTMLAudioElement | null = null;
  private tuned: TunedOutput | null = null;
  private creatingTuned: Promise<TunedOutput> | null = null;
  /** The volume before muting. */
  private audibleVolume = 1;
  private readonly listeners = new Set<() => void>();
  /** Increases with every start and stop, so that results of an older start are ignored. */
  private turn = 0;
  /** The seconds of the sound that were played, and the position up to which they are counted. */
  private heard = { seconds: 0, upTo: 0 };

  constructor(private readonly ports: PlayerPorts) {}

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  readonly getState = (): PlayerState => this.state;

  /** Plays a sound from its start, pauses it if it is playing, or resumes it if it is paused. */
  async play(
    track: Sample,
    { queue, pressed = true, source = 'elsewhere' }: PlayRequest = {},
  ): Promise<void> {
    if (this.state.currentlyPlaying === track.id) return this.pause();
    if (!track.previewUrl) {
      const title = source === 'discover' ? 'Audio unavailable' : 'Audio not available for this sample';
      if (pressed) this.ports.showAlert({ title });
      return;
    }
    const resumed = this.state.track?.id === track.id && this.state.currentTime > 0;
    if (!resumed) {
      this.stopCurrent();
      this.heard = { seconds: 0, upTo: 0 };
    }
    this.turn += 1;
    const turn = this.turn;
    this.setState({
      currentlyPlaying: track.id,
      isLoading: true,
      track,
      queue: queue ?? this.state.queue,
      duration: previewSeconds(track),
      error: null,
    });
    await this.start(track, { turn, pressed, resumed });
  }

  pause(): void {
    this.turn += 1;
    this.audio?.pause();
    // Cancels the download of a sound that is paused before it begins.
    if (this.state.isLoading && this.state.currentTime === 0) this.abandon();
    if (this.state.currentlyPlaying) this.setState({ currentlyPlaying: null, isLoading: false });
  }

  toggle(): void {
    const { track } = this.state;
    if (track) void this.play(track);
  }

  /** Moves to a position in the current sound. @param seconds clamped to 0 and the end of the preview (at most 60) */
  seek(seconds: number): void {
    const { duration, track } = this.state;
    if (!track) return;
    const target = Math.min(Math.max(0, seconds), Math.min(PREVIEW_LIMIT_SECONDS, duration));
    if (this.audio) this.audio.currentTime = target;
    this.heard.upTo = target;
    this.setState({ currentTime: target });
  }

  /**
   * Plays the next or previous sound that has audio, in the list from which the current sound was started.
   * @param step 1 next, -1 previous
   */
  skip(step: 1 | -1, { pressed = true } = {}): void {
    const { queue, track } = this.state;
    const at = queue.findIndex((sample) => sample.id === track?.id);
    for (let next = at + step; at >= 0 && next >= 0 && next < queue.length; next += step) {
      const sample = queue[next];
      if (sample?.previewUrl) return void this.play(sample, { pressed });
    }
  }

  setVolume(volume: number): void {
    const clamped = Math.min(1, Math.max(0, Number.isFinite(volume) ? volume : 1));
    if (clamped > 0) {
      this.audibleVolume = clamped;
      this.ports.keepVolume?.(clamped);
    }
    if (this.audio) this.audio.volume = clamped;
    this.setState({ volume: clamped });
  }

  toggleMute(): void {
    this.setVolume(this.state.volume === 0 ? this.audibleVolume : 0);
  }

  /** Applies changes of the project or the audition settings to the current sound. */
  retune(): void {
    const { track, currentlyPlaying, isLoading, canTranspose } = this.state;
    if (!track?.previewUrl || isLoading) return;
    const isPlain = currentlyPlaying !== null && this.audio === this.element;
    if (!isPlain || !canTranspose || !this.isChanged(track)) return this.tune(track);
    this.turn += 1;
    this.setState({ isLoading: true });
    void this.start(track, { turn: this.turn, pressed: false, resumed: true });
  }

  /**
   * Loads a sound that will probably play next. Returns false and loads nothing if the project does not change the
   * sound.
   */
  prepare(track: Sample): boolean {
    if (!track.previewUrl || !this.isChanged(track)) return false;
    const address = mediaAddress(track.previewUrl, mediaBase());
    this.createTuned().then(
      (tuned) => tuned.prepare(address),
      () => undefined,
    );
    return true;
  }

  /** Cancels the requests of `prepare` for sounds that the listener has passed. */
  abandonPrepared(isPassed: (address: string) => boolean): void {
    this.tuned?.abandon(isPassed);
  }

  close(): void {
    this.stopCurrent();
    this.setState({ currentlyPlaying: null, isLoading: false, track: null, queue: [], currentTime: 0 });
  }

  private async start(
    track: Sample,
    { turn, pressed, resumed }: { turn: number; pressed: boolean; resumed: boolean },
  ): Promise<void> {
    const url = track.previewUrl ?? '';
    const audio = (this.isChanged(track) && (await this.tunedOutput())) || this.plainOutput();
    if (turn !== this.turn) return;
    const isOther = this.use(audio);
    // The second attempt uses this site instead of the CDN. Only this site has sounds that are limited to their creator
    // and buyers.
    const attempts = [
      mediaAddress(url, mediaBase()),
      `${url}${url.includes('?') ? '&' : '?'}retry=${deviceNow()}`,
    ];
    for (const [attempt, address] of attempts.entries()) {
      if (attempt > 0) await wait(RETRY_DELAY_MS);
      if (turn !== this.turn) return;
      try {
        if (isOther || !resumed || attempt > 0 || audio.error) {
          audio.src = address;
          audio.load();
          if (this.state.currentTime > 0) audio.currentTime = this.state.currentTime;
        }
        await this.untilReady(audio);
        if (turn !== this.turn) return;
        audio.volume = this.state.volume;
        this.tune(track);
        await audio.play();
        if (turn !== this.turn) return;
        this.setState({ isLoading: false });
        // The project may have changed while the sound loaded.
        this.retune();
        return;
      } catch (error) {
        // A pause or another sound interrupted this sound, which is no failure.
        if (turn !== this.turn || (error as Error).name === 'AbortError') return;
        if (attempt === attempts.length - 1) this.fail(error, pressed);
      }
    }
  }

  /** Whether the project changes a sound. Always false without the port `createTuned`. */
  private isChanged(track: Sample): boolean {
    return this.ports.createTuned !== undefined && this.ports.tuningOf?.(track) !== undefined;
  }

  private async tunedOutput(): Promise<TunedOutput | undefined> {
    if (this.tuned) return this.tuned;
    const late = wait(STRETCH_WAIT_MS).then(() => Promise.reject(new Error('The files did not arrive.')));
    return Promise.race([this.createTuned(), late]).catch((error: unknown) => {
      console.warn('The pitch of sounds cannot be changed.', error);
      this.setState({ canTranspose: false });
      return undefined;
    });
  }

  /** Creates the tuned output once. The next sound retries after a failure, because the network may have failed. */
  private createTuned(): Promise<TunedOutput> {
    this.creatingTuned ??= (
      this.ports.createTuned?.() ?? Promise.reject(new Error('There is no such output.'))
    ).then(
      (tuned) => {
        this.tuned = tuned;
        this.listenTo(tuned);
        this.setState({ canTranspose: true });
        return tuned;
      },
      (error: unknown) => {
        this.creatingTuned = null;
        throw error;
      },
    );
    return this.creatingTuned;
  }

  private tune(track: Sample): void {
    const tuning = this.ports.tuningOf?.(track);
    this.tuned?.tune(tuning);
    if (!this.element) return;
    this.element.preservesPitch = true;
    this.element.playbackRate = tuning?.rate ?? 1;
  }

  /**
   * Makes an output the current one, and keeps the position of the former output. Returns whether the output
   * changed.
   */
  private use(audio: AudioOutput): boolean {
    const before = this.audio;
    this.audio = audio;
    if (before === audio) return false;
    if (before && !before.paused) {
      this.setState({ currentTime: before.currentTime });
      before.pause();
    }
    return true;
  }

  /** Waits until the output can play or fails, but at most 800 ms. */
  private async untilReady(audio: AudioOutput): Promise<void> {
    if (audio.readyState >= 3) return;
    await new Promise<void>((resolve) => {
      const done = () => {
        clearTimeout(timer);
        audio.removeEventListener('canplay', done);
        audio.removeEventListener('error', done);
        resolve();
      };
      const timer = setTimeout(done, READY_WAIT_MS);
      audio.addEventListener('canplay', done);
      audio.addEventListener('error', done);
    });
  }

  private fail(error: unknown, pressed: boolean): void {
    console.warn('The preview could not be played.', error);
    const kind = ERROR_KINDS[this.audio?.error?.code ?? 0] ?? null;
    this.setState({ currentlyPlaying: null, isLoading: false, currentTime: 0, error: kind });
    if (pressed) this.ports.showAlert({ title: 'Preview not available' });
  }

  /** Cancels the request for the current sound. The next start of the sound sends the request again. */
  private abandon(): void {
    this.tuned?.abandon((address) => address === this.tuned?.src);
    if (!this.element || this.audio !== this.element) return;
    this.element.removeAttribute('src');
    this.element.load();
  }

  private stopCurrent(): void {
    this.turn += 1;
    if (!this.audio) return;
    this.audio.pause();
    this.audio.currentTime = 0;
    this.setState({ currentTime: 0 });
  }

  private plainOutput(): HTMLAudioElement {
    if (this.element) return this.element;
    const audio = this.ports.createAudio();
    audio.preload = 'auto';
    this.listenTo(audio);
    this.element = audio;
    return audio;
  }

  private listenTo(audio: AudioOutput): void {
    const on = (event: string, act: () => void) =>
      audio.addEventListener(event, () => {
        if (audio === this.audio) act();
      });
    on('timeupdate', () => this.follow(audio));
    on('ended', () => this.finish());
    on('error', () => this.breakOff(audio));
    on('pause', () => this.followPause(audio));
  }

  private follow(audio: AudioOutput): void {
    if (this.state.currentlyPlaying === null) return;
    this.count(audio.currentTime);
    if (audio.currentTime >= PREVIEW_LIMIT_SECONDS) {
      audio.pause();
      this.finish();
    } else if (!this.state.isLoading) {
      const known = Number.isFinite(audio.duration) && audio.duration > 0;
      const duration = known ? Math.min(PREVIEW_LIMIT_SECONDS, audio.duration) : this.state.duration;
      this.setState({ currentTime: audio.currentTime, duration });
    }
  }

  /** Adds what was played since the last position. When a loop begins again, counting continues from its start. */
  private count(position: number): void {
    const played = position - this.heard.upTo;
    this.heard.upTo = position;
    if (played > 0) this.heardAfter(played);
  }

  private heardAfter(seconds: number): void {
    const before = this.heard.seconds;
    this.heard.seconds += seconds;
    const { track } = this.state;
    if (track && before < HEARD_SECONDS && this.heard.seconds >= HEARD_SECONDS) this.ports.onHeard(track);
  }

  private finish(): void {
    // A paused sound that the visitor moved to its end does not start the next sound.
    if (this.state.currentlyPlaying === null) return;
    if (this.state.duration < HEARD_SECONDS) this.heardAfter(HEARD_SECONDS);
    this.turn += 1;
    if (this.audio) this.audio.currentTime = 0;
    this.setState({ currentlyPlaying: null, isLoading: false, currentTime: 0 });
    if (this.ports.playsOn?.()) this.skip(1, { pressed: false });
  }

  /** Handles an error during playback. Errors while a sound starts are left to `start`, which retries. */
  private breakOff(audio: AudioOutput): void {
    if (this.state.currentlyPlaying === null || this.state.isLoading) return;
    const kind = ERROR_KINDS[audio.error?.code ?? 0] ?? null;
    console.warn(`The preview stopped: ${kind ?? 'unknown error'}.`);
    this.turn += 1;
    this.setState({ currentlyPlaying: null, isLoading: false, error: kind });
  }

  /** Follows a pause by the system, such as unplugged headphones or another app. */
  private followPause(audio: AudioOutput): void {
    if (!this.state.isLoading && this.state.currentlyPlaying !== null && !audio.ended && audio.paused)
      this.pause();
  }

  private setState(change: Partial<PlayerState>): void {
    this.state = { ...this.state, ...change };
    this.listeners.forEach((listener) => listener());
  }
}
