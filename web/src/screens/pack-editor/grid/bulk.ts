import type { OwnPack, OwnSample } from '../../../../../application/publishing/contract.js';
import { COLUMNS, type Column, type ColumnId } from './columns.js';
import { type Drafts, textAt } from './drafts.js';

/** A change of one column in many rows. */
export type Bulk =
  | { kind: 'replace'; columnId: ColumnId; find: string; replacement: string; matchCase: boolean }
  | { kind: 'pattern'; columnId: ColumnId; pattern: string; from: number }
  | { kind: 'set'; columnId: ColumnId; text: string }
  | { kind: 'add' | 'remove'; columnId: 'instruments'; names: string };

/** A cell that would change. `error` says why the new text cannot be saved, or is null. */
export interface Planned {
  sample: OwnSample;
  before: string;
  after: string;
  error: string | null;
}

/** The placeholders that a pattern may contain, with a description of the text that replaces each. */
export const PLACEHOLDERS = [
  ['{n}', 'the number'],
  ['{nnn}', 'the number with three digits'],
  ['{title}', 'the title'],
  ['{file}', 'the file name'],
  ['{folder}', 'the folder of the file'],
  ['{bpm}', 'the tempo'],
  ['{key}', 'the key'],
  ['{instrument}', 'the first instrument'],
  ['{pack}', 'the name of the pack'],
] as const;

const columnOf = (id: ColumnId): Column => COLUMNS.find((each) => each.id === id) as Column;
const listOf = (text: string): string[] =>
  text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
const isSame = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

function replaced(
  text: string,
  { find, replacement, matchCase }: Extract<Bulk, { kind: 'replace' }>,
): string {
  if (find === '') return text;
  const escaped = find.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  return text.replaceAll(new RegExp(escaped, matchCase ? 'g' : 'gi'), () => replacement);
}

interface Place {
  sample: OwnSample;
  number: number;
  cell: (id: ColumnId) => string;
  pack: Pick<OwnPack, 'title'>;
  folder: string;
}

/**
 * Replaces the placeholders of a pattern; unknown placeholders stay as they are. Empty values leave extra spaces, so
 * each run of spaces becomes one space, and outer spaces are removed.
 */
function filled(pattern: string, { sample, number, cell, pack, folder }: Place): string {
  const values: Record<string, string> = {
    title: cell('name'),
    file: sample.filename.replace(/\.[^.]+$/, ''),
    folder,
    bpm: cell('bpm'),
    key: cell('key'),
    instrument: listOf(cell('instruments'))[0] ?? '',
    pack: pack.title,
  };
  return pattern
    .replaceAll(/\{(n{1,6}|[a-z]+)\}/g, (whole, name: string) =>
      /^n+$/.test(name) ? String(number).padStart(name.length, '0') : (values[name] ?? whole),
    )
    .replaceAll(/\s+/g, ' ')
    .trim();
}

function changed(bulk: Bulk, text: string, place: Place): string {
  switch (bulk.kind) {
    case 'replace':
      return replaced(text, bulk);
    case 'pattern':
      return filled(bulk.pattern, place);
    case 'set':
      return bulk.text;
    case 'add': {
      const has = listOf(text);
      return [...has, ...listOf(bulk.names).filter((name) => !has.some((one) => isSame(one, name)))].join(
        ', ',
      );
    }
    case 'remove': {
      const gone = listOf(bulk.names);
      return listOf(text)
        .filter((name) => !gone.some((one) => isSame(one, name)))
        .join(', ');
    }
  }
}

/** Returns the cells that a change would change, in the order of the rows. */
export function planned(
  bulk: Bulk,
  rows: readonly OwnSample[],
  context: { drafts: Drafts; pack: Pick<OwnPack, 'title'>; folderOf: (filename: string) => string },
): Planned[] {
  const { drafts, pack, folderOf } = context;
  const column = columnOf(bulk.columnId);
  return rows.flatMap((sample, index) => {
    const cell = (id: ColumnId) => textAt(sample, drafts[sample.id], columnOf(id));
    const before = cell(bulk.columnId);
    const number = index + (bulk.kind === 'pattern' ? bulk.from : 1);
    const place = { sample, number, cell, pack, folder: folderOf(sample.filename) };
    const parsed = column.parse(changed(bulk, before, place));
    const after = parsed.ok ? parsed.text : changed(bulk, before, place);
    return after === before ? [] : [{ sample, before, after, error: parsed.ok ? null : parsed.error }];
  });
}
