import { lengthIsFiltered, type SoundRange, type TrackFilter } from '../../../domain/catalogue/filter.js';
import type { Project } from '../../../domain/catalogue/fit.js';
import { SOUND_FACTS } from '../../../domain/catalogue/sound/facts.js';
import { add, bitmapFor, fullBitmap, intersect, subtract, unite, type Bitmap } from './bitmap.js';
import { chosen, chosenLabels, FACTS, type Labels } from './labels.js';
import { samplesOf } from './postings.js';
import { ProjectChanges, type Timed } from './project-changes.js';
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
