import type { TrackFilter } from '../../../domain/catalogue/filter.js';
import { add, bitmapFor, fullBitmap, has, type Bitmap } from './bitmap.js';
import { LABEL_PAIRS, listsOfPair } from './label-pairs.js';
import { MatchingSamples, type Labelled } from './matching-samples.js';
import { Postings, Grouping } from './postings.js';
import { byPopularity, type CatalogueRow, type Place, type Scope } from './rows.js';
import { labelNames, TEMPOS, LabelsBuilder, type LabelNames } from './labels.js';

interface Numbered {
  rows: readonly CatalogueRow[];
  numbers: ReadonlyMap<CatalogueRow, number>;
  labelled: Labelled;
  names: LabelNames;
  alive: Bitmap;
  scratch: Uint32Array;
}

/** The samples of packs that changed since the segment was built. */
export class ChangedSamples {
  rows: CatalogueRow[] = [];
  /** The rows of each changed pack. A pack without rows is no longer listed. */
  readonly packs = new Map<string, CatalogueRow[]>();
  /** Rebuilt at the first search after a change and not at each change, because many changes may arrive together. */
  private numbered: Numbered | undefined;
  private order: Uint32Array | undefined;

  get names(): LabelNames {
    return this.number().names;
  }

  replace(packIds: readonly string[], rows: readonly CatalogueRow[]): void {
    for (const packId of packIds) this.packs.set(packId, []);
    for (const row of rows) this.packs.get(row.packId)?.push(row);
    this.rows = [...this.packs.values()].flat().sort(byPopularity);
    this.numbered = undefined;
    this.order = undefined;
  }

  /** Sets a sample's downloads. @returns false if the sample is not in a changed pack */
  rank(packId: string, { sampleId, popularity }: Place): boolean {
    const row = this.find(packId, sampleId);
    if (row) row.popularity = popularity;
    return row !== undefined;
  }

  /** Sorts the rows again. They are nearly sorted already, so this is cheap. */
  sort(): void {
    this.rows.sort(byPopularity);
    this.order = undefined;
  }

  find(packId: string, sampleId: string): CatalogueRow | undefined {
    return this.packs.get(packId)?.find((row) => row.sampleId === sampleId);
  }

  passing(filter: TrackFilter, scope: Scope): MatchingSamples {
    const { labelled, names, alive, scratch } = this.number();
    return new MatchingSamples(labelled, names, { filter, scope, alive }, scratch);
  }

  firstPassing(filter: TrackFilter, scope: Scope, limit: number, after: Place | undefined): CatalogueRow[] {
    if (this.rows.length === 0) return [];
    const { rows, numbers } = this.number();
    const bits = bitmapFor(rows.length);
    for (const number of this.passing(filter, scope).numbers) add(bits, number);
    this.order ??= Uint32Array.from(this.rows, (row) => numbers.get(row) as number);
    const first: CatalogueRow[] = [];
    for (let at = 0; at < this.order.length && first.length < limit; at++) {
      const number = this.order[at] as number;
      const row = rows[number] as CatalogueRow;
      if (has(bits, number) && (!after || byPopularity(after, row) < 0)) first.push(row);
    }
    return first;
  }

  rowsPassing(filter: TrackFilter, scope: Scope): CatalogueRow[] {
    const { rows } = this.number();
    return Array.from(this.passing(filter, scope).numbers, (number) => rows[number] as CatalogueRow);
  }

  private number(): Numbered {
    return (this.numbered ??= numbered(this.rows));
  }
}

/** Numbers the rows in a copy, because `sort` reorders the original and the numbers must stay. */
function numbered(ordered: readonly CatalogueRow[]): Numbered {
  const rows = [...ordered];
  const builder = new LabelsBuilder(rows.length);
  const creators = new Grouping(rows.length);
  const packs = new Grouping(rows.length);
  for (const [number, row] of rows.entries()) {
    builder.add(number, row);
    creators.put(number, row.creatorId);
    packs.put(number, row.packId);
  }
  const labels = builder.finish();
  const { items: slowestFirst } = Postings.of(labels.tempo, TEMPOS);
  return {
    rows,
    numbers: new Map(rows.map((row, number) => [row, number])),
    labelled: {
      ...labels,
      creators: creators.finish(),
      packs: packs.finish(),
      ids: { at: (number) => rows[number]?.sampleId ?? '' },
      bpms: { at: (number) => rows[number]?.bpm ?? 0 },
      pairs: LABEL_PAIRS.map((pair) => listsOfPair(labels, pair, slowestFirst)),
    },
    names: labelNames(labels),
    alive: fullBitmap(rows.length),
    scratch: new Uint32Array(rows.length),
  };
}
