import type { OwnSample } from '../../../../../application/publishing/contract.js';
import { countOf } from '../../../ui/format.js';
import { COLUMNS, type ColumnId } from './columns.js';
import { byName } from '../upload/audio-files.js';
import { conflictAt, type Drafts, errorAt, textAt } from './drafts.js';

type Samples = readonly OwnSample[];

/** Facts that the grid shows but does not edit. */
const FACTS = { durationMs: 'Length', filename: 'File name' } as const;
type FactId = keyof typeof FACTS;
export type SortId = ColumnId | FactId;

/** The columns and facts by which the rows can be sorted, each with its label. */
export const SORTS: readonly (readonly [SortId, string])[] = [
  ...COLUMNS.map(({ id, label }) => [id, label] as const),
  ...(Object.entries(FACTS) as [FactId, string][]),
];

/** Which rows are shown, and in which order. If `sort` is null, the rows are in the order of the pack. */
export interface Wanted {
  sort: { by: SortId; descending: boolean } | null;
  filter: FilterId;
  /** The text that a filter with `asksText` looks for. */
  text: string;
}
export const EVERYTHING: Wanted = { sort: null, filter: 'any', text: '' };

type Tested = (sample: OwnSample, drafts: Drafts, text: string) => boolean;
interface Filter {
  label: string;
  asksText?: boolean;
  test: Tested;
}

const columnText = (sample: OwnSample, drafts: Drafts, id: ColumnId): string => {
  const column = COLUMNS.find((each) => each.id === id);
  return column ? textAt(sample, drafts[sample.id], column) : '';
};
const holds = (text: string, wanted: string): boolean => text.toLowerCase().includes(wanted.toLowerCase());
const contains = (ids: readonly ColumnId[]): Tested => {
  return (sample, drafts, text) => ids.some((id) => holds(columnText(sample, drafts, id), text.trim()));
};
const draftWith =
  (is: (sample: OwnSample, drafts: Drafts, column: (typeof COLUMNS)[number]) => boolean): Tested =>
  (sample, drafts) =>
    COLUMNS.some((column) => drafts[sample.id]?.[column.id] && is(sample, drafts, column));

/** Columns that may be empty. */
const OPTIONAL: readonly ColumnId[] = ['bpm', 'key', 'instruments', 'origin', 'kind'];

export type FilterId = string;
export const FILTERS: ReadonlyMap<FilterId, Filter> = new Map<FilterId, Filter>([
  ['any', { label: 'Any column has', asksText: true, test: contains(COLUMNS.map(({ id }) => id)) }],
  ...COLUMNS.map(({ id, label }): [FilterId, Filter] => [
    `in ${id}`,
    { label: `${label} has`, asksText: true, test: contains([id]) },
  ]),
  [
    'in file',
    { label: 'File name has', asksText: true, test: ({ filename }, _, text) => holds(filename, text) },
  ],
  ...COLUMNS.filter(({ id }) => OPTIONAL.includes(id)).map(({ id, label }): [FilterId, Filter] => [
    `no ${id}`,
    {
      label: `Without ${label.toLowerCase()}`,
      test: (sample, drafts) => columnText(sample, drafts, id) === '',
    },
  ]),
  ['unsaved', { label: 'Not saved yet', test: draftWith(() => true) }],
  [
    'wrong',
    {
      label: 'To correct',
      test: draftWith(
        (sample, drafts, column) =>
          errorAt(drafts[sample.id], column) !== null ||
          conflictAt(sample, drafts[sample.id], column) !== null,
      ),
    },
  ],
]);

/**
 * The rows that the filter hides, and the sorted places of the other rows. Editing a cell does not change the
 * arrangement, so that no row moves or disappears during the edit.
 */
export interface Arrangement {
  hidden: ReadonlySet<string>;
  /** Sorted positions by sample id. Empty if the rows are in the order of the pack. */
  places: ReadonlyMap<string, number>;
}
export const AS_THE_PACK: Arrangement = { hidden: new Set(), places: new Map() };

/**
 * Compares numbers by value, also within titles: "Kick 2" comes before "Kick
 * 10". Empty cells come last in both directions.
 */
function compared(a: string, b: string, descending: boolean): number {
  if (a === '' || b === '') return Number(a === '') - Number(b === '');
  return descending ? byName(b, a) : byName(a, b);
}

export function arrangementOf(samples: Samples, drafts: Drafts, { sort, filter, text }: Wanted): Arrangement {
  const { asksText, test } = FILTERS.get(filter) ?? {};
  const isAll = !test || (asksText && text.trim() === '');
  const hidden = new Set(
    isAll ? [] : samples.filter((sample) => !test(sample, drafts, text)).map(({ id }) => id),
  );
  if (!sort) return { hidden, places: new Map() };
  const { by, descending } = sort;
  const textBy = (sample: OwnSample): string =>
    by === 'durationMs' || by === 'filename' ? String(sample[by]) : columnText(sample, drafts, by);
  const sorted = samples
    .map((sample) => ({ id: sample.id, text: textBy(sample) }))
    .toSorted((a, b) => compared(a.text, b.text, descending));
  return { hidden, places: new Map(sorted.map(({ id }, place) => [id, place])) };
}

/** Applies an arrangement. Samples that were added after the rows were sorted are shown at the end. */
export function arranged(samples: Samples, { hidden, places }: Arrangement): Samples {
  if (hidden.size === 0 && places.size === 0) return samples;
  const placeOf = ({ id }: OwnSample): number => places.get(id) ?? samples.length;
  return samples.filter(({ id }) => !hidden.has(id)).toSorted((a, b) => placeOf(a) - placeOf(b));
}

export const shownOf = (shown: number, all: number): string =>
  shown === all ? countOf(all, 'row') : `${shown} of ${countOf(all, 'row')}`;
