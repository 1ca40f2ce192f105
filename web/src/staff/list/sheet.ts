/** A cell for spreadsheets: a text, a count, or an amount in micro-dollars. */
export type CellValue = string | number | { microUsd: number };

export interface Sheet {
  columns: readonly string[];
  rows: readonly (readonly CellValue[])[];
  /** The part of the list: "matching “piano”"; empty or absent for the whole list. */
  part?: string;
}

/**
 * Describes the rows that remain after a search and a file's row limit.
 * @param isWhole whether every row of the list was searched
 */
export function partOf(found: number, all: number, words: string, isWhole: boolean): string {
  const first = isWhole ? '' : `first ${all.toLocaleString('en')}`;
  return [first, words && found < all ? `matching “${words}”` : ''].filter(Boolean).join(', ');
}

/** Micro-dollars as "-1234.567890": exact, without floating point, and with an ASCII minus. */
export function decimalOf(microUsd: number): string {
  const digits = String(Math.abs(microUsd)).padStart(7, '0');
  return `${microUsd < 0 ? '-' : ''}${digits.slice(0, -6)}.${digits.slice(-6)}`;
}

/** Prefixes an apostrophe to a text that a spreadsheet would run as a formula. */
function textOf(value: CellValue): string {
  if (typeof value === 'number') return String(value);
  if (typeof value === 'object') return decimalOf(value.microUsd);
  return /^\s*[=+\-@＝＋－＠\t\r\n]/.test(value) ? `'${value}` : value;
}

export function tsvOf({ columns, rows }: Sheet): string {
  const line = (cells: readonly CellValue[]) =>
    cells.map((cell) => textOf(cell).replaceAll(/[\t\r\n]+/g, ' ')).join('\t');
  return [columns, ...rows].map(line).join('\n');
}

/** CSV by RFC 4180, with a header. */
export function csvOf({ columns, rows }: Sheet): string {
  const quoted = (text: string) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  return [columns, ...rows]
    .map((cells) => `${cells.map((cell) => quoted(textOf(cell))).join(',')}\r\n`)
    .join('');
}

/** Compares for sorting: amounts and counts by size, texts alphabetically. */
export function compareCells(a: CellValue, b: CellValue): number {
  const [one, other] = [a, b].map((cell) => (typeof cell === 'object' ? cell.microUsd : cell));
  return typeof one === 'number' && typeof other === 'number'
    ? one - other
    : String(one).localeCompare(String(other), 'en', { numeric: true });
}
