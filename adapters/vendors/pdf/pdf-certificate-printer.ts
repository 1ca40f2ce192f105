import { createRequire } from 'node:module';
import { buffer } from 'node:stream/consumers';
import PDFDocument from 'pdfkit';
import type { CertificatePrinter } from '../../../application/purchases/certificates.js';
import type { Certificate } from '../../../application/purchases/contract.js';
import { aiTrainingText, licenceText } from '../../../application/purchases/licence.js';

type Document = InstanceType<typeof PDFDocument>;

const INK = '#12201A';
const GROUND = '#0D1815';
const GRID = '#1B2D26';
const PAPER = '#FFFFFF';
const MUTED = '#45584F';
const LINE = '#CED7CD';
const ORANGE = '#FF5A2C';
const PALE = '#B0C2B8';

const WIDTH = 595.28;
const HEIGHT = 841.89;
const MARGIN = 56;
const COLUMN = WIDTH - 2 * MARGIN;
const HEAD = 250;

export class PdfCertificatePrinter implements CertificatePrinter {
  async print(certificate: Certificate, verifyUrl: string): Promise<Buffer> {
    const { sample, creator } = certificate;
    const document = new PDFDocument({
      size: 'A4',
      margin: 0,
      lang: 'en',
      displayTitle: true,
      pdfVersion: '1.7',
      info: {
        Title: `Licence certificate: ${sample.title}`,
        Author: 'Offcut',
        Subject: `${sample.title} by ${creator.displayName}`,
        // Fixed dates, so that the same certificate always gives the same file.
        CreationDate: new Date(certificate.issuedAt),
        ModDate: new Date(certificate.issuedAt),
      },
    });
    const bytes = buffer(document);
    registerFaces(document);
    head(document, certificate);
    const below = facts(document, certificate, HEAD + 30);
    licence(document, certificate, below + 18);
    foot(document, certificate, verifyUrl);
    document.end();
    return bytes;
  }
}

function head(document: Document, { sample, creator }: Certificate): void {
  const clip = 84;
  document.polygon([0, 0], [WIDTH - clip, 0], [WIDTH, clip], [WIDTH, HEAD], [0, HEAD]).fill(GROUND);
  document.save();
  document.polygon([0, 0], [WIDTH - clip, 0], [WIDTH, clip], [WIDTH, HEAD], [0, HEAD]).clip();
  document.lineWidth(0.5).strokeColor(GRID);
  for (let x = MARGIN; x < WIDTH; x += 28) document.moveTo(x, 0).lineTo(x, HEAD).stroke();
  for (let y = 26; y < HEAD; y += 28) document.moveTo(0, y).lineTo(WIDTH, y).stroke();
  document.restore();
  // The clipped corner, moved outwards.
  document.polygon([WIDTH - clip + 12, 12], [WIDTH - 12, 12], [WIDTH - 12, clip - 12]).fill(ORANGE);

  document.save().translate(MARGIN, 40).scale(0.9);
  document.path('M1 6h15.5L26 15.5V31H1z').fill(PAPER).path('M19 1h12v12z').fill(ORANGE);
  document.restore();
  write(document, ['display', 22, PAPER], 'Offcut', [MARGIN + 36, 42]);
  write(document, ['strong', 13, ORANGE], 'Licence certificate', [MARGIN, 106]);
  const size = fitting(document, sample.title, 46, COLUMN);
  write(document, ['display', size, PAPER], sample.title, [MARGIN, 128], [COLUMN, 2]);
  const origin = `by ${creator.displayName}, from “${sample.pack}”`;
  write(document, ['text', 13, PALE], origin, [MARGIN, HEAD - 38], [COLUMN, 1]);
}

/** Returns the font size at which a title fits on one line, but at least half of `largest`: then it takes two lines. */
function fitting(document: Document, text: string, largest: number, width: number): number {
  const measured = runsOf(document, 'display', text).reduce(
    (sum, run) => sum + document.font(run.font).fontSize(largest).widthOfString(run.text),
    0,
  );
  return Math.max(largest / 2, Math.min(largest, (largest * width) / measured));
}

function facts(document: Document, certificate: Certificate, top: number): number {
  const { licensee, creator, sample, aiTraining } = certificate;
  const rows: [string, string, string?][] = [
    ['Licensed to', licensee.displayName, licensee.id],
    ['Licensed by', creator.displayName, creator.id],
    ['Sound', sample.title, sample.id],
    ['Issued', dayOf(certificate.issuedAt), certificate.issuedAt],
    ['Certificate', certificate.id],
    ...(aiTraining === undefined ? [] : [['AI training', aiTrainingText(aiTraining)] as [string, string]]),
    ['File, SHA-256', certificate.fileSha256],
  ];
  let y = top;
  for (const [label, value, small] of rows) {
    const isId = small === undefined;
    write(document, ['text', 10, MUTED], label, [MARGIN, y + 1]);
    const x = MARGIN + 110;
    const width = COLUMN - 110;
    write(document, isId ? ['mono', 8, INK] : ['strong', 12, INK], value, [x, y], [width, 1]);
    if (small) write(document, ['mono', 7, MUTED], small, [x, y + 16], [width, 1]);
    y += small ? 34 : 22;
    document
      .moveTo(MARGIN, y - 4)
      .lineTo(WIDTH - MARGIN, y - 4)
      .lineWidth(0.5)
      .stroke(LINE);
    y += 4;
  }
  return y;
}

