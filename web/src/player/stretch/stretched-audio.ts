import type { StretchNode } from 'signalsmith-stretch';
import type { TunedOutput, Tuning } from '../player-store.js';
import { beginOf, BLOCKS, cut, decodePreview, type PreviewAudio } from './preview-audio.js';

/** The number of decoded previews to keep: the one that plays, and those that will probably play next. */
const PREPARED = 4;
/** A preview can be taken down, so after this time it is fetched again. */
export const PREPARED_MS = 60_000;
/** A browser may leave `resume()` pending until the visitor presses something, so the wait is limited. */
const RESUME_WAIT_MS = 1_000;
/** A context that plays nothing for this long stops, so that it uses no battery. */
const IDLE_MS = 60_000;
const FOLLOW_SECONDS = 0.1;
/** A change must reach the audio thread before the change is due. */
const MARGIN_SECONDS = 0.02;
/** Fades are short enough to be inaudible, and long enough to prevent a click. */
const FADE_SECONDS = 0.004;

/** Codes of a MediaError. */
const NETWORK = 2;
const DECODE = 3;
const SRC_NOT_SUPPORTED = 4;

class PreviewFailure extends Error {
  constructor(
    readonly code: number,
    options?: ErrorOptions,
  ) {
    super('The preview could not be loaded.', options);
  }
}

interface Prepared {
  at: number;
  preview: Promise<PreviewAudio>;
  /** Null once the preview has arrived. */
  request: AbortController | null;
}

const aborted = () => new DOMException('Another sound or a pause came first.', 'AbortError');

/** Plays previews at another tempo and pitch, with the interface of an audio element. */
export class StretchedAudio extends EventTarget implements TunedOutput {
  src = '';
  paused = true;
  ended = false;
  readyState = 0;
  error: { code: number } | null = null;
  private tuning: Tuning | undefined;
  private loading: Promise<PreviewAudio> | undefined;
  private preview: PreviewAudio | undefined;
  /** Whether the node plays. This differs from `!paused`, which is already true while the sound still loads. */
  private isSounding = false;
  /** The length of the sound in seconds, and the second at which it starts in the buffers of the node. */
  private arranged = { seconds: Number.NaN, start: 0 };
  /** The sound is at `position` when the clock of the context is at `time`. */
  private anchor = { time: 0, position: 0 };
  private level = 1;
  private idle: ReturnType<typeof setTimeout> | undefined;
  private readonly prepared = new Map<string, Prepared>();
  private readonly gate: AudioParam;

  constructor(
    private readonly context: AudioContext,
    private readonly node: StretchNode,
  ) {
    super();
    const gain = context.createGain();
    this.gate = gain.gain;
    this.gate.value = 0;
    node.connect(gain).connect(context.destination);
    void node.setUpdateInterval(FOLLOW_SECONDS, () => this.follow());
    // The operating system stops the audio context during phone calls and when an audio device is removed. The sound
    // then counts as paused.
    context.addEventListener('statechange', () => {
      if (context.state === 'running' || !this.isSounding) return;
      this.pause();
      this.dispatchEvent(new Event('pause'));
    });
    this.sleepWhenIdle();
  }

  get duration(): number {
    return this.arranged.seconds;
  }

  get volume(): number {
    return this.level;
  }

  set volume(level: number) {
    this.level = level;
    if (this.isSounding) this.gate.setTargetAtTime(level, this.context.currentTime, FADE_SECONDS);
  }

  get currentTime(): number {
    return this.isSounding ? this.positionAt(this.context.currentTime) : this.anchor.position;
  }

  set currentTime(position: number) {
    this.ended = false;
    if (this.isSounding) this.schedule(position);
    else this.anchor = { time: 0, position };
  }

