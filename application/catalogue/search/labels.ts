import { TEMPO_RANGE_BPM } from '../../../domain/catalogue/filter.js';
import type { Bitmap } from './bitmap.js';
import type { Facet } from './facets.js';

/** Kinds of label of which a sample has at most one. */
export type SingleFacet = Exclude<Facet, 'instrument'>;
/** How many different tempos `Labels.tempo` may have. */
export const TEMPOS = TEMPO_RANGE_BPM.max + 2;

/** The labels of samples, by their numbers. */
export interface Labels {
  /** The samples with a label, for each kind of label. */
  labels: Record<Facet, Map<string, Bitmap>>;
  /** For kinds with one label a sample: the index of its label in `labels`, from 1 on; 0 without one. */
  codes: Record<SingleFacet, Uint16Array>;
  /** A bit for each instrument in the order of `labels`. */
  instrumentMasks: Uint32Array;
  /** Beats a minute of each; beyond the range, the first beyond it. */
  tempo: Uint8Array<ArrayBuffer>;
}

/** The labels of each kind by their codes, from 1 on. */
export type LabelNames = Record<Facet, readonly string[]>;

export const labelNames = ({ labels }: Labels): LabelNames => ({
  key: ['', ...labels.key.keys()],
  mood: ['', ...labels.mood.keys()],
  genre: ['', ...labels.genre.keys()],
  instrument: ['', ...labels.instrument.keys()],
});

/** The codes of a sample's instruments. */
export function instrumentsOf({ instrumentMasks }: Labels, number: number): number[] {
  const codes: number[] = [];
  for (let mask = instrumentMasks[number] as number; mask !== 0; mask &= mask - 1)
    codes.push(32 - Math.clz32(mask & -mask));
  return codes;
}
