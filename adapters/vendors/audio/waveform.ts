const BARS = 50;
const FINE = 400;
const SLOTS_PER_SECOND = 1_000;

/** Collects peak and energy of each millisecond from the start. `finish` computes the bars of the waveform. */
export class WaveformMeter {
  private readonly peaks: Float32Array;
  private readonly energies: Float64Array;
  private frames = 0;

  /** @param seconds how much of the sound to draw */
  constructor(
    private readonly sampleRateHz: number,
    seconds = 60,
  ) {
    this.peaks = new Float32Array(Math.ceil(seconds * SLOTS_PER_SECOND));
    this.energies = new Float64Array(this.peaks.length);
  }

  add(mono: Float32Array): void {
    const perFrame = SLOTS_PER_SECOND / this.sampleRateHz;
    for (let index = 0; index < mono.length; index++) {
      const slot = Math.floor((this.frames + index) * perFrame);
      if (slot >= this.peaks.length) break;
      const value = Math.abs(mono[index] as number);
      if (value > (this.peaks[slot] as number)) this.peaks[slot] = value;
      this.energies[slot] = (this.energies[slot] as number) + value * value;
    }
    this.frames += mono.length;
  }

  /** Returns two waveforms, of 50 and of 400 bars from 0 to 100, relative to the loudest bar; all zero for silence. */
  finish(): { waveform: number[]; waveformFine: number[] } {
    const used = Math.min(this.peaks.length, Math.ceil((this.frames / this.sampleRateHz) * SLOTS_PER_SECOND));
    return { waveform: this.draw(BARS, used), waveformFine: this.draw(FINE, used) };
  }

  /** A bar mixes peak and loudness equally: peaks alone make all beats look the same, loudness alone hides beats. */
  private draw(count: number, used: number): number[] {
    const peaks: number[] = [];
    const levels: number[] = [];
    for (let bar = 0; bar < count; bar++) {
      const from = Math.floor((bar * used) / count);
      const to = Math.max(from + 1, Math.floor(((bar + 1) * used) / count));
      let peak = 0;
      let energy = 0;
      for (let slot = from; slot < to; slot++) {
        peak = Math.max(peak, this.peaks[slot] ?? 0);
        energy += this.energies[slot] ?? 0;
      }
      peaks.push(peak);
      levels.push(Math.sqrt(energy / (to - from)));
    }
    const loudestPeak = Math.max(...peaks);
    const loudestLevel = Math.max(...levels);
    if (loudestPeak < 1e-5) return peaks.map(() => 0);
    return peaks.map((peak, bar) =>
      Math.round(50 * (peak / loudestPeak) + 50 * ((levels[bar] as number) / loudestLevel)),
    );
  }
}
