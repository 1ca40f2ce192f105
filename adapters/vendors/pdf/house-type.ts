import { createRequire } from 'node:module';
import type PDFDocument from 'pdfkit';

const resolve = createRequire(import.meta.url).resolve;
const file = (face: string, subset: string, weight: number): string =>
  resolve(`@fontsource/${face}/files/${face}-${subset}-${weight}-normal.woff`);

/** Font files of each style; a letter uses the first file that has it. */
const STYLES = {
  display: ['bricolage-grotesque', 800, ['latin', 'latin-ext', 'vietnamese']],
  text: ['archivo', 400, ['latin', 'latin-ext', 'vietnamese']],
  strong: ['archivo', 600, ['latin', 'latin-ext', 'vietnamese']],
  mono: ['martian-mono', 400, ['latin', 'latin-ext', 'cyrillic']],
} as const satisfies Record<string, readonly [string, number, readonly string[]]>;

export type Style = keyof typeof STYLES;

/** Members that pdfkit's own declarations omit. */
interface Fontkit {
  hasGlyphForCodePoint(codePoint: number): boolean;
}
type Document = InstanceType<typeof PDFDocument>;
type Opened = Document & { _font: { font: Fontkit } };

export function registerFaces(document: Document): void {
  for (const [style, [face, weight, subsets]] of Object.entries(STYLES))
    for (const subset of subsets) document.registerFont(`${style}/${subset}`, file(face, subset, weight));
}

interface Run {
  font: string;
  text: string;
}

/** Splits a text by the font that has its letters. Other letters become code points, so that no text is lost. */
export function runsOf(document: Document, style: Style, text: string): Run[] {
  const fonts = STYLES[style][2].map((subset) => `${style}/${subset}`);
  const opened = new Map<string, Fontkit>();
  // Open a file only if the ones before it lack a letter: most texts need only the first.
  const knows = (font: string, codePoint: number): boolean => {
    if (!opened.has(font)) {
      document.font(font);
      opened.set(font, (document as Opened)._font.font);
    }
    return opened.get(font)?.hasGlyphForCodePoint(codePoint) ?? false;
  };
  const runs: Run[] = [];
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
