import { createRequire } from 'node:module';
import type PDFDocument from 'pdfkit';

export type Document = InstanceType<typeof PDFDocument>;

export const INK = '#12201A';
export const GROUND = '#0D1815';
export const GRID = '#1B2D26';
export const PAPER = '#FFFFFF';
export const MUTED = '#45584F';
export const LINE = '#CED7CD';
export const ORANGE = '#FF5A2C';
export const PALE = '#B0C2B8';

export const WIDTH = 595.28;
export const HEIGHT = 841.89;
export const MARGIN = 56;
export const COLUMN = WIDTH - 2 * MARGIN;

export const dayOf = (time: string): string =>
  new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(time));

/** A label and its value. A value without a small line below it is an id, in small type. */
export type Row = [label: string, value: string, small?: string];

/** Draws rows with lines between them. @returns the y coordinate below the last row */
export function table(document: Document, rows: readonly Row[], top: number): number {
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

/** Writes a text into a box, and shortens it with an ellipsis if it is too long. */
export function write(
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

export type Style = keyof typeof STYLES;

/** Members that pdfkit's type declarations omit. */
interface Fontkit {
  hasGlyphForCodePoint(codePoint: number): boolean;
}
type Opened = Document & { _font: { font: Fontkit } };

export function registerFaces(document: Document): void {
  for (const [style, [face, weight, subsets]] of Object.entries(STYLES))
    for (const subset of subsets) document.registerFont(`${style}/${subset}`, file(face, subset, weight));
}

/** Splits a text by the font that has its letters. A letter in no font is printed as its code point, not dropped. */
export function runsOf(document: Document, style: Style, text: string): { font: string; text: string }[] {
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
