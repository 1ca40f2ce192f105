import type { Flaw } from '../../../domain/publishing/audio.js';

/** A sample this near full scale counts as clipped if its neighbours do as well. */
const FULL_SCALE = 0.999;
const SHORTEST_RUN = 3;
/** Mastered sounds touch full scale now and then, so only a larger share of clipped samples is a flaw. */
const CLIPPED_SHARE = 5e-4;
const CLIPPED_SAMPLES = 20;
/** 1 % of full scale, −40 dB. */
const LARGEST_OFFSET = 0.01;

/** Finds clipping and a constant offset, which editors of sounds add by mistake. */
export class FlawMeter {
  private readonly sums: Float64Array;
  private readonly runs: Uint32Array;
  private clipped = 0;
  private frames = 0;

  constructor(channels: number) {
    this.sums = new Float64Array(channels);
    this.runs = new Uint32Array(channels);
  }

  add(block: readonly Float32Array[]): void {
    this.frames += block[0]?.length ?? 0;
    for (const [channel, samples] of block.entries()) {
      let [sum, run] = [this.sums[channel] as number, this.runs[channel] as number];
      for (const value of samples) {
        sum += value;
        run = Math.abs(value) >= FULL_SCALE ? run + 1 : 0;
        if (run >= SHORTEST_RUN) this.clipped += run === SHORTEST_RUN ? SHORTEST_RUN : 1;
      }
      this.sums[channel] = sum;
      this.runs[channel] = run;
    }
  }

  finish(): Flaw[] {
    const isClipped =
      this.clipped >= CLIPPED_SAMPLES && this.clipped / (this.frames * this.sums.length) >= CLIPPED_SHARE;
    const hasOffset = this.sums.some((sum) => Math.abs(sum / this.frames) > LARGEST_OFFSET);
    return [...(isClipped ? ['clipping' as const] : []), ...(hasOffset ? ['offset' as const] : [])];
  }
}
