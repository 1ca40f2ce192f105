import type { OwnSample } from '../../../../../application/publishing/contract.js';
import { KIND_LABELS } from '../../../../../application/catalogue/values.js';
import { parseFileName } from '../../../../../application/publishing/values.js';
import { kindIn } from '../own-sample.js';
import type { Column } from './columns.js';
import { type Drafts, type RowDraft, type View, textAt } from './drafts.js';
import { type Cell, at } from './selection.js';

interface Suggested {
  text: string;
  /** How sure the suggestion is, from 0 to 1. */
  confidence: number;
  /** The source of the suggestion; absent if the analysis of the sound suggests the text. */
  from?: Source | undefined;
}

/** The suggested tempo, key or kind of a sample; undefined if there is no suggestion for the column. */
export function heardIn(sample: OwnSample, { id }: Pick<Column, 'id'>): Suggested | undefined {
  const { tempo, key, kind } = sample.suggestions;
  if (id === 'bpm' && tempo) return { ...tempo, text: String(tempo.bpm) };
  if (id === 'key' && key) return { ...key, text: key.key };
  if (id !== 'kind') return undefined;
  return kind
    ? { confidence: kind.confidence, text: KIND_LABELS[kind.kind], from: kind.because }
    : { confidence: 0, text: KIND_LABELS[kindIn({ ...sample, kind: null })], from: 'rules' };
}

/** The suggestion that an empty cell shows; undefined if the cell has a text. */
export const suggestedAt = (
  sample: OwnSample,
  row: RowDraft | undefined,
  column: Column,
): Suggested | undefined => (textAt(sample, row, column) === '' ? heardIn(sample, column) : undefined);

/**
 * The suggested texts for empty cells. With `cells`, considers only these cells, whatever the confidence. Otherwise,
 * considers all rows that the filter shows, and only suggestions with at least the confidence `atLeast`.
 */
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
      // A kind that is only guessed from title, tempo and length has confidence 0, so it is accepted only in cells that
      // the creator selected.
      return found && found.confidence >= (cells ? 0 : Math.max(atLeast, 0.01))
        ? [{ cell, text: found.text }]
        : [];
    },
  );

export const percentOf = (confidence: number): string => `${Math.round(confidence * 100)} %`;

const SOURCES = {
  sound: 'Detected',
  tags: 'From the tags of the file',
  markers: 'From the markers of the file',
  name: 'From the name',
  decay: 'Detected: it dies away',
  length: 'From its length',
  rules: 'From its title, tempo and length',
} as const;
type Source = keyof typeof SOURCES;

/**
 * Says where a suggestion comes from, and how sure it is. Omits the confidence of a kind that is only guessed from
 * title, tempo and length.
 */
export const sourceOf = ({ from = 'sound', confidence }: Suggested): string =>
  from === 'rules' ? SOURCES.rules : `${SOURCES[from]}, ${percentOf(confidence)} sure`;

/** The words that a screen reader says before the text of a suggestion. */
export const saidOf = ({ from = 'sound' }: Suggested): string => `${SOURCES[from]}: `;

/**
 * Says where the saved value of a cell probably comes from: the file name or a suggestion that equals it. Undefined if
 * the cell is empty or neither equals it.
 */
export function originOf(sample: OwnSample, column: Column): string | undefined {
  const text = column.textOf(sample);
  if (text === '') return undefined;
  const { bpm, key } = parseFileName(sample.filename);
  if ((column.id === 'bpm' && text === String(bpm)) || (column.id === 'key' && text === key))
    return 'From the name of the file';
  const heard = heardIn(sample, column);
  return heard?.text === text && heard.from !== 'rules' ? sourceOf(heard) : undefined;
}
