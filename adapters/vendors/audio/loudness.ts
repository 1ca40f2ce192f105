const STEP_SECONDS = 0.1;
const STEPS_PER_BLOCK = 4;
const ABSOLUTE_GATE_LUFS = -70;
const RELATIVE_GATE_LU = -10;

interface Biquad {
  b0: number;
  b1: number;
  b2: number;
  a1: number;
  a2: number;
}

/** Measures integrated loudness by ITU-R BS.1770-4: K-weighting, 400 ms blocks every 100 ms, two gates. */
export class LoudnessMeter {
  private readonly stages: [Biquad, Biquad];
  private readonly weights: number[];
  private readonly memory: Float64Array[];
  private readonly stepFrames: number;
  private readonly steps: number[] = [];
  private stepEnergy = 0;
  private framesInStep = 0;

  constructor(sampleRateHz: number, channels: number) {
    this.stages = [highShelf(sampleRateHz), highPass(sampleRateHz)];
    this.weights = Array.from({ length: channels }, (_, channel) => channelWeight(channel, channels));
    this.memory = this.weights.map(() => new Float64Array(4));
    this.stepFrames = Math.round(sampleRateHz * STEP_SECONDS);
  }

  add(block: readonly Float32Array[]): void {
    const frames = block[0]?.length ?? 0;
    for (let at = 0; at < frames;) {
      const to = Math.min(frames, at + this.stepFrames - this.framesInStep);
      for (const [channel, samples] of block.entries())
        this.stepEnergy += (this.weights[channel] as number) * this.filter(channel, samples, at, to);
      this.framesInStep += to - at;
      at = to;
      if (this.framesInStep < this.stepFrames) continue;
      this.steps.push(this.stepEnergy / this.stepFrames);
      this.stepEnergy = 0;
      this.framesInStep = 0;
    }
  }

  /** Returns LUFS with one decimal; null for silence. A sound shorter than a block is measured as one block. */
  finish(): number | null {
    const blocks: number[] = [];
    for (let from = 0; from + STEPS_PER_BLOCK <= this.steps.length; from++)
      blocks.push(mean(this.steps.slice(from, from + STEPS_PER_BLOCK)));
    if (blocks.length === 0) {
      const frames = this.steps.length * this.stepFrames + this.framesInStep;
      const energy = this.steps.reduce((sum, step) => sum + step * this.stepFrames, this.stepEnergy);
      if (frames > 0) blocks.push(energy / frames);
    }
    const audible = blocks.filter((energy) => toLufs(energy) > ABSOLUTE_GATE_LUFS);
    if (audible.length === 0) return null;
    const gate = toLufs(mean(audible)) + RELATIVE_GATE_LU;
    return Math.round(toLufs(mean(audible.filter((energy) => toLufs(energy) > gate))) * 10) / 10;
  }

  /** Returns the sum of squares of the K-weighted samples. Both filters keep their state from one call to the next. */
  private filter(channel: number, samples: Float32Array, from: number, to: number): number {
    const [shelving, passing] = this.stages;
    const memory = this.memory[channel] as Float64Array;
    let [s1 = 0, s2 = 0, p1 = 0, p2 = 0] = memory;
    let sum = 0;
    for (let index = from; index < to; index++) {
      const x = samples[index] as number;
      const y = shelving.b0 * x + s1;
      s1 = shelving.b1 * x - shelving.a1 * y + s2;
      s2 = shelving.b2 * x - shelving.a2 * y;
      const z = passing.b0 * y + p1;
      p1 = passing.b1 * y - passing.a1 * z + p2;
      p2 = passing.b2 * y - passing.a2 * z;
      sum += z * z;
    }
    memory.set([s1, s2, p1, p2]);
    return sum;
  }
}

/** The weights of BS.1770-4: front 1, surround 1.41 (+1.5 dB), the low-frequency channel of 5.1 zero. */
function channelWeight(channel: number, channels: number): number {
  if (channels >= 6) return channel === 3 ? 0 : channel < 3 ? 1 : 1.41;
  if (channels === 5) return channel < 3 ? 1 : 1.41;
  return channels === 4 && channel >= 2 ? 1.41 : 1;
}

/** Models a listener's head: +4 dB above about 1.7 kHz. At 48 kHz the coefficients are those of BS.1770-4. */
function highShelf(sampleRateHz: number): Biquad {
  const k = Math.tan((Math.PI * 1_681.974450955533) / sampleRateHz);
  const q = 0.7071752369554196;
  const high = 10 ** (3.999843853973347 / 20);
  const band = high ** 0.4996667741545416;
  const a0 = 1 + k / q + k * k;
  return {
    b0: (high + (band * k) / q + k * k) / a0,
    b1: (2 * (k * k - high)) / a0,
    b2: (high - (band * k) / q + k * k) / a0,
    a1: (2 * (k * k - 1)) / a0,
    a2: (1 - k / q + k * k) / a0,
  };
}

function highPass(sampleRateHz: number): Biquad {
  const k = Math.tan((Math.PI * 38.13547087602444) / sampleRateHz);
  const q = 0.5003270373238773;
  const a0 = 1 + k / q + k * k;
  return { b0: 1, b1: -2, b2: 1, a1: (2 * (k * k - 1)) / a0, a2: (1 - k / q + k * k) / a0 };
}

function toLufs(energy: number): number {
  return -0.691 + 10 * Math.log10(energy);
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
