import type * as z from 'zod';
import type { OwnSample, SampleChangesBody } from '../../../../../application/publishing/contract.js';
import { COLUMNS, type Column, type ColumnId } from './columns.js';
import { type Cell, type Range, type Selection, at, edgesOf } from './selection.js';

/** An unsaved change of a cell: its text, and the server's value at the time of the change. */
export interface Draft {
  text: string;
  base: string;
}
export type RowDraft = Readonly<Partial<Record<ColumnId, Draft>>>;
/** The unsaved changes of the grid, by sample id. */
export type Drafts = Readonly<Record<string, RowDraft>>;
type Samples = readonly OwnSample[];

/**
 * The filtered and sorted rows, and the columns. Rows outside the viewport count too. The coordinates of a cell are
 * indexes into these lists.
 */
export interface View {
  samples: Samples;
  columns: readonly Column[];
}

export const textAt = (sample: OwnSample, row: RowDraft | undefined, column: Column): string =>
  row?.[column.id]?.text ?? column.textOf(sample);

/** Why a changed cell cannot be saved; null if it can. Unchanged cells are not validated. */
export function errorAt(row: RowDraft | undefined, column: Column): string | null {
  const draft = row?.[column.id];
  const parsed = draft && column.parse(draft.text);
  return parsed && !parsed.ok ? parsed.error : null;
}

/** The server's value if it changed since the cell was edited here and differs from the new text; null otherwise. */
export function conflictAt(sample: OwnSample, row: RowDraft | undefined, column: Column): string | null {
  const draft = row?.[column.id];
  const now = column.textOf(sample);
  return draft && now !== draft.base && now !== draft.text ? now : null;
}

function without<Value>(record: Readonly<Record<string, Value>>, key: string): Record<string, Value> {
  const { [key]: _, ...rest } = record;
  return rest;
}

/** Changes the text of a cell, in its normalised form. If the text is the server's value again, removes the change. */
export function setText(drafts: Drafts, sample: OwnSample, column: Column, typed: string): Drafts {
  const row = drafts[sample.id];
  const parsed = column.parse(typed);
  const text = parsed.ok ? parsed.text : typed.trim();
  const now = column.textOf(sample);
  if (text === (row?.[column.id]?.text ?? now)) return drafts;
  if (text !== now) return { ...drafts, [sample.id]: { ...row, [column.id]: { text, base: now } } };
  const rest = without(row ?? {}, column.id);
  return Object.keys(rest).length > 0 ? { ...drafts, [sample.id]: rest } : without(drafts, sample.id);
}

export function setTexts(
  drafts: Drafts,
  { samples, columns }: View,
  writes: Iterable<{ cell: Cell; text: string }>,
): Drafts {
  let next = drafts;
  for (const { cell, text } of writes) {
    const [sample, column] = [samples[cell.row], columns[cell.column]];
    if (sample && column) next = setText(next, sample, column, text);
  }
  return next;
}

const textOfCell = (drafts: Drafts, { samples, columns }: View, { row, column }: Cell): string => {
  const [sample, definition] = [samples[row], columns[column]];
  return sample && definition ? textAt(sample, drafts[sample.id], definition) : '';
};

export function textsOf(drafts: Drafts, view: View, range: Range): string[][] {
  const { top, bottom, left, right } = edgesOf(range);
  return Array.from({ length: bottom - top + 1 }, (_, row) =>
    Array.from({ length: right - left + 1 }, (_unused, column) =>
      textOfCell(drafts, view, at(top + row, left + column)),
    ),
  );
}

/** Repeats the rows of a rectangle downwards, up to and including `lastRow`. */
export function fillTo(drafts: Drafts, view: View, range: Range, lastRow: number): Drafts {
  const { top, bottom, left } = edgesOf(range);
  const source = textsOf(drafts, view, range);
  const writes = [];
  for (let row = bottom + 1; row <= lastRow; row += 1)
    for (const [offset, text] of (source[(row - top) % source.length] ?? []).entries())
      writes.push({ cell: at(row, left + offset), text });
  return setTexts(drafts, view, writes);
}

