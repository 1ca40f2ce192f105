import { TEMPO_RANGE_BPM, type TrackFilter } from '../../../domain/catalogue/filter.js';
import { FACT_MAX, COMPARED, SOUND_FACTS } from '../../../domain/catalogue/sound/facts.js';
import { keysChosenBy } from '../../../domain/catalogue/vocabulary.js';
import { add, bitmapFor, type Bitmap } from './bitmap.js';
import type { CatalogueRow, FoundSample } from './rows.js';
import type { SamplePage } from '../../../application/catalogue/contract.js';

export type Facets = SamplePage['facets'];
export type Facet = keyof Facets;
export type Counts = Pick<SamplePage, 'total' | 'facets'>;

/** Label kinds with at most one label per sample. */
export type SingleFacet = Exclude<Facet, 'instrument'>;

export const bySingleFacet = <Value>(of: (facet: SingleFacet) => Value): Record<SingleFacet, Value> => ({
  key: of('key'),
  mood: of('mood'),
  genre: of('genre'),
  kind: of('kind'),
  hasMidi: of('hasMidi'),
  hasStems: of('hasStems'),
  credits: of('credits'),
  origin: of('origin'),
});
export const byFacet = <Value>(of: (facet: Facet) => Value): Record<Facet, Value> => ({
  ...bySingleFacet(of),
  instrument: of('instrument'),
});

/** Label kinds for facts about the files and the price. Creators choose the other labels themselves. */
export const FACTS = ['kind', 'hasMidi', 'hasStems', 'credits', 'origin'] as const;
export const SINGLE_FACETS: readonly SingleFacet[] = ['key', 'mood', 'genre', ...FACTS];
export const FACETS: readonly Facet[] = [...SINGLE_FACETS, 'instrument'];

export const noFacets = (): Facets => byFacet(() => ({}));

/** For each kind, the values of filter fields that remove the choice of that kind. */
const LIFTED: Readonly<Record<Facet, Partial<TrackFilter>>> = {
  key: { key: undefined },
  mood: { moods: [] },
  genre: { genres: [] },
  kind: { kind: undefined },
  hasMidi: { hasMidi: undefined },
  hasStems: { hasStems: undefined },
  credits: { maxCredits: undefined },
  origin: { origins: [] },
  instrument: { instruments: [] },
};

/** Returns the filter without choices of one kind, so that the options of that kind can be counted. */
export const lifted = (filter: TrackFilter, facet: Facet): TrackFilter => ({ ...filter, ...LIFTED[facet] });

const NONE: readonly string[] = [];

const ifGiven = (value: boolean | string | undefined): readonly string[] =>
  value === undefined ? NONE : [String(value)];

/** One function per kind, because a search reads the chosen labels of a single kind some fifty times. */
const CHOSEN: Readonly<Record<Facet, (filter: TrackFilter) => readonly string[]>> = {
  key: ({ key }) => (key === undefined ? NONE : keysChosenBy(key)),
  mood: ({ moods }) => moods,
  genre: ({ genres }) => genres,
  kind: ({ kind }) => ifGiven(kind),
  hasMidi: ({ hasMidi }) => ifGiven(hasMidi),
  hasStems: ({ hasStems }) => ifGiven(hasStems),
  credits: ({ maxCredits }) =>
    maxCredits ? Array.from({ length: maxCredits }, (_, at) => String(at + 1)) : NONE,
  origin: ({ origins = NONE }) => origins,
  instrument: ({ instruments }) => instruments,
};

export const chosenLabels = (filter: TrackFilter, facet: Facet): readonly string[] => CHOSEN[facet](filter);

export const chosen = (filter: TrackFilter, facet: Facet): boolean => chosenLabels(filter, facet).length > 0;

type Labelled = Pick<
  FoundSample,
  'key' | 'mood' | 'genre' | 'kind' | 'hasMidi' | 'hasStems' | 'creditCost' | 'origin' | 'instruments'
>;

/** Counts each option. @param found for each kind, the samples found without the filter of that kind */
export function facetsOf(found: Record<Facet, readonly Labelled[]>): Facets {
  const facets = noFacets();
  for (const facet of FACETS) for (const sample of found[facet]) countIn(facets[facet], facet, sample);
  return facets;
}

export function countIn(counts: Record<string, number>, facet: Facet, sample: Labelled): void {
  for (const value of valuesOf(sample, facet)) counts[value] = (counts[value] ?? 0) + 1;
}

