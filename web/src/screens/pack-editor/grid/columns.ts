import type * as z from 'zod';
import {
  INSTRUMENTS,
  KEYS,
  KIND_LABELS,
  KINDS,
  ORIGIN_LABELS,
  ORIGINS,
} from '../../../../../application/catalogue/values.js';
import { type OwnSample, type SampleChange } from '../../../../../application/publishing/contract.js';
import {
  COSTS_HINT,
  parseCost,
  type Parsed,
  parseInstruments,
  parseKey,
  parseKind,
  parseOrigin,
  parseTempo,
  parseTitle,
  parseYesNo,
} from '../../../../../application/publishing/folder/cells.js';
import { TITLE_MAX_LENGTH } from '../../../../../application/publishing/values.js';
import { COSTS } from '../sample-fields.js';

type Facts = Required<z.infer<typeof SampleChange>>;
export type ColumnId = keyof Facts;

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
  column({
    id: 'kind',
    label: 'Kind',
    hint: 'Loop, One-shot or Take, or nothing',
    options: KINDS.map((kind) => KIND_LABELS[kind]),
    textOf: ({ kind }) => (kind ? KIND_LABELS[kind] : ''),
    parse: parseKind,
  }),
];
