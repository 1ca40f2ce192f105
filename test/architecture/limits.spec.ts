import { describe, expect, it } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { ENDPOINTS } from '../../application/all-endpoints.js';
import { isRawBody } from '../../application/shared/endpoint.js';

const LIMITS = ['maxLength', 'minLength', 'maximum', 'minimum', 'maxItems'];
/** Numbers so common that they do not identify a limit. */
const COMMON = new Set([0, 1, 100]);

/** Collects every number in a JSON Schema that limits something. */
function limitsIn(schema: unknown, found = new Set<number>()): Set<number> {
  if (typeof schema !== 'object' || schema === null) return found;
  for (const [name, value] of Object.entries(schema)) {
    if (LIMITS.includes(name) && typeof value === 'number' && !COMMON.has(value)) found.add(value);
    else limitsIn(value, found);
  }
  return found;
}

const inContracts = new Set(
  ENDPOINTS.flatMap(({ body }) => {
    if (body === undefined) return [];
    if (isRawBody(body)) return [body.limitBytes];
    return [...limitsIn(z.toJSONSchema(body, { io: 'input', unrepresentable: 'any' }))];
  }),
);

const NAMED_LIMIT = /const (\w*(?:LIMIT|MAX|MIN|MOST|LONGEST|SHORTEST|LARGEST)\w*) = ([\d_ *]+);/g;
/** Matches truncations and comparisons with a length. */
const LENGTH = /\.slice\(0, ([\d_]+)\)|\.length (?:<|>|<=|>=) ([\d_]+)\b/g;
const valueOf = (text: string): number =>
  text
    .replaceAll('_', '')
    .split('*')
    .reduce((product, factor) => product * Number(factor), 1);

/** Returns the limits that a source of the client repeats. @param limits of the contracts */
function retypedIn(source: string, limits: ReadonlySet<number>): string[] {
  const named = [...source.matchAll(NAMED_LIMIT)].filter(([, , value]) => limits.has(valueOf(value ?? '')));
  const lengths = [...source.matchAll(LENGTH)].filter(
    ([, cut, compared]) =>
      valueOf(cut ?? compared ?? '') >= 100 && limits.has(valueOf(cut ?? compared ?? '')),
  );
  return [...named, ...lengths].map(([text]) => text);
}

/**
 * Limits of the client that equal a contract's number by chance: a pause, undo steps, seconds of an own sound, bars
 * of a chart, a description.
 */
const OWN = [
  'const LONGEST_PAUSE_MS = 5_000;',
  'const UNDO_LIMIT = 200;',
  'const OWN_LANE_LIMIT_SECONDS = 120;',
  'const MOST_BUCKETS = 30;',
  '.length <= 200',
];

describe('limits of the contracts', () => {
  it('[WEB-29] are found wherever the client says one again', () => {
    const limits = new Set([500, 5 * 1024 * 1024]);
    expect(retypedIn('const MOST_BYTES = 5 * 1024 * 1024;', limits)).toHaveLength(1);
    expect(retypedIn('const LONGEST_TEXT = 500;', limits)).toHaveLength(1);
    expect(retypedIn('text.slice(0, 500)', limits)).toHaveLength(1);
    expect(retypedIn('if (text.length > 500) return;', limits)).toHaveLength(1);
    expect(retypedIn('const LONGEST_TEXT = 501; const ROOM = 500;', limits)).toEqual([]);
  });

  it('[WEB-29] are said once: the client takes them from values.ts', () => {
    expect(inContracts.size).toBeGreaterThan(10);
    const retyped = readdirSync('web/src', { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.tsx?$/.test(name))
      .flatMap((name) =>
        retypedIn(readFileSync(join('web/src', name), 'utf8'), inContracts)
          .filter((text) => !OWN.includes(text))
          .map((text) => `${name}: ${text}`),
      );
    expect(retyped).toEqual([]);
  });
});
