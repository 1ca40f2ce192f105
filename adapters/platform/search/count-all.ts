import { lengthIsFiltered, soundIsFiltered, type TrackFilter } from '../../../domain/catalogue/filter.js';
import type { LiveCatalogue } from './live-catalogue.js';
import type { MatchingSamples } from './matching-samples.js';
import type { Scope } from './rows.js';
import {
  byFacet,
  chosenLabels,
  FACETS,
  chosen,
  lifted,
  noFacets,
  type LabelNames,
  type Counts,
  type Facet,
} from './labels.js';
import { isEither } from './filtered-samples.js';
import type { Choice, Tallies } from './tallies.js';

/** Samples that are counted together: the filter that they pass, and the label kinds to count. */
interface Group {
  filter: TrackFilter;
  kinds: readonly Facet[];
  isFound: boolean;
}

/**
 * @property few the matching samples of the segment, unordered; set if the samples were counted one by one and there
 * are fewer than `FEW`
 */
export type Counted = Counts & { few: Uint32Array | undefined };

/** With fewer matches, sorting them is faster than scanning all samples in order of popularity. */
export const FEW = 1_000;

/** Counts the samples that pass. For each option, counts those that would pass without the filter of its kind. */
export function countAll(live: LiveCatalogue, filter: TrackFilter, scope: Scope): Counted {
  const apart = FACETS.filter((facet) => chosen(filter, facet));
  const together = FACETS.filter((facet) => !apart.includes(facet));
  const groups: Group[] = [
    { filter, kinds: together, isFound: true },
    ...apart.map((facet) => ({ filter: lifted(filter, facet), kinds: [facet], isFound: false })),
  ];
  const facets = noFacets();
  const countIn = (samples: Countable): CodeCounts => {
    const counts = new CodeCounts(samples, scope);
    for (const group of groups) counts.add(group);
    counts.addTo(facets);
    return counts;
  };
  const { total, few } = countIn(live);
  const { rows } = live.changed;
  return { total: rows.length === 0 ? total : total + countIn(live.changed).total, facets, few };
}

/** Samples to count. @property tallies if absent, samples are counted one by one */
interface Countable {
  readonly names: LabelNames;
  readonly tallies?: Tallies;
  passing(filter: TrackFilter, scope: Scope): MatchingSamples;
}

class CodeCounts {
  total = 0;
  few: Uint32Array | undefined;
  private readonly counts: Record<Facet, Uint32Array>;

  constructor(
    private readonly samples: Countable,
    private readonly scope: Scope,
  ) {
    this.counts = byFacet((facet) => new Uint32Array(samples.names[facet].length));
  }

  add(group: Group): void {
    const { filter } = group;
    const choices = FACETS.filter((facet) => chosen(filter, facet)).map((facet) =>
      this.choiceOf(facet, filter),
    );
    const tallies = this.talliesFor(choices, filter);
    if (!tallies) this.visit(group, 1);
    else if (choices.length < 2) this.tally(tallies, group, choices[0]);
    else if (choices.length === 2 && isEither(filter)) {
      // A sample passes with a chosen mood or a chosen genre: add the counts of both, then subtract the samples that
      // have both.
      for (const choice of choices) this.tally(tallies, group, choice);
      this.visit({ ...group, filter: { ...filter, mode: 'collection' } }, -1);
    } else this.visit(group, 1);
  }

  addTo(facets: Counts['facets']): void {
    for (const facet of FACETS)
      for (let code = 1; code < this.counts[facet].length; code++) {
        const label = this.samples.names[facet][code] as string;
        const number = this.counts[facet][code] as number;
        if (number > 0) facets[facet][label] = (facets[facet][label] ?? 0) + number;
      }
  }

  private talliesFor(choices: readonly Choice[], filter: TrackFilter): Tallies | undefined {
    const { creatorId, genre, owned } = this.scope;
    if (owned || filter.fits || lengthIsFiltered(filter) || soundIsFiltered(filter)) return undefined;
    const several = choices.some(({ facet, codes }) => facet === 'instrument' && codes.length !== 1);
    return creatorId === undefined && genre === undefined && !several ? this.samples.tallies : undefined;
  }

  private tally(tallies: Tallies, { filter, kinds, isFound }: Group, choice: Choice | undefined): void {
    if (isFound) this.total += tallies.total(filter, choice);
    for (const facet of kinds) tallies.addTo(this.counts[facet], facet, filter, choice);
  }

  /** Counts the samples one by one. @param sign -1 subtracts the counts */
  private visit({ filter, kinds, isFound }: Group, sign: 1 | -1): void {
    const passing = this.samples.passing(filter, this.scope);
    if (isFound) this.total += sign * passing.size;
    if (isFound && sign === 1 && passing.size < FEW) this.few = passing.numbers;
    for (const facet of kinds) passing.count(facet, this.counts[facet], sign);
  }

  private choiceOf(facet: Facet, filter: TrackFilter): Choice {
    const names = this.samples.names[facet];
    const codes = chosenLabels(filter, facet).map((label) => names.indexOf(label));
    return { facet, codes: codes.filter((code) => code > 0) };
  }
}
