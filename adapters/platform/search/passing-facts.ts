import { lengthIsFiltered, type TrackFilter } from '../../../domain/catalogue/filter.js';
import { add, bitmapFor, fullBitmap, intersect, subtract, unite, type Bitmap } from './bitmap.js';
import { chosen, chosenLabels, FACTS, type Labels } from './labels.js';
import { samplesOf } from './postings.js';
import type { Owned, Scope } from './rows.js';
import type { Segment } from './segment.js';

/** Samples by number: those of a segment, or those of the packs that changed since it was built. */
export type FactSource = Labels & Pick<Segment, 'packs'> & { ids: { at: (number: number) => string } };

/** Returns the samples that pass the filters by facts, length and ownership; undefined without any such filter. */
export function passingFacts(samples: FactSource, filter: TrackFilter, scope: Scope): Bitmap | undefined {
  const size = samples.tempo.length;
  const sets = FACTS.filter((fact) => chosen(filter, fact)).map((fact) =>
    chosenLabels(filter, fact)
      .flatMap((label) => samples.labels[fact].get(label) ?? [])
      .reduce(unite, bitmapFor(size)),
  );
  if (lengthIsFiltered(filter)) sets.push(samplesLasting(samples, filter));
  if (scope.owned) sets.push(samplesOwned(samples, scope.owned));
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

/** Caches owned samples, because one request needs them several times: for the list and for each count. */
const OWNED = new WeakMap<Owned, WeakMap<FactSource, Bitmap>>();

function samplesOwned(samples: FactSource, owned: Owned): Bitmap {
  const known = OWNED.get(owned) ?? new WeakMap<FactSource, Bitmap>();
  OWNED.set(owned, known);
  let bits = known.get(samples);
  if (!bits) {
    bits = bitmapFor(samples.tempo.length);
    for (const [packId, ids] of owned.idsByPack)
      for (const number of samplesOf(samples.packs, packId))
        if (ids.has(samples.ids.at(number))) add(bits, number);
    if (!owned.isWanted) bits = subtract(fullBitmap(samples.tempo.length), bits);
    known.set(samples, bits);
  }
  return bits.slice();
}
