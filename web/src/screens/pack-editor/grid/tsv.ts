/**
 * Parses cells copied from a spreadsheet: tabs separate cells, line breaks separate rows, and quotes enclose a cell
 * that contains either.
 */
export function parseTsv(text: string): string[][] {
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
    else if (character === '\t') endCell();
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

const asCell = (text: string): string => (/[\t\n"]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** Formats cells for the clipboard, as spreadsheets do. */
export const toTsv = (rows: readonly (readonly string[])[]): string =>
  rows.map((row) => row.map(asCell).join('\t')).join('\n');
