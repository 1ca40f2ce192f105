import { TEMPO_RANGE_BPM } from '../../../domain/catalogue/filter.js';
import type { Bitmap } from './bitmap.js';
import type { Facet } from './facets.js';

/** Label kinds with at most one label per sample. */
export type SingleFacet = Exclude<Facet, 'instrument'>;
/** Number of different values in `Labels.tempo`. */
export const TEMPOS = TEMPO_RANGE_BPM.max + 2;

/** The labels of samples, by sample number. */
export interface Labels {
  /** For each label, the samples that have it. */
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

export const labelNames = ({ labels }: Labels): LabelNames => ({
  key: ['', ...labels.key.keys()],
  mood: ['', ...labels.mood.keys()],
  genre: ['', ...labels.genre.keys()],
  instrument: ['', ...labels.instrument.keys()],
});

/** Returns the codes of a sample's instruments. */
export function instrumentsOf({ instrumentMasks }: Labels, number: number): number[] {
  const codes: number[] = [];
  for (let mask = instrumentMasks[number] as number; mask !== 0; mask &= mask - 1)
    codes.push(32 - Math.clz32(mask & -mask));
  return codes;
}
