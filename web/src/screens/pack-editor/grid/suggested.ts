import type { OwnSample } from '../../../../../application/publishing/contract.js';
import { parseFileName } from '../../../../../application/publishing/values.js';
import type { Column } from './columns.js';
import { type Drafts, type RowDraft, type View, textAt } from './drafts.js';
import { type Cell, at } from './selection.js';

interface Suggested {
  text: string;
  /** From 0 to 1. */
  confidence: number;
  /** Whether the file says so in its tags, or it sounds so. */
  from?: 'sound' | 'tags' | undefined;
}

/** What the sound or its tags say for a column; undefined if they say nothing. */
export function heardIn({ suggestions }: OwnSample, { id }: Pick<Column, 'id'>): Suggested | undefined {
  const { tempo, key } = suggestions;
  if (id === 'bpm' && tempo) return { ...tempo, text: String(tempo.bpm) };
  return id === 'key' && key ? { ...key, text: key.key } : undefined;
}

/** The suggestion that an empty cell shows. */
export const suggestedAt = (
  sample: OwnSample,
  row: RowDraft | undefined,
  column: Column,
): Suggested | undefined => (textAt(sample, row, column) === '' ? heardIn(sample, column) : undefined);

/** The empty cells with a suggestion of at least this confidence, and its text. */
export const suggestionsIn = (
  { samples, columns }: View,
  drafts: Drafts,
  atLeast: number,
  cells?: readonly Cell[],
) =>
  (cells ?? samples.flatMap((_, row) => columns.map((_column, column) => at(row, column)))).flatMap(
    (cell) => {
      const [sample, column] = [samples[cell.row], columns[cell.column]];
      const found = sample && column && suggestedAt(sample, drafts[sample.id], column);
      return found && found.confidence >= atLeast ? [{ cell, text: found.text }] : [];
    },
  );

export const percentOf = (confidence: number): string => `${Math.round(confidence * 100)} %`;

/** Says where a suggestion comes from and how sure it is. */
export const sourceOf = ({ from, confidence }: Suggested): string =>
  `${from === 'tags' ? 'From the tags of the file' : 'Detected'}, ${percentOf(confidence)} sure`;

/** Says where the value of a cell comes from; undefined if the creator typed it. */
export function originOf(sample: OwnSample, column: Column): string | undefined {
  const text = column.textOf(sample);
  if (text === '' || (column.id !== 'bpm' && column.id !== 'key')) return undefined;
  const { bpm, key } = parseFileName(sample.filename);
  const named = column.id === 'bpm' ? String(bpm) : key;
  if (text === named) return 'From the name of the file';
  const heard = heardIn(sample, column);
  return heard?.text === text ? sourceOf(heard) : undefined;
}
