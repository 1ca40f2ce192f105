import {
  INSTRUMENTS,
  keyOf,
  type Instrument,
  type MusicalKey,
} from '../../../domain/catalogue/vocabulary.js';
import { KINDS, type Kind } from '../../../domain/shared/kind.js';
import { ORIGINS, type Origin } from '../../../domain/shared/origin.js';
import { KIND_LABELS, ORIGIN_LABELS } from '../../catalogue/values.js';
import {
  COST_MAX_CREDITS,
  COST_MIN_CREDITS,
  INSTRUMENTS_LIMIT,
  SAMPLE_TEMPO_MAX_BPM,
  TITLE_MAX_LENGTH,
} from '../values.js';

/**
 * Parses rows of a spreadsheet, from CSV or from its clipboard. Line breaks separate rows, and quotes enclose a cell that
 * contains one or a separator.
 */
export function parseRows(text: string, separator: string): string[][] {
  const rows: string[][] = [[]];
  let cell = '';
  let quoted = false;
  const endCell = () => {
    rows.at(-1)?.push(cell);
    cell = '';
  };
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at] as string;
    if (quoted) {
      if (character !== '"') cell += character;
      else if (text[at + 1] === '"') {
        cell += '"';
        at += 1;
      } else quoted = false;
    } else if (character === '"' && cell === '') quoted = true;
    else if (character === separator) endCell();
    else if (character === '\n') {
      endCell();
      rows.push([]);
    } else if (character !== '\r') cell += character;
  }
  endCell();
  // Spreadsheets end the last line with a line break, too.
  if (rows.length > 1 && rows.at(-1)?.length === 1 && rows.at(-1)?.[0] === '') rows.pop();
  return rows;
}

/** The result of reading a cell: its value and its normalised text, or why the text is invalid. */
export type Parsed<Value> = { ok: true; value: Value; text: string } | { ok: false; error: string };

const YES = new Set(['yes', 'y', 'true', '1', 'x', '✓']);
const NO = new Set(['no', 'n', 'false', '0', '']);
const NONE = new Set(['', 'none', '-', '–']);
export const COSTS_HINT = `${COST_MIN_CREDITS} to ${COST_MAX_CREDITS} credits`;

const means = <Value>(value: Value, text: string): Parsed<Value> => ({ ok: true, value, text });
const wrong = (error: string): Parsed<never> => ({ ok: false, error });

export function parseTitle(text: string): Parsed<string> {
  const title = text.trim();
  if (title === '') return wrong('Enter a name');
  if (title.length > TITLE_MAX_LENGTH) return wrong(`At most ${TITLE_MAX_LENGTH} characters`);
  return means(title, title);
}

/** Accepts "92", "92 BPM" and "91.6"; an empty text means no tempo. */
export function parseTempo(text: string): Parsed<number> {
  const typed = text.trim().replace(/\s*bpm$/i, '');
  if (NONE.has(typed) || typed === '0') return means(0, '');
  const bpm = /^\d{1,4}([.,]\d+)?$/.test(typed) ? Math.round(Number(typed.replace(',', '.'))) : Number.NaN;
  if (!(bpm >= 1 && bpm <= SAMPLE_TEMPO_MAX_BPM))
    return wrong(`A number up to ${SAMPLE_TEMPO_MAX_BPM}, or nothing`);
  return means(bpm, String(bpm));
}

/** Accepts "C# Minor", "c#m" and "C# min"; an empty text means no key. */
export function parseKey(text: string): Parsed<MusicalKey | null> {
  if (NONE.has(text.trim().toLowerCase())) return means(null, '');
  const key = keyOf(text);
  return key ? means(key, key) : wrong('A key such as F# Minor, or nothing');
}

export function parseInstruments(text: string): Parsed<Instrument[]> {
  const found = new Set<Instrument>();
  for (const name of text.split(/[,;/]/)) {
    const wanted = name.trim().toLowerCase();
    if (wanted === '') continue;
    const known = INSTRUMENTS.find((instrument) => instrument.toLowerCase() === wanted);
    if (!known) return wrong(`No such instrument: ${name.trim()}`);
    found.add(known);
  }
  if (found.size > INSTRUMENTS_LIMIT) return wrong(`At most ${INSTRUMENTS_LIMIT} instruments`);
  return means([...found], [...found].join(', '));
}

export function parseCost(text: string): Parsed<number> {
  const credits = /^\s*(\d)\s*(credits?)?\s*$/i.exec(text)?.[1];
  const cost = Number(credits ?? Number.NaN);
  if (!(cost >= COST_MIN_CREDITS && cost <= COST_MAX_CREDITS)) return wrong(COSTS_HINT);
  return means(cost, String(cost));
}

export function parseYesNo(text: string): Parsed<boolean> {
  const typed = text.trim().toLowerCase();
  if (YES.has(typed)) return means(true, 'Yes');
  return NO.has(typed) ? means(false, 'No') : wrong('Yes or No');
}

/** Accepts "One-shot", "one shot" and "long take"; an empty text means that the file decides. */
export function parseKind(text: string): Parsed<Kind | null> {
  const typed = text.trim().toLowerCase();
  if (NONE.has(typed)) return means(null, '');
  const written = typed.replace(/^long /, '').replaceAll(/[\s_-]/g, '');
  const kind = KINDS.find((each) => each.replace('-', '') === written);
  return kind ? means(kind, KIND_LABELS[kind]) : wrong('Loop, One-shot or Take, or nothing');
}

export function parseOrigin(text: string): Parsed<Origin | null> {
  const typed = text.trim().toLowerCase();
  if (NONE.has(typed)) return means(null, '');
  const origin = ORIGINS.find((each) => each === typed || ORIGIN_LABELS[each].toLowerCase() === typed);
  return origin ? means(origin, ORIGIN_LABELS[origin]) : wrong('An origin such as Recorded, or nothing');
}
