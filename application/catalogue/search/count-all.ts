import { passesFilter, type TrackFilter } from '../../../domain/catalogue/filter.js';
import { count, countCommon, intersect, visitEach, type Bitmap } from './bitmap.js';
import { FACETS, chosen, countIn, lifted, noFacets, type Counts, type Facet } from './facets.js';
import { filterBits } from './filter-bits.js';
import type { LiveCatalogue } from './live-catalogue.js';
import { inScope, type CatalogueRow, type Scope } from './rows.js';
import { NO_LABEL, type Segment } from './segment.js';

/** Above this share of all samples, counting label by label is quicker than sample by sample. */
const MANY_SHARE = 0.2;

/** How many samples pass, and the count of each option with its own kind of choice lifted. */
export function countAll(live: LiveCatalogue, filter: TrackFilter, scope: Scope): Counts {
  const { segment, alive } = live;
  const passing = (each: TrackFilter) => {
    const filtered = filterBits(segment, each, scope);
    const bits = filtered ? intersect(filtered, alive) : alive;
    const rows = live.rows.filter((row) => passesFilter(row, each) && inScope(row, scope));
    return { bits, rows, numbers: count(bits) };
  };
  const all = passing(filter);
  const facets = noFacets();
  for (const facet of FACETS)
    countFacet(segment, facet, chosen(filter, facet) ? passing(lifted(filter, facet)) : all, facets[facet]);
  return { total: all.numbers + all.rows.length, facets };
}

interface Passing {
  bits: Bitmap;
  numbers: number;
  rows: CatalogueRow[];
}

function countFacet(
  segment: Segment,
  facet: Facet,
  { bits, numbers, rows }: Passing,
  counts: Record<string, number>,
): void {
  const labels = segment.labels[facet];
  const found =
    facet === 'instrument' || numbers > segment.size * MANY_SHARE
      ? Array.from(labels.values(), (labelled) => countCommon(bits, labelled))
      : countCodes(bits, segment.codes[facet], labels.size);
  let at = 0;
  for (const label of labels.keys()) {
    const common = found[at++] as number;
    if (common > 0) counts[label] = common;
  }
  for (const row of rows) countIn(counts, facet, row);
}

function countCodes(bits: Bitmap, codes: Uint16Array, size: number): Uint32Array {
  const counts = new Uint32Array(size);
  visitEach(bits, (number) => {
    const code = codes[number] as number;
    if (code !== NO_LABEL) counts[code] = (counts[code] as number) + 1;
  });
  return counts;
}