function valuesOf(sample: Labelled, facet: Facet): string[] {
  if (facet === 'instrument') return sample.instruments;
  const label = labelOf(sample, facet);
  return label === null ? [] : [label];
}

function labelOf(sample: Omit<Labelled, 'instruments'>, facet: SingleFacet): string | null {
  const value = sample[facet === 'credits' ? 'creditCost' : facet];
  return value === null ? null : String(value);
}

export const TEMPOS = TEMPO_RANGE_BPM.max + 2;

export interface Labels {
  labels: Record<Facet, Map<string, Bitmap>>;
  /** For each sample, the index of its label in `labels`, from 1; 0 without a label. */
  codes: Record<SingleFacet, Uint16Array>;
  /** For each sample, one bit per instrument, in the order of `labels`. */
  instrumentMasks: Uint32Array;
  /** BPM of each sample. A tempo above `TEMPO_RANGE_BPM` is stored as the first value beyond that range. */
  tempo: Uint8Array<ArrayBuffer>;
  durationMs: Uint32Array;
  /** For each of `SOUND_FACTS`, a value for each sample; above `FACT_MAX` if the sound is not described. */
  soundFacts: Uint8Array;
}

/** The names of the labels of each kind, by their codes, which begin at 1. */
export type LabelNames = Record<Facet, readonly string[]>;

export const labelNames = ({ labels }: Labels): LabelNames =>
  byFacet((facet) => ['', ...labels[facet].keys()]);

export function instrumentsOf({ instrumentMasks }: Labels, number: number): number[] {
  const codes: number[] = [];
  for (let mask = instrumentMasks[number] as number; mask !== 0; mask &= mask - 1)
    codes.push(32 - Math.clz32(mask & -mask));
  return codes;
}

const MASK_BITS = 32;

export class LabelsBuilder {
  private readonly labels = byFacet(() => new Map<string, Bitmap>());
  private readonly codes: Labels['codes'];
  private readonly instrumentMasks: Uint32Array;
  private readonly known = byFacet(() => new Map<string, { code: number; bits: Bitmap }>());
  private readonly tempo: Uint8Array<ArrayBuffer>;
  private readonly durationMs: Uint32Array;
  private readonly soundFacts: Uint8Array;

  constructor(private readonly capacity: number) {
    this.codes = bySingleFacet(() => new Uint16Array(capacity));
    this.instrumentMasks = new Uint32Array(capacity);
    this.tempo = new Uint8Array(capacity);
    this.durationMs = new Uint32Array(capacity);
    this.soundFacts = new Uint8Array(capacity * SOUND_FACTS.length).fill(FACT_MAX + 1);
  }

  /** @returns the codes of the row's instruments, in the order of the row */
  add(number: number, row: CatalogueRow): number[] {
    for (const facet of SINGLE_FACETS) {
      const label = labelOf(row, facet);
      if (label !== null) this.codes[facet][number] = this.label(facet, label, number);
    }
    this.durationMs[number] = row.durationMs;
    if (row.sound)
      for (const at of SOUND_FACTS.keys())
        this.soundFacts[at * this.capacity + number] = row.sound.descriptors[COMPARED + at] as number;
    this.tempo[number] = Math.min(row.bpm, TEMPOS - 1);
    const instruments = row.instruments.map((instrument) => this.label('instrument', instrument, number));
    for (const code of instruments)
      this.instrumentMasks[number] = (this.instrumentMasks[number] as number) | (1 << (code - 1));
    return instruments;
  }

  finish(): Labels {
    const { labels, codes, instrumentMasks, tempo, durationMs, soundFacts } = this;
    return { labels, codes, instrumentMasks, tempo, durationMs, soundFacts };
  }

  /** @returns the code of the label within its kind, from 1 */
  private label(facet: Facet, label: string, number: number): number {
    let known = this.known[facet].get(label);
    if (!known) {
      if (facet === 'instrument' && this.known.instrument.size === MASK_BITS)
        throw new Error(`more than ${MASK_BITS} instruments`);
      known = { code: this.known[facet].size + 1, bits: bitmapFor(this.capacity) };
      this.known[facet].set(label, known);
      this.labels[facet].set(label, known.bits);
    }
    add(known.bits, number);
    return known.code;
  }
}
