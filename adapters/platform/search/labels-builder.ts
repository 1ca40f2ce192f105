import { add, bitmapFor, type Bitmap } from './bitmap.js';
import { FACETS, type Facet } from './facets.js';
import type { CatalogueRow } from './rows.js';
import { TEMPOS, type Labels } from './labels.js';

/** One bit for each instrument. */
const MASK_BITS = 32;

/** Collects the labels of samples. */
export class LabelsBuilder {
  private readonly labels = Object.fromEntries(FACETS.map((facet) => [facet, new Map()])) as Labels['labels'];
  private readonly codes: Labels['codes'];
  private readonly instrumentMasks: Uint32Array;
  private readonly known = Object.fromEntries(FACETS.map((facet) => [facet, new Map()])) as Record<
    Facet,
    Map<string, { code: number; bits: Bitmap }>
  >;
  private readonly tempo: Uint8Array<ArrayBuffer>;

  /** @param capacity number of samples that will be added */
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
