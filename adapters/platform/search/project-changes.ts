import { changeOf, fitOf, fitsAsItIs, type Fit, type Project } from '../../../domain/catalogue/fit.js';
import { add, bitmapFor, type Bitmap } from './bitmap.js';
import { TEMPOS, type Labels } from './labels.js';

/** @property bpms exact tempos, which `tempo` has only up to `TEMPO_RANGE_BPM` */
export type Timed = Pick<Labels, 'labels' | 'codes' | 'tempo'> & { bpms: { at: (number: number) => number } };

/** How a project changes a key or a tempo alone. */
interface Part {
  fits: boolean;
  change: number;
}
const partOf = (fit: Fit): Part => ({ fits: fitsAsItIs(fit), change: changeOf(fit) });

/**
 * How much a project changes samples. The change of a sample is the sum of the changes of its key and its tempo. Both
 * have few values, so each value is computed once.
 */
export class ProjectChanges {
  private readonly ofKeys: readonly Part[];
  private readonly ofTempos: (Part | undefined)[] = [];

  constructor(
    private readonly samples: Timed,
    private readonly project: Project,
  ) {
    const keys = [null, ...samples.labels.key.keys()];
    this.ofKeys = keys.map((key) => partOf(fitOf({ bpm: 0, key }, project)));
  }

  /** Returns the same number as `changeOf`. */
  of(number: number): number {
    return this.ofKey(number).change + this.ofTempo(number).change;
  }

  /** Returns the samples that fit as they are. */
  fitting(): Bitmap {
    const { length } = this.samples.tempo;
    const bits = bitmapFor(length);
    for (let number = 0; number < length; number++)
      if (this.ofKey(number).fits && this.ofTempo(number).fits) add(bits, number);
    return bits;
  }

  private ofKey(number: number): Part {
    return this.ofKeys[this.samples.codes.key[number] as number] as Part;
  }

  private ofTempo(number: number): Part {
    const { tempo, bpms } = this.samples;
    const known = tempo[number] as number;
    const bpm = known < TEMPOS - 1 ? known : bpms.at(number);
    return (this.ofTempos[bpm] ??= partOf(fitOf({ bpm, key: null }, this.project)));
  }
}
