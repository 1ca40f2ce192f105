import { ProblemException } from './problem-exception.js';
import type { HttpRequest, HttpResponse } from './request.js';

/** Returns the version in `If-Match: "7"`; undefined without the header or with `*`. */
export function versionNamedBy({ headers }: HttpRequest): number | undefined {
  const value = headers['if-match']?.trim();
  if (value === undefined || value === '*') return undefined;
  const version = /^(?:W\/)?"(\d{1,9})"$|^(\d{1,9})$/.exec(value);
  // A tag in another format matches no version.
  if (!version)
    throw new ProblemException('StaleVersion', { detail: 'This If-Match header contains no version.' });
  return Number(version[1] ?? version[2]);
}

export function setVersion(response: HttpResponse, version: number): void {
  response.setHeader('ETag', `"${version}"`);
}
