import { describe, expect, it } from '@jest/globals';
import * as z from 'zod';
import { ENDPOINTS } from '../../application/all-endpoints.js';
import { exactText, lineText } from '../../application/shared/contract.js';
import { isRawBody, type Endpoint } from '../../application/shared/endpoint.js';

interface Definition {
  type: string;
  format?: string;
  checks?: Array<{ _zod: { def: { check: string; format?: string } } }>;
  shape?: Record<string, z.core.$ZodType>;
  options?: readonly z.core.$ZodType[];
  items?: readonly z.core.$ZodType[];
  getter?: () => z.core.$ZodType;
}
const PARTS = ['innerType', 'element', 'in', 'out', 'keyType', 'valueType', 'left', 'right'] as const;
/** Formats that limit the length themselves. */
const FORMATS = ['date', 'datetime', 'uuid'];

/** Returns the texts in a schema without a limit of length or without a check of their characters. */
function loose(schema: z.core.$ZodType, path: string): string[] {
  const definition = schema._zod.def as Definition & Record<(typeof PARTS)[number], z.core.$ZodType>;
  if (definition.type === 'string') {
    const checks = (definition.checks ?? []).map(({ _zod: { def } }) => def);
    const names = [definition.format, ...checks.map(({ check, format }) => format ?? check)];
    const has = (...wanted: string[]) => wanted.some((name) => names.includes(name));
    const isKnown = has(...FORMATS, 'regex');
    const isSound = isKnown || ((has('custom') || has('email')) && has('max_length'));
    return isSound ? [] : [path];
  }
  return [
    ...PARTS.flatMap((part) => (definition[part] ? loose(definition[part], path) : [])),
    ...Object.entries(definition.shape ?? {}).flatMap(([name, each]) => loose(each, `${path}.${name}`)),
    ...(definition.options ?? []).flatMap((each) => loose(each, path)),
    ...(definition.items ?? []).flatMap((each) => loose(each, path)),
    ...(definition.getter ? loose(definition.getter(), path) : []),
  ];
}

function looseIn({ key, query, params = {}, body }: Endpoint): string[] {
  const inputs: Array<[string, unknown]> = [['query', query], ...Object.entries(params)];
  if (body && isRawBody(body)) inputs.push(['body', body.schema], ...Object.entries(body.parts ?? {}));
  else inputs.push(['body', body]);
  return inputs.flatMap(([name, schema]) =>
    schema && schema !== 'file' ? loose(schema as z.core.$ZodType, `${key} ${name}`) : [],
  );
}

describe('[ERR-30] every text that comes in', () => {
  it('is text, and says how long it may be', () => {
    expect(ENDPOINTS.flatMap(looseIn)).toEqual([]);
  });

  it('is found where it does not', () => {
    const found = (schema: z.ZodType) => loose(schema, 'x');
    const Bad = z.object({ a: z.array(z.string()), b: z.string().max(3).optional(), c: exactText() });
    expect(found(Bad)).toEqual(['x.a', 'x.b', 'x.c']);
    expect(found(z.union([z.string(), z.lazy(() => Bad)])).length).toBe(4);
    expect(found(z.object({ a: lineText(3), b: z.iso.date(), c: z.enum(['d']) }))).toEqual([]);
  });
});
