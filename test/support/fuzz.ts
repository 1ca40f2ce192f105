import { randomUUID } from 'node:crypto';
import { randomFrom, type Random } from '../../domain/shared/seeded-random.js';
import type { HttpAnswer, HttpClient } from './http-client.js';

interface Schema {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  examples?: unknown[];
  const?: unknown;
  format?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  minimum?: number;
  minLength?: number;
}

interface Operation {
  parameters?: { name: string; in: string; schema?: Schema }[];
  requestBody?: { content: Record<string, { schema?: Schema }> };
}

export interface ApiDescription {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
}

/** One request to one route, as text, so that a failure can print it. */
export interface Attack {
  method: string;
  route: string;
  path: string;
  headers: Record<string, string>;
  body?: string;
}

/** Texts that no honest client sends, although their type fits. */
const TEXTS = [
  '\u0000',
  'a\u0000b',
  '\ud800',
  'a\udfff',
  '\ude00\ud83d',
  'x'.repeat(199) + '\ud83d',
  '😀',
  'e\u0301',
  '\u202eabc',
  '\ufeff',
  '\uffff',
  '',
  ' ',
  '\r\n',
  '../..',
  '%00',
  "' or 1=1 --",
  '__proto__',
  'constructor',
  'null',
  '1e999',
  '-0',
  '2026-13-45',
  'x'.repeat(5_000),
  'ü'.repeat(30_000),
  // Exceeds the limit of a body.
  'x'.repeat(100_000),
  ...Array.from('\u200e\u200f\u061c\u202a\u202b\u202c\u202d\u2066\u2067\u2068\u2069', (mark) => `a${mark}b`),
  'a\u{e0001}\u{e0041}b',
  '\u200d',
  `z${'\u0335'.repeat(500)}`,
  '=1+1',
  '@SUM(A1)',
  "+cmd|'/C calc'!A0",
  '\t=1',
  '\r=1',
  '-1+1',
  '"a","b"\n"=1"',
  '12',
];
const OTHERS: unknown[] = [
  null,
  true,
  0,
  -1,
  0.1,
  1e308,
  -1e308,
  Number.MAX_SAFE_INTEGER + 2,
  [],
  {},
  [[]],
  [null],
  Array(3_000).fill('x'),
  { $ne: null },
  nested(31),
  { toString: 1, length: -1, then: 1 },
  ['\ud800', '\u0000'],
  { 'a\u0000': 1 },
  { '\ud800': {} },
];

function nested(levels: number): unknown {
  return levels === 0 ? 0 : [nested(levels - 1)];
}

/** Generates requests that fit the description of a route except in one or two places. */
export class Fuzzer {
  private readonly random: Random;

  /** @param ids real ids by path parameter, so that attacks get past `NotFound` */
  constructor(
    private readonly api: ApiDescription,
    seed: string,
    private readonly ids: Record<string, string> = {},
  ) {
    this.random = randomFrom(seed);
  }

  /**
   * Returns the routes to attack. Leaves out those that end the session or the account, or report on the
   * node.
   */
  routes(): { method: string; route: string; operation: Operation }[] {
    return Object.entries(this.api.paths).flatMap(([route, methods]) =>
      Object.entries(methods)
        .map(([method, operation]) => ({ method: method.toUpperCase(), route, operation }))
        .filter(
          ({ method }) =>
            !/^\/(readyz|metrics)|sign-out|refresh|auth\/password$/.test(route) &&
            !(method === 'DELETE' && route.endsWith('/sessions')) &&
            !(method === 'DELETE' && route === '/api/me'),
        ),
    );
  }

