import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { LegalTexts } from '../application/legal/legal-texts.js';
import { LEGAL_DOCUMENTS, type LegalDocument } from '../domain/legal/acceptance.js';
import { ConfigError } from './config.js';

/** The largest accepted size of a legal text. Even the terms of the largest shops are shorter. */
const TEXT_LIMIT_BYTES = 256 * 1024;

/**
 * The folder of the package. This file is in `bootstrap` in the sources and in `dist/server/bootstrap` after
 * compilation.
 */
const PACKAGE = import.meta.dirname.replace(/([\\/]dist[\\/]server)?[\\/]bootstrap$/, '');

/**
 * Reads the operator's legal texts from `folder`, or the templates of the package if `folder` is undefined.
 * @throws ConfigError for a text that is missing, empty, too large or not UTF-8
 */
export function readLegalTexts(folder: string | undefined): LegalTexts {
  const from = folder ?? join(PACKAGE, 'legal');
  const texts = LEGAL_DOCUMENTS.map((document) => [document, readText(join(from, `${document}.md`))]);
  return new LegalTexts(Object.fromEntries(texts) as Record<LegalDocument, string>, folder === undefined);
}

function readText(path: string): string {
  const file = statSync(path, { throwIfNoEntry: false });
  if (!file?.isFile()) throw new ConfigError(`LEGAL_DIR: ${path} is missing. Every legal text is needed.`);
  if (file.size > TEXT_LIMIT_BYTES)
    throw new ConfigError(`LEGAL_DIR: ${path} is larger than ${TEXT_LIMIT_BYTES / 1024} kB.`);
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(path));
  } catch {
    throw new ConfigError(`LEGAL_DIR: ${path} is not readable as UTF-8 text.`);
  }
  // PostgreSQL stores no NUL.
  if (text.includes('\0')) throw new ConfigError(`LEGAL_DIR: ${path} is not a text.`);
  if (text.trim() === '') throw new ConfigError(`LEGAL_DIR: ${path} is empty.`);
  return text.replaceAll('\r\n', '\n');
}