  load(): void {
    this.pause();
    this.ended = false;
    this.readyState = 0;
    this.error = null;
    this.preview = undefined;
    this.arranged = { seconds: Number.NaN, start: 0 };
    this.anchor = { time: 0, position: 0 };
    const loading = this.previewAt(this.src);
    this.loading = loading;
    loading.then(
      (preview) => {
        if (this.loading !== loading) return;
        this.preview = preview;
        this.readyState = 4;
        this.dispatchEvent(new Event('canplay'));
      },
      (error: PreviewFailure) => {
        if (this.loading !== loading) return;
        this.error = { code: error.code };
        this.dispatchEvent(new Event('error'));
      },
    );
  }

  async play(): Promise<void> {
    clearTimeout(this.idle);
    const { loading } = this;
    this.paused = false;
    try {
      await Promise.all([loading, this.resumeContext()]);
    } catch (error) {
      if (this.loading === loading) this.pause();
      throw error;
    }
    if (this.loading !== loading || this.paused) throw aborted();
    this.ended = false;
    this.begin(this.anchor.position);
  }

  pause(): void {
    const { currentTime } = this;
    this.paused = true;
    this.sleepWhenIdle();
    if (!this.isSounding) return;
    this.isSounding = false;
    this.anchor = { time: 0, position: currentTime };
    this.close();
    void this.node.schedule({ active: false, output: this.context.currentTime + MARGIN_SECONDS });
  }

  tune(tuning: Tuning | undefined): void {
    const before = this.tuning;
    const position = this.isSounding ? this.positionAt(this.context.currentTime + this.lead) : 0;
    this.tuning = tuning;
    if (!this.isSounding || JSON.stringify(before) === JSON.stringify(tuning)) return;
    const { repeats, seconds, isPercussive } = { ...before };
    const isSameSound =
      repeats === tuning?.repeats && seconds === tuning?.seconds && isPercussive === tuning?.isPercussive;
    if (isSameSound) this.schedule(position);
    else this.begin(position);
  }

  prepare(address: string): void {
    this.previewAt(address).catch(() => undefined);
  }

  abandon(isPassed: (address: string) => boolean): void {
    for (const [address, { request }] of this.prepared) {
      const isCurrent = address === this.src;
      if (!request || !isPassed(address) || (isCurrent && !this.paused)) continue;
      if (isCurrent) this.loading = undefined;
      this.prepared.delete(address);
      request.abort();
    }
  }

  /** Fetches and decodes a preview, or returns one from the last minute. Failures are not cached. */
  private previewAt(address: string): Promise<PreviewAudio> {
    const now = performance.now();
    for (const [url, { at }] of this.prepared) if (now - at > PREPARED_MS) this.prepared.delete(url);
    const known = this.prepared.get(address);
    this.prepared.delete(address);
    const request = new AbortController();
    const entry: Prepared = known ?? {
      at: now,
      preview: this.fetchPreview(address, request.signal),
      request,
    };
    this.prepared.set(address, entry);
    if (this.prepared.size > PREPARED) this.prepared.delete(this.prepared.keys().next().value ?? '');
    entry.preview.then(
      () => (entry.request = null),
      () => {
        if (this.prepared.get(address) === entry) this.prepared.delete(address);
      },
    );
    return entry.preview;
  }

  private async fetchPreview(address: string, signal: AbortSignal): Promise<PreviewAudio> {
    const response = await fetch(address, { credentials: 'same-origin', signal }).catch((cause: unknown) => {
      throw new PreviewFailure(NETWORK, { cause });
    });
    if (!response.ok) throw new PreviewFailure(SRC_NOT_SUPPORTED);
    const bytes = await response.arrayBuffer().catch((cause: unknown) => {
      throw new PreviewFailure(NETWORK, { cause });
    });
    return decodePreview(this.context, bytes).catch((cause: unknown) => {
      throw new PreviewFailure(DECODE, { cause });
    });
  }

