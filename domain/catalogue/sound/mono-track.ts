/** Analysis at this rate takes half the time of 44.1 kHz, and is sufficient to detect rhythm and harmony. */
export const ANALYSIS_RATE_HZ = 22_050;
const LIMIT_SECONDS = 60;

/** The first minute of a file, mixed to mono at one sample rate, for tempo, key, fingerprint and descriptors. */
export class MonoTrack {
  private readonly samples = new Float32Array(ANALYSIS_RATE_HZ * LIMIT_SECONDS);
  private readonly step: number;
  private readonly coefficient: { b0: number; a1: number; a2: number };
  private length = 0;
  /** The position of the next output sample, counted in input samples from the start of the next block. */
  private cursor = 0;
  private previous = 0;
  private readonly state = new Float64Array(4);

  constructor(sampleRateHz: number) {
    this.step = sampleRateHz / ANALYSIS_RATE_HZ;
    this.coefficient = lowPass(sampleRateHz, Math.min(0.42 * ANALYSIS_RATE_HZ, 0.45 * sampleRateHz));
  }

  /** Filters out frequencies that would alias, then resamples by linear interpolation. */
  add(mono: Float32Array): void {
    if (this.length === this.samples.length) return;
    const { b0, a1, a2 } = this.coefficient;
    let [p1 = 0, p2 = 0, q1 = 0, q2 = 0] = this.state;
    for (let index = 0; index < mono.length; index++) {
      const x = b0 * (mono[index] as number);
      const y = x + p1;
      p1 = 2 * x - a1 * y + p2;
      p2 = x - a2 * y;
      const v = b0 * y;
      const z = v + q1;
      q1 = 2 * v - a1 * z + q2;
      q2 = v - a2 * z;
      while (this.cursor <= index && this.length < this.samples.length) {
        const share = this.cursor - index + 1;
        this.samples[this.length++] = this.previous + (z - this.previous) * share;
        this.cursor += this.step;
      }
      this.previous = z;
    }
    this.cursor -= mono.length;
    this.state.set([p1, p2, q1, q2]);
  }

  finish(): Float32Array {
    return this.samples.subarray(0, this.length);
  }
}

export function mixToMono(block: readonly Float32Array[]): Float32Array {
  const [first] = block;
  if (block.length === 1) return first as Float32Array;
  const mono = new Float32Array(first?.length ?? 0);
  for (const samples of block)
    for (let index = 0; index < mono.length; index++)
      mono[index] = (mono[index] as number) + (samples[index] as number) / block.length;
  return mono;
}

/** A second-order Butterworth filter, applied twice. Its numerator is b0 × (1, 2, 1). */
function lowPass(sampleRateHz: number, cutoffHz: number): { b0: number; a1: number; a2: number } {
  const k = Math.tan((Math.PI * cutoffHz) / sampleRateHz);
  const a0 = 1 + Math.SQRT2 * k + k * k;
  return { b0: (k * k) / a0, a1: (2 * (k * k - 1)) / a0, a2: (1 - Math.SQRT2 * k + k * k) / a0 };
}