function licence(document: Document, { licenceVersion }: Certificate, top: number): void {
  write(document, ['strong', 11, INK], `Offcut sample licence ${licenceVersion}`, [MARGIN, top]);
  let y = top + 20;
  for (const sentence of licenceText(licenceVersion)) {
    document.polygon([MARGIN, y + 2], [MARGIN + 6, y + 6], [MARGIN, y + 10]).fill(ORANGE);
    write(document, ['text', 10, INK], sentence, [MARGIN + 16, y], [COLUMN - 16, 3]);
    document.font('text/latin').fontSize(10);
    y += document.heightOfString(sentence, { width: COLUMN - 16, lineGap: 2 }) + 6;
  }
}

function foot(document: Document, { signature }: Certificate, verifyUrl: string): void {
  const top = HEIGHT - 120;
  document
    .moveTo(MARGIN, top)
    .lineTo(WIDTH - MARGIN, top)
    .lineWidth(2)
    .stroke(INK);
  write(document, ['strong', 10, INK], 'Check this certificate', [MARGIN, top + 14]);
  write(document, ['mono', 7.5, INK], verifyUrl, [MARGIN, top + 30], [COLUMN, 1]);
  document.link(MARGIN, top + 26, COLUMN, 16, verifyUrl);
  write(document, ['text', 10, MUTED], 'Signature, Ed25519', [MARGIN, top + 50]);
  write(document, ['mono', 7, MUTED], signature, [MARGIN, top + 66], [COLUMN, 2]);
}

const dayOf = (time: string): string =>
  new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(time));

/** Writes a text into a box, and shortens it with an ellipsis if it is too long. */
function write(
  document: Document,
  [style, size, color]: [Style, size: number, color: string],
  text: string,
  [x, y]: [x: number, y: number],
  box?: [width: number, lines: number],
): void {
  document.fontSize(size).fillColor(color);
  const runs = runsOf(document, style, text);
  for (const [index, { font, text: part }] of runs.entries()) {
    const options = {
      continued: index < runs.length - 1,
      lineGap: style === 'display' ? -size * 0.12 : 2,
      ...(box ? { width: box[0], height: box[1] * (size * 1.4), ellipsis: true } : { lineBreak: false }),
    };
    document.font(font);
    if (index === 0) document.text(part, x, y, options);
    else document.text(part, options);
  }
}

const resolve = createRequire(import.meta.url).resolve;
const file = (face: string, subset: string, weight: number): string =>
  resolve(`@fontsource/${face}/files/${face}-${subset}-${weight}-normal.woff`);

/** The font files of each style. Each letter uses the first file that contains it. */
const STYLES = {
  display: ['bricolage-grotesque', 800, ['latin', 'latin-ext', 'vietnamese']],
  text: ['archivo', 400, ['latin', 'latin-ext', 'vietnamese']],
  strong: ['archivo', 600, ['latin', 'latin-ext', 'vietnamese']],
  mono: ['martian-mono', 400, ['latin', 'latin-ext', 'cyrillic']],
} as const satisfies Record<string, readonly [string, number, readonly string[]]>;

type Style = keyof typeof STYLES;

/** Members that pdfkit's type declarations omit. */
interface Fontkit {
  hasGlyphForCodePoint(codePoint: number): boolean;
}
type Opened = Document & { _font: { font: Fontkit } };

function registerFaces(document: Document): void {
  for (const [style, [face, weight, subsets]] of Object.entries(STYLES))
    for (const subset of subsets) document.registerFont(`${style}/${subset}`, file(face, subset, weight));
}

/** Splits a text by the font that has its letters. A letter in no font is printed as its code point, not dropped. */
function runsOf(document: Document, style: Style, text: string): { font: string; text: string }[] {
  const fonts = STYLES[style][2].map((subset) => `${style}/${subset}`);
  const opened = new Map<string, Fontkit>();
  // Opens a font file only if the earlier files lack a letter. Most texts need only the first file.
  const knows = (font: string, codePoint: number): boolean => {
    if (!opened.has(font)) {
      document.font(font);
      opened.set(font, (document as Opened)._font.font);
    }
    return opened.get(font)?.hasGlyphForCodePoint(codePoint) ?? false;
  };
  const runs: { font: string; text: string }[] = [];
  for (const letter of text.normalize('NFC')) {
    const codePoint = letter.codePointAt(0) as number;
    const known = fonts.find((each) => knows(each, codePoint));
    const font = known ?? (fonts[0] as string);
    const shown =
      known === undefined ? `[U+${codePoint.toString(16).toUpperCase().padStart(4, '0')}]` : letter;
    const last = runs.at(-1);
    if (last?.font === font) last.text += shown;
    else runs.push({ font, text: shown });
  }
  return runs;
}