/** Copies the first row of each rectangle to its other rows; a single row gets the row above it. */
export function fillDown(drafts: Drafts, view: View, selection: Selection): Drafts {
  return selection.reduce((filled, range) => {
    const { top, bottom, left, right } = edgesOf(range);
    const from = top === bottom ? Math.max(0, top - 1) : top;
    return fillTo(filled, view, { anchor: at(from, left), head: at(from, right) }, bottom);
  }, drafts);
}

/**
 * Pastes a table whose first cell goes to `corner`. A table of one cell is pasted into the whole selection.
 * @returns the drafts, and as `left` the number of rows that did not fit
 */
export function paste(
  drafts: Drafts,
  view: View,
  table: readonly (readonly string[])[],
  target: { cells: readonly Cell[]; corner: Cell },
): { drafts: Drafts; left: number } {
  const single = table.length === 1 && table[0]?.length === 1 ? (table[0][0] as string) : null;
  const writes =
    single === null
      ? table.flatMap((row, down) =>
          row.map((text, right) => ({
            cell: at(target.corner.row + down, target.corner.column + right),
            text,
          })),
        )
      : target.cells.map((cell) => ({ cell, text: single }));
  const left = single === null ? Math.max(0, target.corner.row + table.length - view.samples.length) : 0;
  return { drafts: setTexts(drafts, view, writes), left };
}

/**
 * Removes drafts that equal the server's value, and drafts of samples that no longer exist. Returns the same object
 * if nothing changes.
 */
export function pruned(drafts: Drafts, samples: Samples): Drafts {
  const byId = new Map(samples.map((sample) => [sample.id, sample]));
  let next = drafts;
  for (const [id, row] of Object.entries(drafts)) {
    const sample = byId.get(id);
    const kept = Object.entries(row).filter(([columnId, draft]) => {
      const column = COLUMNS.find((each) => each.id === columnId);
      return sample && column && column.textOf(sample) !== draft.text;
    });
    if (kept.length === Object.keys(row).length) continue;
    next = kept.length > 0 ? { ...next, [id]: Object.fromEntries(kept) } : without(next, id);
  }
  return next;
}

/** Gives up the drafts of cells that have changed on the server since they were edited here. */
export function withTheirs(drafts: Drafts, samples: Samples): Drafts {
  let next = drafts;
  for (const sample of samples)
    for (const column of COLUMNS)
      if (conflictAt(sample, next[sample.id], column) !== null)
        next = setText(next, sample, column, column.textOf(sample));
  return next;
}

interface Tally {
  cells: number;
  rows: number;
  /** Cells that cannot be saved, in reading order. Their columns are indexes into `COLUMNS`. */
  invalid: Cell[];
  conflicts: Cell[];
}

export function tallyOf(drafts: Drafts, samples: Samples): Tally {
  const tally: Tally = { cells: 0, rows: 0, invalid: [], conflicts: [] };
  samples.forEach((sample, row) => {
    const draft = drafts[sample.id];
    if (!draft) return;
    tally.rows += 1;
    COLUMNS.forEach((column, index) => {
      if (!draft[column.id]) return;
      tally.cells += 1;
      if (errorAt(draft, column) !== null) tally.invalid.push(at(row, index));
      else if (conflictAt(sample, draft, column) !== null) tally.conflicts.push(at(row, index));
    });
  });
  return tally;
}

/** The body of the request: every changed row without an invalid cell. */
export function changesOf(drafts: Drafts, samples: Samples): z.infer<typeof SampleChangesBody>['changes'] {
  const changes = [];
  for (const { id } of samples) {
    const row = drafts[id];
    if (!row || COLUMNS.some((column) => errorAt(row, column) !== null)) continue;
    const values = COLUMNS.flatMap((column) => {
      const draft = row[column.id];
      const parsed = draft && column.parse(draft.text);
      return parsed?.ok ? [[column.id, parsed.value]] : [];
    });
    changes.push({ sampleId: id, ...Object.fromEntries(values) });
  }
  return changes;
}
