import { RATE, type Stereo } from './stereo.js';

/** A state-variable filter (topology-preserving) with low and band outputs. Its cutoff can be swept safely. */
export class StateVariable {
  private a1 = 0;
  private a2 = 0;
  private a3 = 0;
  private k = 1;
  private s1 = 0;
  private s2 = 0;
  band = 0;

  constructor(cutoffHz = 1_000, q = 0.707) {
    this.set(cutoffHz, q);
  }

  set(cutoffHz: number, q: number): void {
    const g = Math.tan((Math.PI * Math.min(cutoffHz, RATE * 0.45)) / RATE);
    this.k = 1 / q;
    this.a1 = 1 / (1 + g * (g + this.k));
    this.a2 = g * this.a1;
    this.a3 = g * this.a2;
  }

  /** Filters one audio sample. Returns the low-pass output, and sets `band` to the band-pass output. */
  low(input: number): number {
    const v3 = input - this.s2;
    const v1 = this.a1 * this.s1 + this.a2 * v3;
    const v2 = this.s2 + this.a2 * this.s1 + this.a3 * v3;
    this.s1 = 2 * v1 - this.s1;
    this.s2 = 2 * v2 - this.s2;
    this.band = v1 * this.k;
    return v2;
  }
}

type Response = 'low' | 'band' | 'high';

/** Filters in place, with the arithmetic of StateVariable in local variables, for speed. */
export function filterMono(sound: Float32Array, kind: Response, cutoffHz: number, q = 0.707): Float32Array {
  const g = Math.tan((Math.PI * Math.min(cutoffHz, RATE * 0.45)) / RATE);
  const k = 1 / q;
  const a1 = 1 / (1 + g * (g + k));
  const a2 = g * a1;
  const a3 = g * a2;
  // The output is a mix of input, band and low.
  const [ofInput, ofBand, ofLow] = kind === 'low' ? [0, 0, 1] : kind === 'band' ? [0, k, 0] : [1, -k, -1];
  let s1 = 0;
  let s2 = 0;
  for (let i = 0; i < sound.length; i++) {
    const input = sound[i] as number;
    const v3 = input - s2;
    const v1 = a1 * s1 + a2 * v3;
    const v2 = s2 + a2 * s1 + a3 * v3;
    s1 = 2 * v1 - s1;
    s2 = 2 * v2 - s2;
    sound[i] = ofInput * input + ofBand * v1 + ofLow * v2;
  }
  return sound;
}

export function filterStereo(sound: Stereo, kind: Response, cutoffHz: number): void {
  filterMono(sound.left, kind, cutoffHz);
  filterMono(sound.right, kind, cutoffHz);
}

/** Returns the loudness in LUFS: K-weighting of ITU-R BS.1770 at 44.1 kHz, then the mean square of both channels. */
export function loudnessLufs(sound: Stereo): number {
  let total = 0;
  for (const channel of [sound.left, sound.right]) {
    let [x1, x2, y1, y2, u1, u2, v1, v2] = [0, 0, 0, 0, 0, 0, 0, 0];
    for (let i = 0; i < channel.length; i++) {
      const x = channel[i] as number;
      const y = 1.5308412 * x - 2.6509799 * x1 + 1.169079 * x2 + 1.6636551 * y1 - 0.7125954 * y2;
      [x2, x1, y2, y1] = [x1, x, y1, y];
      const v = y - 2 * u1 + u2 + 1.9891696 * v1 - 0.989199 * v2;
      [u2, u1, v2, v1] = [u1, y, v1, v];
      total += v * v;
    }
  }
  return -0.691 + 10 * Math.log10(total / sound.left.length + 1e-12);
}
