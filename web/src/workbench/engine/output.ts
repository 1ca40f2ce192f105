import { FADE_FRAMES } from './rendering.js';
import { passesBetween, piecesOf, RATE_HZ, type Pattern, type Piece, type Transport } from './timeline.js';

/** Changes are scheduled this far ahead, because they must reach the audio thread before they are due. */
export const LEAD_FRAMES = 0.05 * RATE_HZ;
const FADE_SECONDS = FADE_FRAMES / RATE_HZ;
/** The time constant of changes of gain and pan: after three times this, a change is 95% complete. */
const SMOOTH_SECONDS = 0.008;
/** A browser may leave `resume()` pending until the listener presses something, so the wait is limited. */
const RESUME_WAIT_MS = 1_000;
/**
 * The compressor of Web Audio always adds gain. `MAKEUP_DB` is subtracted again, so that sound below the threshold
 * stays unchanged.
 */
const LIMITER = { threshold: -4, knee: 0, ratio: 20, attack: 0.001, release: 0.1 };
const MAKEUP_DB = 0.6 * -LIMITER.threshold * (1 - 1 / LIMITER.ratio);
/** Above this amplitude, peaks that pass the limiter are rounded, so that no sum of lanes clips. */
const ROUNDED_ABOVE = 0.8;
const CURVE_RANGE = 8;

const amplitudeOf = (db: number): number => 10 ** (db / 20);

/** A curve for amplitudes up to `CURVE_RANGE`, which is straight up to `ROUNDED_ABOVE` and then approaches 1. */
const roundedPeaks = (): Float32Array<ArrayBuffer> =>
  Float32Array.from({ length: 2 ** 14 + 1 }, (_, at, half = 2 ** 13) => {
    const amplitude = (CURVE_RANGE * (at - half)) / half;
    const over = Math.abs(amplitude) - ROUNDED_ABOVE;
    const rest = 1 - ROUNDED_ABOVE;
    return over <= 0 ? amplitude : Math.sign(amplitude) * (ROUNDED_ABOVE + rest * Math.tanh(over / rest));
  });

/** The common output of all lanes, with limiter, meter and volume. */
export class Output {
  readonly context = new AudioContext({ sampleRate: RATE_HZ, latencyHint: 'interactive' });
  readonly input = this.context.createDynamicsCompressor();
  private readonly meter = this.context.createAnalyser();
  private readonly volume = this.context.createGain();
  private readonly frames = new Float32Array(this.meter.fftSize);

  constructor() {
    for (const [name, value] of Object.entries(LIMITER))
      this.input[name as keyof typeof LIMITER].value = value;
    const makeup = this.context.createGain();
    makeup.gain.value = amplitudeOf(-MAKEUP_DB) / CURVE_RANGE;
    const shaper = this.context.createWaveShaper();
    shaper.curve = roundedPeaks();
    this.input.connect(makeup).connect(shaper).connect(this.meter);
    shaper.connect(this.volume).connect(this.context.destination);
  }

  /** The current time of the context's clock, in frames. */
  get frame(): number {
    return Math.round(this.context.currentTime * RATE_HZ);
  }

  setVolume(volume: number): void {
    this.volume.gain.setTargetAtTime(volume, this.context.currentTime, SMOOTH_SECONDS);
  }

  get peakDb(): number {
    this.meter.getFloatTimeDomainData(this.frames);
    return 20 * Math.log10(this.frames.reduce((peak, value) => Math.max(peak, Math.abs(value)), 0));
  }

  /**
   * Starts the context, and returns whether it runs. Must be called while a press is handled, because iOS refuses later
   * calls.
   */
  async resume(): Promise<boolean> {
    const late = new Promise<false>((resolve) => setTimeout(() => resolve(false), RESUME_WAIT_MS));
    const resumed = this.context.resume().then(
      () => true,
      () => false,
    );
    return Promise.race([resumed, late]);
  }
}

/** The gain and pan of a lane. */
export class Strip {
  readonly input: GainNode;
  private readonly pan: StereoPannerNode;

