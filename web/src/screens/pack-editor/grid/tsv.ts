import { parseRows } from '../../../../../application/publishing/folder/cells.js';

/** Parses cells copied from a spreadsheet. */
export const parseTsv = (text: string): string[][] => parseRows(text, '\t');

const asCell = (text: string): string => (/[\t\n"]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** Formats cells for the clipboard, as spreadsheets do. */
export const toTsv = (rows: readonly (readonly string[])[]): string =>
  rows.map((row) => row.map(asCell).join('\t')).join('\n');
