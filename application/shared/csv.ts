import { decimalDollars } from '../../domain/shared/micro-usd.js';

/** Quotes a cell if CSV needs it. Prefixes an apostrophe to text that a spreadsheet would run as a formula. */
export function csvCell(value: string | number): string {
  if (typeof value === 'number') return String(value);
  const safe = /^\s*[=+\-@＝＋－＠\t\r\n]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/**
 * An amount is written as dollars with six places. Texts that begin with a minus get an apostrophe against formulas,
 * but amounts do not.
 */
type Cell = string | number | { microUsd: number };

export const csvOf = (columns: readonly string[], rows: readonly (readonly Cell[])[]): string =>
  [columns, ...rows]
    .map((row) => {
      const cells = row.map((cell) =>
        typeof cell === 'object' ? decimalDollars(cell.microUsd) : csvCell(cell),
      );
      return `${cells.join(',')}\r\n`;
    })
    .join('');
