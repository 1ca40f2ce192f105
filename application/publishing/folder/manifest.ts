import { genreFrom, MOODS, type Genre, type Mood } from '../../../domain/catalogue/vocabulary.js';
import { asWritten, unreadable } from '../../shared/text.js';
import { DESCRIPTION_MAX_LENGTH } from '../values.js';
import {
  parseCost,
  type Parsed,
  parseInstruments,
  parseKey,
  parseKind,
  parseOrigin,
  parseRows,
  parseTempo,
  parseTitle,
  parseYesNo,
} from './cells.js';

/** The name of the CSV file in the folder that describes packs and sounds. */
export const MANIFEST_NAME = 'offcut.csv';

/** A row that cannot be used, numbered as spreadsheets do: 1 is the header. */
export interface WrongRow {
  row: number;
  reason: string;
}

const accepted = <Value>(value: Value, text: string): Parsed<Value> => ({ ok: true, value, text });
const refused = (error: string): Parsed<never> => ({ ok: false, error });

function parseLine(text: string): Parsed<string> {
  const reason = unreadable(text, 'one');
  return reason ? refused(reason) : parseTitle(text);
}

function parseGenre(text: string): Parsed<Genre> {
  const genre = genreFrom(text);
  return genre ? accepted(genre, genre) : refused(`no such genre: ${text}`);
}

function parseMood(text: string): Parsed<Mood> {
  const mood = MOODS.find((each) => each.toLowerCase() === text.toLowerCase());
  return mood ? accepted(mood, mood) : refused(`no such mood: ${text}`);
}

function parseDescription(text: string): Parsed<string> {
  if (text.length > DESCRIPTION_MAX_LENGTH) return refused(`at most ${DESCRIPTION_MAX_LENGTH} characters`);
  const reason = unreadable(text, 'several');
  return reason ? refused(reason) : accepted(text, text);
}

const parsePath = (text: string): Parsed<string> => accepted(text.replaceAll('\\', '/'), text);

/** The columns by field: the names that a header may use, and the parser of a cell. */
const COLUMNS = {
  pack: [['pack'], parseLine],
  file: [['file', 'filename', 'path'], parsePath],
  name: [['title', 'name'], parseLine],
  bpm: [['bpm', 'tempo'], parseTempo],
  key: [['key'], parseKey],
  instruments: [['instruments', 'instrument'], parseInstruments],
  creditCost: [['price', 'cost', 'credits'], parseCost],
  isRoyaltyFree: [['royalty-free'], parseYesNo],
  kind: [['kind'], parseKind],
  origin: [['origin'], parseOrigin],
  midi: [['midi'], parsePath],
  stems: [['stems'], parsePath],
  genre: [['genre'], parseGenre],
  mood: [['mood', 'moods'], parseMood],
  description: [['description'], parseDescription],
  cover: [['cover'], parsePath],
} as const satisfies Record<string, readonly [readonly string[], (text: string) => Parsed<unknown>]>;

type Field = keyof typeof COLUMNS;
type ValueOf<F extends Field> = Extract<ReturnType<(typeof COLUMNS)[F][1]>, { ok: true }>['value'];

/** The values of a row. Empty cells are absent. */
export type ManifestRow = { row: number } & { [F in Field]?: ValueOf<F> };

/** Lists the names of the columns, for help texts. */
const MANIFEST_COLUMNS: readonly string[] = Object.values(COLUMNS).map(([[name]]) => name);

const FIELDS = Object.keys(COLUMNS) as Field[];
const fieldOf = (head: string): Field | undefined =>
  FIELDS.find((field) => COLUMNS[field][0].some((name) => name === asWritten(head).toLowerCase()));

/** Returns the character that separates the cells of the header. Some spreadsheets write semicolons or tabs. */
function separatorOf(text: string): string {
  const head = text.slice(0, text.search(/\n|$/));
  const countOf = (separator: string): number => head.split(separator).length;
  return [',', ';', '\t'].reduce((best, next) => (countOf(next) > countOf(best) ? next : best));
}

function problemOfHeads(heads: readonly string[]): string | undefined {
  const fields = heads.map(fieldOf);
  const unknown = heads.filter((head, at) => head.trim() !== '' && !fields[at]);
  if (unknown.length > 0)
    return `no such column: ${unknown.join(', ')}. The columns are ${MANIFEST_COLUMNS.join(', ')}`;
  const twice = fields.find((field, at) => field && fields.indexOf(field) !== at);
  if (twice) return `the column ${COLUMNS[twice][0][0]} is there twice`;
  return fields.includes('file') || fields.includes('pack') ? undefined : 'a column file or pack is missing';
}

/** Returns the text of a manifest. Spreadsheets write UTF-8, or Windows-1252 in their older CSV format. */
export function manifestText(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

/** Reads the text of a manifest. Does not check whether the files exist. */
export function readManifest(text: string): { rows: ManifestRow[]; wrongRows: WrongRow[] } {
  const [heads = [], ...lines] = parseRows(text.replace(/^\uFEFF/, ''), separatorOf(text));
  const problem = problemOfHeads(heads);
  if (problem) return { rows: [], wrongRows: [{ row: 1, reason: problem }] };
  const fields = heads.map(fieldOf);
  const rows: ManifestRow[] = [];
  const wrongRows: WrongRow[] = [];
  for (const [at, cells] of lines.entries()) {
    if (cells.every((cell) => cell.trim() === '')) continue;
    const row: ManifestRow = { row: at + 2 };
    const reasons = cells.flatMap((cell, place) => {
      const given = asWritten(cell);
      const field = fields[place];
      if (given === '') return [];
      if (!field) return ['more cells than columns'];
      const parsed: Parsed<unknown> = COLUMNS[field][1](given);
      if (!parsed.ok) return [`${COLUMNS[field][0][0]}: ${parsed.error}`];
      Object.assign(row, { [field]: parsed.value });
      return [];
    });
    if (row.file === undefined && row.pack === undefined && reasons.length === 0)
      reasons.push('neither file nor pack is named');
    if (reasons.length > 0) wrongRows.push({ row: row.row, reason: reasons.join('; ') });
    else rows.push(row);
  }
  return { rows, wrongRows };
}
