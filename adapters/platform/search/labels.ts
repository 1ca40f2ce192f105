import { TEMPO_RANGE_BPM, type TrackFilter } from '../../../domain/catalogue/filter.js';
import { enharmonicKeys, type MusicalKey } from '../../../domain/catalogue/vocabulary.js';
import { add, bitmapFor, type Bitmap } from './bitmap.js';
import type { CatalogueRow, FoundSample } from './rows.js';
import type { SamplePage } from '../../../application/catalogue/contract.js';

export type Facets = SamplePage['facets'];
export type Facet = keyof Facets;
export type Counts = Pick<SamplePage, 'total' | 'facets'>;

export const FACETS: readonly Facet[] = ['key', 'mood', 'genre', 'instrument'];

export const byFacet = <Value>(of: (facet: Facet) => Value): Record<Facet, Value> => ({
  key: of('key'),
  mood: of('mood'),
  genre: of('genre'),
  instrument: of('instrument'),
});

export const noFacets = (): Facets => byFacet(() => ({}));

/** Returns the filter without one kind of choice, so that the options of that kind can be counted. */
export const lifted = (filter: TrackFilter, facet: Facet): TrackFilter => ({
  ...filter,
  ...{ key: { key: undefined }, mood: { moods: [] }, genre: { genres: [] }, instrument: { instruments: [] } }[
    facet
  ],
});

export const chosenLabels = (filter: TrackFilter, facet: Facet): readonly string[] =>
  ({
    key: filter.key === undefined ? [] : enharmonicKeys(filter.key as MusicalKey),
    mood: filter.moods,
    genre: filter.genres,
    instrument: filter.instruments,
  })[facet];

export const chosen = (filter: TrackFilter, facet: Facet): boolean => chosenLabels(filter, facet).length > 0;

type Labelled = Pick<FoundSample, 'key' | 'mood' | 'genre' | 'instruments'>;

/** Counts each option among the samples that were found without its own kind of choice. */
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
  const value = sample[facet];
  return value === null ? [] : [value];
}

/** Label kinds with at most one label per sample. */
export type SingleFacet = Exclude<Facet, 'instrument'>;
export const TEMPOS = TEMPO_RANGE_BPM.max + 2;

export interface Labels {
  labels: Record<Facet, Map<string, Bitmap>>;
  /** For each sample, the index of its label in `labels`, from 1; 0 without a label. */
  codes: Record<SingleFacet, Uint16Array>;
  /** For each sample, one bit per instrument, in the order of `labels`. */
  instrumentMasks: Uint32Array;
  /** BPM of each sample. Tempos above the range are stored as the first value beyond it. */
  tempo: Uint8Array<ArrayBuffer>;
}

/** The names of labels by their codes, which begin at 1. */
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

  constructor(private readonly capacity: number) {
    const codes = () => new Uint16Array(capacity);
    this.codes = { key: codes(), mood: codes(), genre: codes() };
    this.instrumentMasks = new Uint32Array(capacity);
    this.tempo = new Uint8Array(capacity);
  }

  /** @returns the codes of the row's instruments, in the order of the row */
  add(number: number, row: CatalogueRow): number[] {
    if (row.key !== null) this.codes.key[number] = this.label('key', row.key, number);
    this.codes.mood[number] = this.label('mood', row.mood, number);
    this.codes.genre[number] = this.label('genre', row.genre, number);
    this.tempo[number] = Math.min(row.bpm, TEMPOS - 1);
    const instruments = row.instruments.map((instrument) => this.label('instrument', instrument, number));
    for (const code of instruments)
      this.instrumentMasks[number] = (this.instrumentMasks[number] as number) | (1 << (code - 1));
    return instruments;
  }

  finish(): Labels {
    const { labels, codes, instrumentMasks, tempo } = this;
    return { labels, codes, instrumentMasks, tempo };
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
