import type * as z from 'zod';
import {
  INSTRUMENTS,
  KEYS,
  keyOf,
  ORIGIN_LABELS,
  ORIGINS,
} from '../../../../../application/catalogue/values.js';
import { type OwnSample, type SampleChange } from '../../../../../application/publishing/contract.js';
import {
  COST_MAX_CREDITS,
  COST_MIN_CREDITS,
  INSTRUMENTS_LIMIT,
  SAMPLE_TEMPO_MAX_BPM,
  TITLE_MAX_LENGTH,
} from '../../../../../application/publishing/values.js';
import { COSTS } from '../sample-fields.js';

type Facts = Required<z.infer<typeof SampleChange>>;
export type ColumnId = keyof Facts;

/** The result of reading a cell: its value and its normalised text, or why the text is invalid. */
export type Parsed<Value> = { ok: true; value: Value; text: string } | { ok: false; error: string };

export interface Column<Id extends ColumnId = ColumnId> {
  id: Id;
  label: string;
  /** The help text that is shown while a cell is edited. */
  hint: string;
  numeric?: boolean;
  /** The values that are suggested while a cell is edited. */
  options?: readonly string[];
  textOf: (sample: OwnSample) => string;
  parse: (text: string) => Parsed<Facts[Id]>;
}

const YES = new Set(['yes', 'y', 'true', '1', 'x', '✓']);
const NO = new Set(['no', 'n', 'false', '0', '']);
const NONE = new Set(['', 'none', '-', '–']);
const COSTS_HINT = `${COST_MIN_CREDITS} to ${COST_MAX_CREDITS} credits`;

const means = <Value>(value: Value, text: string): Parsed<Value> => ({ ok: true, value, text });
const wrong = (error: string): Parsed<never> => ({ ok: false, error });

function parseTitle(text: string): Parsed<string> {
  const title = text.trim();
  if (title === '') return wrong('Enter a name');
  if (title.length > TITLE_MAX_LENGTH) return wrong(`At most ${TITLE_MAX_LENGTH} characters`);
  return means(title, title);
}

/** Accepts "92", "92 BPM" and "91.6"; an empty text means no tempo. */
function parseTempo(text: string): Parsed<number> {
  const typed = text.trim().replace(/\s*bpm$/i, '');
  if (NONE.has(typed) || typed === '0') return means(0, '');
  const bpm = /^\d{1,4}([.,]\d+)?$/.test(typed) ? Math.round(Number(typed.replace(',', '.'))) : Number.NaN;
  if (!(bpm >= 1 && bpm <= SAMPLE_TEMPO_MAX_BPM))
    return wrong(`A number up to ${SAMPLE_TEMPO_MAX_BPM}, or nothing`);
  return means(bpm, String(bpm));
}

/** Accepts "C# Minor", "c#m" and "C# min"; an empty text means no key. */
function parseKey(text: string): Parsed<Facts['key']> {
  if (NONE.has(text.trim().toLowerCase())) return means(null, '');
  const key = keyOf(text);
  return key ? means(key, key) : wrong('A key such as F# Minor, or nothing');
}

function parseInstruments(text: string): Parsed<Facts['instruments']> {
  const found = new Set<Facts['instruments'][number]>();
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

function parseCost(text: string): Parsed<number> {
  const credits = /^\s*(\d)\s*(credits?)?\s*$/i.exec(text)?.[1];
  const cost = Number(credits ?? Number.NaN);
  if (!(cost >= COST_MIN_CREDITS && cost <= COST_MAX_CREDITS)) return wrong(COSTS_HINT);
  return means(cost, String(cost));
}

function parseYesNo(text: string): Parsed<boolean> {
  const typed = text.trim().toLowerCase();
  if (YES.has(typed)) return means(true, 'Yes');
  return NO.has(typed) ? means(false, 'No') : wrong('Yes or No');
}

function parseOrigin(text: string): Parsed<Facts['origin']> {
  const typed = text.trim().toLowerCase();
  if (NONE.has(typed)) return means(null, '');
  const origin = ORIGINS.find((each) => each === typed || ORIGIN_LABELS[each].toLowerCase() === typed);
  return origin ? means(origin, ORIGIN_LABELS[origin]) : wrong('An origin such as Recorded, or nothing');
}

const column = <Id extends ColumnId>(definition: Column<Id>): Column => definition as unknown as Column;

/** The facts of a sample that a creator may change, in the order of the grid. */
export const COLUMNS: readonly Column[] = [
  column({
    id: 'name',
    label: 'Title',
    hint: `At most ${TITLE_MAX_LENGTH} characters`,
    textOf: ({ name }) => name,
    parse: parseTitle,
  }),
  column({
    id: 'bpm',
    label: 'Tempo',
    hint: 'Whole beats a minute, or nothing',
    numeric: true,
    textOf: ({ bpm }) => (bpm === 0 ? '' : String(bpm)),
    parse: parseTempo,
  }),
  column({
    id: 'key',
    label: 'Key',
    hint: 'Such as F# Minor or f#m, or nothing',
    options: KEYS,
    textOf: ({ key }) => key ?? '',
    parse: parseKey,
  }),
  column({
    id: 'instruments',
    label: 'Instruments',
    hint: 'With commas between them',
    options: INSTRUMENTS,
    textOf: ({ instruments }) => instruments.join(', '),
    parse: parseInstruments,
  }),
  column({
    id: 'creditCost',
    label: 'Cost',
    hint: COSTS_HINT,
    numeric: true,
    options: COSTS.map(String),
    textOf: ({ creditCost }) => String(creditCost),
    parse: parseCost,
  }),
  column({
    id: 'isRoyaltyFree',
    label: 'Royalty-free',
    hint: 'Yes or No',
    options: ['Yes', 'No'],
    textOf: ({ isRoyaltyFree }) => (isRoyaltyFree ? 'Yes' : 'No'),
    parse: parseYesNo,
  }),
  column({
    id: 'origin',
    label: 'Origin',
    hint: 'How the sound was made, or nothing',
    options: ORIGINS.map((origin) => ORIGIN_LABELS[origin]),
    textOf: ({ origin }) => (origin ? ORIGIN_LABELS[origin] : ''),
    parse: parseOrigin,
  }),
];