  constructor(private readonly output: Output) {
    // Converts every sound to stereo, because the panner plays mono sounds more quietly than stereo sounds.
    this.input = new GainNode(output.context, { gain: 0, channelCount: 2, channelCountMode: 'explicit' });
    this.pan = output.context.createStereoPanner();
    this.input.connect(this.pan).connect(output.input);
  }

  set({ gainDb, pan, isSilent }: { gainDb: number; pan: number; isSilent: boolean }): void {
    const { currentTime } = this.output.context;
    this.input.gain.setTargetAtTime(isSilent ? 0 : amplitudeOf(gainDb), currentTime, SMOOTH_SECONDS);
    this.pan.pan.setTargetAtTime(pan, currentTime, SMOOTH_SECONDS);
  }

  /** Disconnects the lane after its last sound has faded out. */
  close(): void {
    setTimeout(() => this.pan.disconnect(), (2_000 * LEAD_FRAMES) / RATE_HZ);
  }
}

/** A sound and when it plays. Two parts with the same key sound the same. */
export interface Part {
  key: string;
  buffer: AudioBuffer;
  pattern: Pattern;
}

/** Plays a part from a frame of the clock on, until it is stopped. */
export class Voice {
  private readonly gain: GainNode;
  private readonly sources = new Set<AudioBufferSourceNode>();
  private isFresh = true;
  private isStopped = false;

  constructor(
    private readonly output: Output,
    to: AudioNode,
    readonly part: Part,
    private scheduledTo: number,
  ) {
    this.gain = output.context.createGain();
    this.gain.connect(to);
  }

  /** Schedules all sound that plays before the frame `until` of the clock. */
  schedule(transport: Transport, until: number): void {
    const { frame } = this.output;
    if (this.scheduledTo < frame) {
      // The page was blocked for longer than sound was scheduled. The missed sound is skipped.
      this.scheduledTo = frame + LEAD_FRAMES;
      this.isFresh = true;
    }
    for (const pass of passesBetween(transport, this.scheduledTo, until)) {
      for (const piece of piecesOf(this.part.pattern, pass, this.isFresh || pass.isStart))
        this.start(piece, pass.frame + piece.at - pass.from);
      this.isFresh = false;
    }
    this.scheduledTo = Math.max(this.scheduledTo, until);
  }

  /** Fades out from a frame of the clock. Another voice that starts at the same frame follows without a gap. */
  stop(frame: number): void {
    this.isStopped = true;
    this.gain.gain.setValueAtTime(1, frame / RATE_HZ);
    this.gain.gain.linearRampToValueAtTime(0, frame / RATE_HZ + FADE_SECONDS);
    for (const source of this.sources) source.stop((frame + FADE_FRAMES) / RATE_HZ);
    if (this.sources.size === 0) this.gain.disconnect();
  }

  private start({ skip, length }: Piece, frame: number): void {
    const { context } = this.output;
    const { buffer } = this.part;
    const source = new AudioBufferSourceNode(context, { buffer });
    const [begin, end] = [frame / RATE_HZ, (frame + length) / RATE_HZ];
    const isCut = skip + length < buffer.length;
    if (skip > 0 || isCut) {
      const fade = context.createGain();
      if (skip > 0) {
        fade.gain.setValueAtTime(0, begin);
        fade.gain.linearRampToValueAtTime(1, begin + FADE_SECONDS);
      }
      if (isCut) {
        fade.gain.setValueAtTime(1, Math.max(begin + FADE_SECONDS, end));
        fade.gain.linearRampToValueAtTime(0, end + FADE_SECONDS);
      }
      source.connect(fade).connect(this.gain);
    } else source.connect(this.gain);
    source.start(begin, skip / RATE_HZ);
    // A piece that is cut plays on while it fades out, so that a loop repeats without a gap.
    if (isCut) source.stop(end + FADE_SECONDS);
    this.sources.add(source);
    source.onended = () => {
      source.disconnect();
      this.sources.delete(source);
      if (this.sources.size === 0 && this.isStopped) this.gain.disconnect();
    };
  }
}
