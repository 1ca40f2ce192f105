/** Texts that a spreadsheet may run as a formula, as OWASP lists them. */
export const FORMULA = /^\s*[=+\-@＝＋－＠]|^[\t\r\n]/;

/** Returns the cells of each line (RFC 4180). */
export function parseCsv(text: string): string[][] {
  const lines: string[][] = [];
  for (const line of text.matchAll(/((?:"(?:[^"]|"")*"|[^",\r\n]*)(?:,(?:"(?:[^"]|"")*"|[^",\r\n]*))*)\r\n/g))
    lines.push(
      [...(line[1] as string).matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^",\r\n]*))/g)].map(
        ([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain ?? '',
      ),
    );
  return lines;
}
