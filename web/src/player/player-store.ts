import { deviceNow } from '../clock.js';
import type { Sample } from '../../../application/catalogue/contract.js';
import { mediaAddress } from '../../../application/media/values.js';
import { mediaBase } from '../api/page-settings.js';

export const PREVIEW_LIMIT_SECONDS = 60;
export const READY_WAIT_MS = 800;
export const RETRY_DELAY_MS = 50;
export const SEEK_STEP_SECONDS = 5;

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
  onStarted: (track: Sample) => void;
  /** The playback rate, 1 for normal; the pitch is unchanged. */
  rateOf?: (track: Sample) => number;
  /** Whether the next sound of the list starts when the current sound ends. */
  playsOn?: () => boolean;
  /** Stores the volume for the next visit; not called for volume 0. */
  keepVolume?: (volume: number) => void;
}

/** Length of the preview in seconds: at most 60, and 60 while the length is unknown. */
export const previewSeconds = ({ durationMs }: Pick<Sample, 'durationMs'>): number =>
  durationMs > 0 ? Math.min(PREVIEW_LIMIT_SECONDS, durationMs / 1000) : PREVIEW_LIMIT_SECONDS;

const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** One audio element for the whole page, and the state that rows and player bar show. */
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
  };
  private audio: HTMLAudioElement | null = null;
  /** The volume before muting. */
  private audibleVolume = 1;
  private readonly listeners = new Set<() => void>();
  /** Increases with every start and stop, so that results of an older start are ignored. */
  private turn = 0;

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
    if (!resumed) this.stopCurrent();
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
    await this.start(track.previewUrl, { turn, pressed, resumed });
  }

  pause(): void {
    this.turn += 1;
    this.audio?.pause();
    if (this.state.currentlyPlaying) this.setState({ currentlyPlaying: null, isLoading: false });
  }

  toggle(): void {
    const { track } = this.state;
    if (track) void this.play(track);
  }

  /** Seeks. @param seconds clamped to 0 and the end of the preview (at most 60) */
  seek(seconds: number): void {
    const { duration, track } = this.state;
    if (!track || !this.audio) return;
    const target = Math.min(Math.max(0, seconds), Math.min(PREVIEW_LIMIT_SECONDS, duration));
    this.audio.currentTime = target;
    this.setState({ currentTime: target });
  }

  /** Moves along the list from which the sound was started. @param step 1 next, -1 previous */
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

  /** Applies the current playback rate to the sound that plays. */
  retune(): void {
    const { track } = this.state;
    if (!this.audio || !track) return;
    this.audio.preservesPitch = true;
    this.audio.playbackRate = this.ports.rateOf?.(track) ?? 1;
  }

  close(): void {
    this.stopCurrent();
    this.setState({ currentlyPlaying: null, isLoading: false, track: null, queue: [], currentTime: 0 });
  }

  private async start(
    url: string,
    { turn, pressed, resumed }: { turn: number; pressed: boolean; resumed: boolean },
  ): Promise<void> {
    const audio = this.element();
    // If the media origin fails, this site may have the file: only this site has sounds that are limited to their
    // creator and buyers.
    const attempts = [
      mediaAddress(url, mediaBase()),
      `${url}${url.includes('?') ? '&' : '?'}retry=${deviceNow()}`,
    ];
    for (const [attempt, address] of attempts.entries()) {
      if (attempt > 0) await wait(RETRY_DELAY_MS);
      if (turn !== this.turn) return;
      try {
        const position = resumed ? this.state.currentTime : 0;
        if (!resumed || attempt > 0 || audio.error) {
          audio.src = address;
          audio.load();
          if (position) audio.currentTime = position;
        }
        await this.untilReady(audio);
        if (turn !== this.turn) return;
        audio.volume = this.state.volume;
        this.retune();
        await audio.play();
        if (turn !== this.turn) return;
        this.setState({ isLoading: false });
        const { track } = this.state;
        if (track && !resumed) this.ports.onStarted(track);
        return;
      } catch (error) {
        // A pause or another sound interrupted this sound, which is no failure.
        if (turn !== this.turn || (error as Error).name === 'AbortError') return;
        if (attempt === attempts.length - 1) this.fail(error, pressed);
      }
    }
  }

  /** Waits until the audio element can play, but at most 800 ms. */
  private async untilReady(audio: HTMLAudioElement): Promise<void> {
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

  private stopCurrent(): void {
    this.turn += 1;
    if (!this.audio) return;
    this.audio.pause();
    this.audio.currentTime = 0;
    this.setState({ currentTime: 0 });
  }

  private element(): HTMLAudioElement {
    if (this.audio) return this.audio;
    const audio = this.ports.createAudio();
    audio.preload = 'auto';
    audio.addEventListener('timeupdate', () => this.follow(audio));
    audio.addEventListener('ended', () => this.finish());
    audio.addEventListener('error', () => this.breakOff(audio));
    audio.addEventListener('pause', () => this.followPause(audio));
    this.audio = audio;
    return audio;
  }

  private follow(audio: HTMLAudioElement): void {
    if (this.state.currentlyPlaying === null) return;
    if (audio.currentTime >= PREVIEW_LIMIT_SECONDS) {
      audio.pause();
      this.finish();
    } else if (!this.state.isLoading) {
      const known = Number.isFinite(audio.duration) && audio.duration > 0;
      const duration = known ? Math.min(PREVIEW_LIMIT_SECONDS, audio.duration) : this.state.duration;
      this.setState({ currentTime: audio.currentTime, duration });
    }
  }

  private finish(): void {
    // A paused sound that the visitor moved to its end does not start the next sound.
    if (this.state.currentlyPlaying === null) return;
    this.turn += 1;
    if (this.audio) this.audio.currentTime = 0;
    this.setState({ currentlyPlaying: null, isLoading: false, currentTime: 0 });
    if (this.ports.playsOn?.()) this.skip(1, { pressed: false });
  }

  /** Handles an error during playback. `start` retries an error while the sound starts. */
  private breakOff(audio: HTMLAudioElement): void {
    if (this.state.currentlyPlaying === null || this.state.isLoading) return;
    const kind = ERROR_KINDS[audio.error?.code ?? 0] ?? null;
    console.warn(`The preview stopped: ${kind ?? 'unknown error'}.`);
    this.turn += 1;
    this.setState({ currentlyPlaying: null, isLoading: false, error: kind });
  }

  /** Follows a pause by the system, such as unplugged headphones or another app. */
  private followPause(audio: HTMLAudioElement): void {
    if (!this.state.isLoading && this.state.currentlyPlaying !== null && !audio.ended && audio.paused)
      this.pause();
  }

  private setState(change: Partial<PlayerState>): void {
    this.state = { ...this.state, ...change };
    this.listeners.forEach((listener) => listener());
  }
}
