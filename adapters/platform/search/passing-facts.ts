import { lengthIsFiltered, type SoundRange, type TrackFilter } from '../../../domain/catalogue/filter.js';
import { type Project, changeOf, fitOf, fitsAsItIs, type Fit } from '../../../domain/catalogue/fit.js';
import { SOUND_FACTS } from '../../../domain/catalogue/sound/facts.js';
import { add, bitmapFor, fullBitmap, intersect, subtract, unite, type Bitmap } from './bitmap.js';
import { chosen, chosenLabels, FACTS, type Labels, TEMPOS } from './labels.js';
import { samplesOf } from './postings.js';
import type { Owned, Scope } from './rows.js';
import type { Segment } from './segment.js';

/** Samples by number: those of a segment, or those of the packs that changed since it was built. */
export type FactSource = Labels &
  Timed &
  Pick<Segment, 'packs'> & { ids: { at: (number: number) => string } };

/** Returns the samples that pass the filters by facts, length, project and ownership; undefined without these. */
export function passingFacts(samples: FactSource, filter: TrackFilter, scope: Scope): Bitmap | undefined {
  const size = samples.tempo.length;
  const sets = FACTS.filter((fact) => chosen(filter, fact)).map((fact) =>
    chosenLabels(filter, fact)
      .flatMap((label) => samples.labels[fact].get(label) ?? [])
      .reduce(unite, bitmapFor(size)),
  );
  if (lengthIsFiltered(filter)) sets.push(samplesLasting(samples, filter));
  for (const range of filter.sounds ?? []) sets.push(SOUNDING.of(samples, range));
  if (filter.fits) sets.push(FITTING.of(samples, filter.fits));
  if (scope.owned) sets.push(OWNED.of(samples, scope.owned));
  return sets.length === 0 ? undefined : sets.reduce(intersect);
}

function samplesLasting({ durationMs }: Labels, { minMs = 0, maxMs = Infinity }: TrackFilter): Bitmap {
  const bits = bitmapFor(durationMs.length);
  for (let number = 0; number < durationMs.length; number++) {
    const ms = durationMs[number] as number;
    if (ms >= minMs && ms <= maxMs) add(bits, number);
  }
  return bits;
}

/** Caches sets of samples, because one request needs them several times: for the list and for each count. */
class Sets<Asked extends object> {
  private readonly known = new WeakMap<Asked, WeakMap<FactSource, Bitmap>>();

  constructor(private readonly make: (samples: FactSource, asked: Asked) => Bitmap) {}

  /** Returns a copy, which the caller may change. */
  of(samples: FactSource, asked: Asked): Bitmap {
    const known = this.known.get(asked) ?? new WeakMap<FactSource, Bitmap>();
    this.known.set(asked, known);
    const bits = known.get(samples) ?? this.make(samples, asked);
    known.set(samples, bits);
    return bits.slice();
  }
}

const FITTING = new Sets<Project>((samples, project) => new ProjectChanges(samples, project).fitting());

const OWNED = new Sets<Owned>((samples, { idsByPack, isWanted }) => {
  const bits = bitmapFor(samples.tempo.length);
  for (const [packId, ids] of idsByPack)
    for (const number of samplesOf(samples.packs, packId))
      if (ids.has(samples.ids.at(number))) add(bits, number);
  return isWanted ? bits : subtract(fullBitmap(samples.tempo.length), bits);
});

const SOUNDING = new Sets<SoundRange>(({ tempo, soundFacts }, { fact, min, max }) => {
  const start = SOUND_FACTS.indexOf(fact) * tempo.length;
  const bits = bitmapFor(tempo.length);
  for (let number = 0; number < tempo.length; number++) {
    const value = soundFacts[start + number] as number;
    if (value >= min && value <= max) add(bits, number);
  }
  return bits;
});

/** @property bpms exact tempos, which `tempo` has only up to `TEMPO_RANGE_BPM` */
type Timed = Pick<Labels, 'labels' | 'codes' | 'tempo'> & { bpms: { at: (number: number) => number } };

/** How a project changes a key or a tempo alone. */
interface Part {
  fits: boolean;
  change: number;
}
const partOf = (fit: Fit): Part => ({ fits: fitsAsItIs(fit), change: changeOf(fit) });

/**
 * How much samples must be changed to fit the key and tempo of a project. The change of a sample is the change of its
 * key plus the change of its tempo. Both
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

  /** Returns how much the project changes the sample, as `changeOf` measures it. */
  of(number: number): number {
    return this.ofKey(number).change + this.ofTempo(number).change;
  }

  /** Returns the samples that the project plays without a shift and within the limit of stretching. */
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