  private async resumeContext(): Promise<void> {
    if (this.context.state === 'running') return;
    const late = new Promise<false>((resolve) => setTimeout(() => resolve(false), RESUME_WAIT_MS));
    const isRunning = await Promise.race([this.context.resume().then(() => true), late]);
    if (!isRunning) throw new DOMException('The browser waits for a press.', 'NotAllowedError');
  }

  private get blocks() {
    return BLOCKS[this.tuning?.isPercussive ? 'percussive' : 'tonal'];
  }

  /** How many seconds ahead a change is scheduled: the node renders half a block ahead. */
  private get lead(): number {
    return this.blocks.blockMs / 2_000 + MARGIN_SECONDS;
  }

  /**
   * Gives the node the sound, without the silence that the encoder
   * added. A loop is surrounded by repetitions, which hide its seam.
   */
  private arrange(): void {
    if (!this.preview) return;
    const { buffer } = this.preview;
    const rateHz = buffer.sampleRate;
    const wanted = this.tuning?.seconds ?? buffer.duration;
    const from = beginOf(this.preview, wanted);
    const repeats = this.tuning?.repeats === true;
    const seconds = repeats ? wanted : Math.min(wanted, (buffer.length - from) / rateHz);
    const around = repeats ? Math.round(0.25 * rateHz) : 0;
    const frames = { from, length: Math.max(1, Math.round(seconds * rateHz)) };
    const channels = Array.from({ length: Math.min(2, buffer.numberOfChannels) }, (_, channel) =>
      cut(buffer.getChannelData(channel), frames, around),
    );
    const { blockMs, intervalMs } = this.blocks;
    void this.node.configure({ blockMs, intervalMs });
    void this.node.dropBuffers();
    void this.node.addBuffers(
      channels,
      channels.map(({ buffer }) => buffer),
    );
    this.arranged = { seconds, start: around / rateHz };
  }

  private begin(position: number): void {
    this.arrange();
    this.isSounding = true;
    this.close();
    const { time } = this.schedule(position, this.context.currentTime);
    this.gate.setValueAtTime(0, time);
    this.gate.linearRampToValueAtTime(this.level, time + FADE_SECONDS);
  }

  /** Fades out. */
  private close(): void {
    this.gate.cancelScheduledValues(0);
    this.gate.setTargetAtTime(0, this.context.currentTime, FADE_SECONDS);
  }

  /**
   * Makes the node play from a position in seconds as soon as possible. Returns the time at which the position plays.
   * @param from the time from which the node already renders what precedes the position, so that an attack at the
   * position is complete
   */
  private schedule(position: number, from?: number): { time: number } {
    const { rate = 1, semitones = 0, repeats = false } = { ...this.tuning };
    const { seconds, start } = this.arranged;
    const time = this.context.currentTime + this.lead;
    this.anchor = { time, position: repeats ? position % seconds : Math.min(position, seconds) };
    const output = from ?? time;
    void this.node.schedule({
      active: true,
      output,
      input: start + this.anchor.position + (output - time) * rate,
      rate,
      semitones,
      tonalityHz: this.blocks.tonalityHz,
      loopStart: start,
      loopEnd: repeats ? start + seconds : start,
    });
    return this.anchor;
  }

  private positionAt(time: number): number {
    const { rate = 1, repeats = false } = { ...this.tuning };
    const { seconds } = this.arranged;
    const position = this.anchor.position + Math.max(0, time - this.anchor.time) * rate;
    return repeats ? position % seconds : Math.min(position, seconds);
  }

  private follow(): void {
    if (!this.isSounding) return;
    if (this.tuning?.repeats !== true && this.currentTime >= this.arranged.seconds) {
      this.pause();
      this.ended = true;
      this.dispatchEvent(new Event('ended'));
    } else this.dispatchEvent(new Event('timeupdate'));
  }

  private sleepWhenIdle(): void {
    clearTimeout(this.idle);
    this.idle = setTimeout(() => void this.context.suspend(), IDLE_MS);
  }
}
