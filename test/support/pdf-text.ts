import { inflateSync } from 'node:zlib';

export interface PdfLine {
  page: number;
  /** Points from the lower edge of the page. */
  y: number;
  text: string;
}

/** Reads the lines of a PDF of pdfkit, from top to bottom. */
export function linesOfPdf(pdf: Buffer): PdfLine[] {
  const file = pdf.toString('latin1');
  const objects = new Map(
    [...file.matchAll(/(\d+) 0 obj\n([\s\S]*?)\nendobj/g)].map(([, id = '', body = '']) => [id, body]),
  );
  const streamOf = (id: string): string => {
    const data = /stream\n([\s\S]*)\nendstream/.exec(objects.get(id) ?? '')?.[1] ?? '';
    return inflateSync(Buffer.from(data, 'latin1')).toString('latin1');
  };
  const letters = new Map<string, string[]>();
  for (const [, font = '', id = ''] of file.matchAll(/\/(F\d+) (\d+) 0 R/g)) {
    const map = /\/ToUnicode (\d+) 0 R/.exec(objects.get(id) ?? '')?.[1];
    if (!map) continue;
    const [, range = ''] = /beginbfrange\n([\s\S]*?)\nendbfrange/.exec(streamOf(map)) ?? [];
    // A ligature stands for several letters: <0066 0066>.
    const codes = [...range.matchAll(/\[([^\]]*)\]/g)].flatMap(
      ([, list = '']) => list.match(/[\da-f]+( [\da-f]+)*(?=>)/gi) ?? [],
    );
    letters.set(
      font,
      codes.map((code) => Buffer.from(code.replaceAll(' ', ''), 'hex').swap16().toString('utf16le')),
    );
  }
  const lines: PdfLine[] = [];
  const pages = [...objects.values()].filter((body) => /\/Type \/Page\b/.test(body));
  for (const [page, body] of pages.entries()) {
    const content = streamOf(/\/Contents (\d+) 0 R/.exec(body)?.[1] ?? '');
    for (const [, y = '', font = '', shown = ''] of content.matchAll(
      /1 0 0 1 [\d.-]+ ([\d.-]+) Tm\n\/(F\d+) [\d.]+ Tf\n[^[]*\[([^\]]*)\] TJ/g,
    )) {
      const glyphs = [...shown.matchAll(/<([\da-f]+)>/gi)].flatMap(
        ([, hex = '']) => hex.match(/.{4}/g) ?? [],
      );
      const text = glyphs.map((code) => letters.get(font)?.[Number.parseInt(code, 16)] ?? '').join('');
      const line = lines.find((each) => each.page === page && each.y === Number(y));
      if (line) line.text += text;
      else lines.push({ page, y: Number(y), text });
    }
  }
  return lines.toSorted((a, b) => a.page - b.page || b.y - a.y);
}
