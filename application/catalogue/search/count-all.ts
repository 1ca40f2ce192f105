import { passesFilter, type TrackFilter } from '../../../domain/catalogue/filter.js';
import { enharmonicKeys, type MusicalKey } from '../../../domain/catalogue/vocabulary.js';
import type { Bitmap } from './bitmap.js';
import { FACETS, chosen, countIn, lifted, noFacets, type Counts, type Facet } from './facets.js';
import type { LiveCatalogue } from './live-catalogue.js';
import { inScope, type Scope } from './rows.js';
import { instrumentsOf } from './segment.js';
import { isEither, Sieve } from './sieve.js';
import type { Choice } from './tallies.js';

/** Samples that are counted together: what they have to pass, and of which kinds their labels are counted. */
interface Group {
  filter: TrackFilter;
  kinds: readonly Facet[];
  /** Whether they are the samples that are found. */
  isFound: boolean;
}

/** How many samples pass, and the count of each option if its own kind of filter were lifted. */
export function countAll(live: LiveCatalogue, filter: TrackFilter, scope: Scope): Counts {
  const apart = FACETS.filter((facet) => chosen(filter, facet));
  const together = FACETS.filter((facet) => !apart.includes(facet));
  const groups: Group[] = [
    { filter, kinds: together, isFound: true },
    ...apart.map((facet) => ({ filter: lifted(filter, facet), kinds: [facet], isFound: false })),
  ];
  const counted = new SegmentCounts(live, filter, scope);
  for (const group of groups) counted.add(group);
  const facets = counted.facets();
  let { total } = counted;
  for (const row of live.rows) {
    if (!inScope(row, scope)) continue;
    for (const { filter: each, kinds, isFound } of groups) {
      if (!passesFilter(row, each)) continue;
      if (isFound) total += 1;
      for (const facet of kinds) countIn(facets[facet], facet, row);
    }
  }
  return { total, facets };
}

/** The counts within a segment, by the codes of its labels. */
class SegmentCounts {
  total = 0;
  private readonly counts: Record<Facet, Uint32Array>;
  private sieve: Sieve | undefined;
  private base: Bitmap | undefined;

  constructor(
    private readonly live: LiveCatalogue,
    private readonly filter: TrackFilter,
    private readonly scope: Scope,
  ) {
    const none = (facet: Facet) => new Uint32Array(live.names[facet].length);
    this.counts = {
      key: none('key'),
      mood: none('mood'),
      genre: none('genre'),
      instrument: none('instrument'),
    };
  }

  add(group: Group): void {
    const { filter } = group;
    const choices = FACETS.filter((facet) => chosen(filter, facet)).map((facet) =>
      this.choiceOf(facet, filter),
    );
    if (!this.canTally(choices)) this.visit(group, 1);
    else if (choices.length < 2) this.tally(group, choices[0]);
    else if (choices.length === 2 && isEither(filter)) {
      // Who has a mood or a genre: those with the one and those with the other, without counting twice who has both.
      for (const choice of choices) this.tally(group, choice);
      this.visit({ ...group, filter: { ...filter, mode: 'collection' } }, -1);
    } else this.visit(group, 1);
  }

  /** By the names of labels, without those that nothing has. */
  facets(): Counts['facets'] {
    const facets = noFacets();
    for (const facet of FACETS)
      for (const [code, label] of this.live.names[facet].entries()) {
        const number = this.counts[facet][code] as number;
        if (code > 0 && number > 0) facets[facet][label] = number;
      }
    return facets;
  }

  private canTally(choices: readonly Choice[]): boolean {
    const { creatorId, genre } = this.scope;
    const several = choices.some(({ facet, codes }) => facet === 'instrument' && codes.length !== 1);
    return creatorId === undefined && genre === undefined && !several && this.live.tallies !== undefined;
  }

  private tally({ filter, kinds, isFound }: Group, choice: Choice | undefined): void {
    const { tallies } = this.live;
    if (!tallies) return;
    if (isFound) this.total += tallies.total(filter, choice);
    for (const facet of kinds) tallies.addTo(this.counts[facet], facet, filter, choice);
  }

  /** Goes through the samples. @param sign -1 takes them off */
  private visit({ filter, kinds, isFound }: Group, sign: 1 | -1): void {
    const { live } = this;
    const sieve = (this.sieve ??= new Sieve(live.segment, this.filter, this.scope));
    const base = (this.base ??= sieve.timed(live.alive));
    const { every } = sieve;
    const of = (facet: Facet): Bitmap => (chosen(filter, facet) ? sieve[facet] : every);
    const [mood, genre] = isEither(filter) ? [sieve.moodOrGenre(), every] : [of('mood'), of('genre')];
    const numbers = live.numbersOf(base, of('key'), mood, genre, of('instrument'));
    if (isFound) this.total += sign * numbers.length;
    for (const facet of kinds)
      if (facet === 'instrument') this.countInstruments(numbers, sign);
      else countCodes(this.counts[facet], live.segment.codes[facet], numbers, sign);
  }

  private countInstruments(numbers: Uint32Array, sign: 1 | -1): void {
    const { segment } = this.live;
    const { instrumentMasks } = segment;
    const counts = this.counts.instrument;
    if (!instrumentMasks) {
      for (const number of numbers)
        for (const code of instrumentsOf(segment, number)) counts[code] = (counts[code] as number) + sign;
      return;
    }
    for (let at = 0; at < numbers.length; at++)
      for (let mask = instrumentMasks[numbers[at] as number] as number; mask !== 0; mask &= mask - 1) {
        const code = 32 - Math.clz32(mask & -mask);
        counts[code] = (counts[code] as number) + sign;
      }
  }

  /** Labels that no sample has count for nothing. */
  private choiceOf(facet: Facet, filter: TrackFilter): Choice {
    const labels = {
      key: () => enharmonicKeys(filter.key as MusicalKey),
      mood: () => filter.moods,
      genre: () => filter.genres,
      instrument: () => filter.instruments,
    }[facet]();
    const names = this.live.names[facet];
    const codes = labels.map((label) => names.indexOf(label)).filter((code) => code > 0);
    return { facet, codes };
  }
}

function countCodes(counts: Uint32Array, codes: Uint16Array, numbers: Uint32Array, sign: 1 | -1): void {
  for (let at = 0; at < numbers.length; at++) {
    const code = codes[numbers[at] as number] as number;
    counts[code] = (counts[code] as number) + sign;
  }
}
