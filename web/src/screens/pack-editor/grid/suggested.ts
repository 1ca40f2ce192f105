import type { OwnSample } from '../../../../../application/publishing/contract.js';
import type { Column } from './columns.js';
import { type Drafts, type RowDraft, type View, textAt } from './drafts.js';
import { type Cell, at } from './selection.js';

interface Suggested {
  text: string;
  /** From 0 to 1. */
  confidence: number;
}

/** What the analysis heard for a column; undefined if it heard nothing. */
export function heardIn({ suggestions }: OwnSample, { id }: Pick<Column, 'id'>): Suggested | undefined {
  const { tempo, key } = suggestions;
  if (id === 'bpm' && tempo) return { text: String(tempo.bpm), confidence: tempo.confidence };
  return id === 'key' && key ? { text: key.key, confidence: key.confidence } : undefined;
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
