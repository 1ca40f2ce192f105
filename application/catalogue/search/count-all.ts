import type { TrackFilter } from '../../../domain/catalogue/filter.js';
import { enharmonicKeys, type MusicalKey } from '../../../domain/catalogue/vocabulary.js';
import { FACETS, chosen, lifted, noFacets, type Counts, type Facet } from './facets.js';
import type { LiveCatalogue } from './live-catalogue.js';
import type { Passing } from './passing.js';
import type { Scope } from './rows.js';
import type { LabelNames } from './labels.js';
import { isEither } from './sieve.js';
import type { Choice, Tallies } from './tallies.js';

/** Samples that are counted together: what they have to pass, and of which kinds their labels are counted. */
interface Group {
  filter: TrackFilter;
  kinds: readonly Facet[];
  /** Whether they are the samples that are found. */
  isFound: boolean;
}

/** @property few the samples of the segment that pass, in no order, where they are few and were gone through */
export type Counted = Counts & { few: Uint32Array | undefined };

/** So many are sooner put in order than come upon in the order of all. */
export const FEW = 1_000;

/** How many samples pass, and the count of each option if its own kind of filter were lifted. */
export function countAll(live: LiveCatalogue, filter: TrackFilter, scope: Scope): Counted {
  const apart = FACETS.filter((facet) => chosen(filter, facet));
  const together = FACETS.filter((facet) => !apart.includes(facet));
  const groups: Group[] = [
    { filter, kinds: together, isFound: true },
    ...apart.map((facet) => ({ filter: lifted(filter, facet), kinds: [facet], isFound: false })),
  ];
  const segment = new CodeCounts(live, scope);
  const changed = new CodeCounts(live.changed, scope);
  const facets = noFacets();
  for (const counts of [segment, changed]) {
    for (const group of groups) counts.add(group);
    counts.addTo(facets);
  }
  return { total: segment.total + changed.total, facets, few: segment.few };
}

/** Samples that are counted. @property tallies absent: counting goes through them */
interface Countable {
  readonly names: LabelNames;
  readonly tallies?: Tallies;
  passing(filter: TrackFilter, scope: Scope): Passing;
}

/** Counts by the codes of labels. */
class CodeCounts {
  total = 0;
  few: Uint32Array | undefined;
  private readonly counts: Record<Facet, Uint32Array>;

  constructor(
    private readonly samples: Countable,
    private readonly scope: Scope,
  ) {
    const none = (facet: Facet) => new Uint32Array(samples.names[facet].length);
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
    const tallies = this.talliesFor(choices);
    if (!tallies) this.visit(group, 1);
    else if (choices.length < 2) this.tally(tallies, group, choices[0]);
    else if (choices.length === 2 && isEither(filter)) {
      // Who has a mood or a genre: those with the one and those with the other, without counting twice who has both.
      for (const choice of choices) this.tally(tallies, group, choice);
      this.visit({ ...group, filter: { ...filter, mode: 'collection' } }, -1);
    } else this.visit(group, 1);
  }

  /** Adds them to those of other samples, by the names of labels, without what nothing has. */
  addTo(facets: Counts['facets']): void {
    for (const facet of FACETS)
      for (let code = 1; code < this.counts[facet].length; code++) {
        const label = this.samples.names[facet][code] as string;
        const number = this.counts[facet][code] as number;
        if (number > 0) facets[facet][label] = (facets[facet][label] ?? 0) + number;
      }
  }

  private talliesFor(choices: readonly Choice[]): Tallies | undefined {
    const { creatorId, genre } = this.scope;
    const several = choices.some(({ facet, codes }) => facet === 'instrument' && codes.length !== 1);
    return creatorId === undefined && genre === undefined && !several ? this.samples.tallies : undefined;
  }

  private tally(tallies: Tallies, { filter, kinds, isFound }: Group, choice: Choice | undefined): void {
    if (isFound) this.total += tallies.total(filter, choice);
    for (const facet of kinds) tallies.addTo(this.counts[facet], facet, filter, choice);
  }

  /** Goes through the samples. @param sign -1 takes them off */
  private visit({ filter, kinds, isFound }: Group, sign: 1 | -1): void {
    const passing = this.samples.passing(filter, this.scope);
    if (isFound) this.total += sign * passing.size;
    if (isFound && sign === 1 && passing.size < FEW) this.few = passing.numbers;
    for (const facet of kinds) passing.count(facet, this.counts[facet], sign);
  }

  /** Labels that no sample has count for nothing. */
  private choiceOf(facet: Facet, filter: TrackFilter): Choice {
    const labels = {
      key: () => enharmonicKeys(filter.key as MusicalKey),
      mood: () => filter.moods,
      genre: () => filter.genres,
      instrument: () => filter.instruments,
    }[facet]();
    const names = this.samples.names[facet];
    const codes = labels.map((label) => names.indexOf(label)).filter((code) => code > 0);
    return { facet, codes };
  }
}
