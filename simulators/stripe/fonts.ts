import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

/** The product's fonts, if they are installed here; otherwise the pages use the system's fonts. */
const FILES: Record<string, string> = {
  archivo: '@fontsource-variable/archivo/files/archivo-latin-standard-normal.woff2',
  bricolage: '@fontsource-variable/bricolage-grotesque/files/bricolage-grotesque-latin-standard-normal.woff2',
};

export const FONT_FACES = `
@font-face{font-family:"Archivo Variable";src:url(/fonts/archivo) format("woff2");font-weight:100 900;font-stretch:62% 125%}
@font-face{font-family:"Bricolage Grotesque Variable";src:url(/fonts/bricolage) format("woff2");font-weight:200 800;font-stretch:75% 100%}`;

/** @returns undefined if the font is unknown or not installed */
export function readFont(name: string): Buffer | undefined {
  const file = Object.hasOwn(FILES, name) ? FILES[name] : undefined;
  if (!file) return undefined;
  try {
    return readFileSync(createRequire(import.meta.url).resolve(file));
  } catch {
    return undefined;
  }
}
