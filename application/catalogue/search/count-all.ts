import { passesFilter, type TrackFilter } from '../../../domain/catalogue/filter.js';
import { count, countCommon, intersect, visitEach, type Bitmap } from './bitmap.js';
import { FACETS, chosen, countIn, lifted, noFacets, type Counts, type Facet } from './facets.js';
import { filterBits } from './filter-bits.js';
import type { LiveCatalogue } from './live-catalogue.js';
import { inScope, type CatalogueRow, type Scope } from './rows.js';
import type { Segment } from './segment.js';

/** Above this share of all samples, counting label by label is quicker than sample by sample. */
const MANY_SHARE = 0.6;

interface Passing {
  bits: Bitmap;
  numbers: number;
  rows: CatalogueRow[];
}

/** How many samples pass, and the count of each option if its own kind of filter were lifted. */
export function countAll(live: LiveCatalogue, filter: TrackFilter, scope: Scope): Counts {
  const { segment, alive } = live;
  const passing = (each: TrackFilter): Passing => {
    const filtered = filterBits(segment, each, scope);
    const bits = filtered ? intersect(filtered, alive) : alive;
    const rows = live.rows.filter((row) => passesFilter(row, each) && inScope(row, scope));
    return { bits, rows, numbers: count(bits) };
  };
  const all = passing(filter);
  const facets = noFacets();
  const apart = FACETS.filter((facet) => chosen(filter, facet));
  const together = FACETS.filter((facet) => !apart.includes(facet));
  const groups = [
    { kinds: together, samples: all },
    ...apart.map((facet) => ({ kinds: [facet], samples: passing(lifted(filter, facet)) })),
  ];
  for (const { kinds, samples } of groups) {
    const found = countKinds(segment, kinds, samples);
    for (const [at, facet] of kinds.entries()) {
      let place = 0;
      for (const label of segment.labels[facet].keys()) {
        const number = found[at]?.[place++] ?? 0;
        if (number > 0) facets[facet][label] = number;
      }
      for (const row of samples.rows) countIn(facets[facet], facet, row);
    }
  }
  return { total: all.numbers + all.rows.length, facets };
}

/** The count of every label of each kind, in the order of the segment's labels. */
function countKinds(segment: Segment, kinds: readonly Facet[], { bits, numbers }: Passing): Uint32Array[] {
  const found = kinds.map((facet) => new Uint32Array(segment.labels[facet].size));
  const rest: number[] = [];
  const coded: { codes: Uint16Array; counts: Uint32Array }[] = [];
  let masked: Uint32Array | undefined;
  const few = numbers <= segment.size * MANY_SHARE;
  for (const [at, facet] of kinds.entries()) {
    const counts = found[at] as Uint32Array;
    if (few && facet !== 'instrument') coded.push({ codes: segment.codes[facet], counts });
    else if (few && segment.instrumentMasks) masked = counts;
    else rest.push(at);
  }
  if (coded.length > 0 || masked) countEach(segment, bits, coded, masked);
  for (const at of rest) {
    const labels = segment.labels[kinds[at] as Facet].values();
    found[at]?.set(Array.from(labels, (labelled) => countCommon(bits, labelled)));
  }
  return found;
}

/** Goes through the samples once for all kinds. */
function countEach(
  { instrumentMasks }: Segment,
  bits: Bitmap,
  coded: readonly { codes: Uint16Array; counts: Uint32Array }[],
  masked: Uint32Array | undefined,
): void {
  visitEach(bits, (number) => {
    for (let kind = 0; kind < coded.length; kind++) {
      const { codes, counts } = coded[kind] as (typeof coded)[number];
      const code = codes[number] as number;
      if (code > 0) counts[code - 1] = (counts[code - 1] as number) + 1;
    }
    if (!masked || !instrumentMasks) return;
    for (let mask = instrumentMasks[number] as number; mask !== 0; mask &= mask - 1) {
      const place = 31 - Math.clz32(mask & -mask);
      masked[place] = (masked[place] as number) + 1;
    }
  });
}
