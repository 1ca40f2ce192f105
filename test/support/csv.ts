/** What a spreadsheet may run, as OWASP lists it. */
export const FORMULA = /^\s*[=+\-@＝＋－＠]|^[\t\r\n]/;

/** The cells of each line, as RFC 4180 reads them. */
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