  attack({ method, route, operation }: { method: string; route: string; operation: Operation }): Attack {
    const path = route.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
      const named = operation.parameters?.find(
        (parameter) => parameter.in === 'path' && parameter.name === name,
      );
      return encode(this.parameter(name, named?.schema));
    });
    const query = (operation.parameters ?? [])
      .filter((parameter) => parameter.in === 'query' && this.random() < 0.6)
      .map(({ name, schema }) => `${name}=${encode(asText(this.spoiled(this.fitting(schema), 0.5)))}`);
    const headers: Record<string, string> = {
      'idempotency-key': this.random() < 0.95 ? randomUUID() : this.pick(TEXTS).replaceAll(/[^ -~]/g, ''),
      ...(this.random() < 0.1 ? { 'if-match': this.pick(['"x"', '*', '"-1"', '"1e9"', 'W/"1"', '0']) } : {}),
    };
    const place = { method, route, path: query.length > 0 ? `${path}?${query.join('&')}` : path };
    const content = operation.requestBody?.content ?? {};
    if (method === 'GET') return { ...place, headers };
    if (/\/(samples|audio|stems|midi|cover|avatar)$/.test(route) && this.random() < 0.9)
      return { ...place, ...this.form(headers) };
    const schema = content['application/json']?.schema;
    const body = JSON.stringify(this.spoiled(this.fitting(schema), schema ? 0.9 : 0.3)) ?? 'x';
    const type =
      this.random() < 0.97
        ? 'application/json'
        : this.pick([...Object.keys(content), 'text/csv', 'text/plain', 'multipart/form-data']);
    // Repeats a key: the later one counts, or the body is refused.
    const twice = this.random() < 0.05 ? body.replace(/^\{("[^"]+":)/, '{$1null,$1') : body;
    return { ...place, headers: { ...headers, 'content-type': type }, body: twice };
  }

  private form(headers: Record<string, string>): Pick<Attack, 'headers' | 'body'> {
    const filename = this.pick(TEXTS).replaceAll(/[\r\n"]/g, '') + this.pick(['', '.wav', '.mp3', '.png']);
    const meta = JSON.stringify({
      name: this.pick(TEXTS),
      bpm: this.pick(OTHERS),
      uploadId: this.pick(TEXTS),
    });
    const part = (disposition: string, text: string) =>
      `--x\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n${text}\r\n`;
    const body =
      part('name="meta"', this.random() < 0.7 ? meta : this.pick(TEXTS)) +
      part(
        `name="${this.pick(['audio', 'image', 'file', 'cover'])}"; filename="${filename}"`,
        this.pick(['RIFF', '', 'x']),
      ) +
      (this.random() < 0.8 ? '--x--\r\n' : '');
    return { headers: { ...headers, 'content-type': 'multipart/form-data; boundary=x' }, body };
  }

  /** Returns a real id or a value from the description in most cases. */
  private parameter(name: string, schema: Schema = {}): string {
    const known = this.ids[name] ? [this.ids[name]] : (schema.enum ?? schema.examples ?? []);
    if (this.random() < 0.7 && known.length > 0) return String(this.pick(known));
    return this.random() < 0.5 ? randomUUID() : this.pick(TEXTS).slice(0, 3_000) || 'x';
  }

  /** Returns the value with one part of it replaced. */
  private spoiled(value: unknown, likely: number): unknown {
    if (this.random() > likely) return value;
    if (typeof value !== 'object' || value === null || this.random() < 0.1) return this.junk();
    const keys = Object.keys(value);
    if (keys.length === 0 || this.random() < 0.1)
      return { ...value, [this.pick(TEXTS).slice(0, 50)]: this.junk() };
    const key = this.pick(keys);
    const member = (value as Record<string, unknown>)[key];
    const changed = this.random() < 0.2 ? undefined : this.spoiled(member, 1);
    if (Array.isArray(value))
      return value.map((each, index) => (String(index) === key ? changed : each) as unknown);
    return { ...value, [key]: changed };
  }

  private junk(): unknown {
    return this.random() < 0.6 ? this.pick(TEXTS) : this.pick(OTHERS);
  }

  private fitting(given: Schema | undefined, depth = 0): unknown {
    const schema = given?.$ref ? this.api.components.schemas[given.$ref.split('/').at(-1) ?? ''] : given;
    if (!schema || depth > 6) return {};
    if (schema.const !== undefined) return schema.const;
    if (schema.enum) return this.pick(schema.enum);
    const choices = schema.anyOf ?? schema.oneOf;
    if (choices) return this.fitting(this.pick(choices), depth + 1);
    if (schema.allOf)
      return Object.assign({}, ...schema.allOf.map((each) => this.fitting(each, depth + 1))) as unknown;
    switch ([schema.type].flat()[0]) {
      case 'object':
        return Object.fromEntries(
          Object.entries(schema.properties ?? {})
            .filter(([name]) => schema.required?.includes(name) || this.random() < 0.6)
            .map(([name, member]) => [name, this.ids[name] ?? this.fitting(member, depth + 1)]),
        );
      case 'array':
        return Array.from({ length: Math.floor(this.random() * 3) }, () =>
          this.fitting(schema.items, depth + 1),
        );
      case 'integer':
      case 'number':
        return Math.max(schema.minimum ?? 0, Math.floor(this.random() * 20));
      case 'boolean':
        return this.random() < 0.5;
      case 'null':
        return null;
      default:
        return this.fittingText(schema);
    }
  }

  private fittingText({ format, minLength = 0 }: Schema): string {
    if (format === 'email') return `${randomUUID()}@example.com`;
    if (format === 'uuid') return randomUUID();
    if (format === 'date-time') return '2026-11-20T12:00:00.000Z';
    if (format === 'date') return '2026-11-20';
    return `text ${'x'.repeat(minLength)}`;
  }

  private pick<Item>(items: readonly Item[]): Item {
    return items[Math.floor(this.random() * items.length)] as Item;
  }
}

const asText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** Percent-encodes a text. Encodes lone surrogates too, which `encodeURIComponent` refuses. */
const encode = (text: string): string =>
  encodeURIComponent(text.replaceAll(/\p{Cs}/gu, '\u0001')).replaceAll('%01', '%ED%A0%80');

const INSIDE = /\bat .+\.(ts|js):\d+|select .+ from |node_modules/i;

/**
 * Returns what is wrong with an answer: a 5xx status, an undeclared code, or internal details. Otherwise
 * undefined.
 */
export function faultOf(
  { status, body, headers }: HttpAnswer,
  codes: ReadonlySet<string>,
): string | undefined {
  if (status >= 500 && status !== 501) return `answers ${status}`;
  // Node itself refuses headers that are too large, before the product sees them.
  if (status < 400 || status === 431) return undefined;
  if (!(headers.get('content-type') ?? '').startsWith('application/problem+json'))
    return `${status} is no problem`;
  const { code } = body as { code?: string };
  if (!code || !codes.has(code)) return `${status} has the code ${code}, which is not declared`;
  return INSIDE.test(JSON.stringify(body)) ? 'tells of its inside' : undefined;
}

/** The codes that the description declares. */
export const codesOf = ({ components }: ApiDescription): ReadonlySet<string> =>
  new Set((components.schemas.ProblemCode?.enum ?? []) as string[]);

/** Sends attacks, `atOnce` at a time. @returns the faults, one per line */
export async function runAttacks(
  client: HttpClient,
  attacks: Iterable<Attack>,
  codes: ReadonlySet<string>,
  atOnce = 8,
): Promise<{
  sent: number;
  faults: string[];
  statuses: Map<number, number>;
  /** How often each route answered 403, by route and code. */
  forbidden: Map<string, number>;
}> {
  const faults: string[] = [];
  const statuses = new Map<number, number>();
  const forbidden = new Map<string, number>();
  const waiting = attacks[Symbol.iterator]();
  // An attack may sign in as another user, who may be allowed less. So each attack gets the original cookies.
  const session = [...client.cookies];
  let sent = 0;
  const worker = async (): Promise<void> => {
    for (let next = waiting.next(); !next.done; next = waiting.next()) {
      const { method, route, path, headers, body } = next.value;
      sent += 1;
      const answer = await client.call(method, path, undefined, {
        headers,
        ...(body === undefined ? {} : { raw: body }),
      });
      client.cookies.clear();
      for (const [name, value] of session) client.cookies.set(name, value);
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
      if (answer.status === 403) {
        const refusal = `${method} ${route} ${(answer.body as { code?: string }).code}`;
        forbidden.set(refusal, (forbidden.get(refusal) ?? 0) + 1);
      }
      const fault = faultOf(answer, codes);
      if (fault)
        faults.push(`${method} ${route} ${fault}: ${path.slice(0, 200)} ${body?.slice(0, 300) ?? ''}`);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return { sent, faults, statuses, forbidden };
}
