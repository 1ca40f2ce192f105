import * as z from 'zod';
import { problemsOf } from '../../../../application/shared/endpoint-problems.js';
import {
  isRawAnswer,
  isRawBody,
  readsSession,
  type Endpoint,
  type RawBody,
} from '../../../../application/shared/endpoint.js';
import { PROBLEM_MEMBERS } from '../../../../application/shared/problem-members.js';
import { PROBLEMS, type ProblemCode } from '../../../../application/shared/problems.js';
import { exampleOf } from './example.js';
import { MEDIA_TYPES } from '../endpoint-of.js';

type Schema = Record<string, unknown>;
type Schemas = Record<string, Schema>;
type Operation = Record<string, unknown>;

const ABOUT =
  'JSON in and out; refusals are application/problem+json with a stable `code`. ' +
  'Amounts are integers with the unit in the name; times are ISO 8601 UTC.';

/** @param contracts each with its endpoints by name; the name becomes the id of the operation */
export function describeApi(contracts: readonly Readonly<Record<string, Endpoint>>[]) {
  const schemas: Schemas = { ...PROBLEM_SCHEMAS };
  const paths: Record<string, Record<string, Operation>> = {};
  const named = contracts
    .flatMap(Object.entries<Endpoint>)
    .filter(([, { undescribed }]) => !undescribed)
    .toSorted(([, a], [, b]) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
  const described = named.map(([, endpoint]) => endpoint);
  for (const [name, endpoint] of named) {
    const path = endpoint.path.replaceAll(/[:*](\w+)/g, '{$1}');
    (paths[path] ??= {})[endpoint.method.toLowerCase()] = operationOf(name, endpoint, schemas);
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Offcut', description: ABOUT, version: '1' },
    servers: [{ url: '/' }],
    tags: [...new Set(described.map(({ tag }) => tag))].toSorted().map((name) => ({ name })),
    paths,
    components: {
      schemas,
      responses: sharedRefusals(described),
      securitySchemes: {
        cookie: {
          type: 'apiKey',
          in: 'cookie',
          name: '__Host-offcut_session',
          description: 'Without TLS its name is offcut_session.',
        },
        bearer: { type: 'http', scheme: 'bearer' },
        accessToken: { type: 'http', scheme: 'bearer', description: 'An access token with the named scope.' },
      },
    },
  };
}

function operationOf(operationId: string, endpoint: Endpoint, schemas: Schemas): Operation {
  const { tag, access, scope, body, deprecated } = endpoint;
  const callers = scope ? [...SESSION, { accessToken: [scope] }] : SESSION;
  const [summary, ...more] = endpoint.summary.split(/(?<=\.) /);
  return {
    operationId,
    tags: [tag],
    summary: summary?.replace(/\.$/, ''),
    ...(more.length > 0 && { description: `${more.join(' ')}.` }),
    ...(deprecated && { deprecated }),
    security: access === 'public' ? [{}, ...callers] : readsSession(access) ? callers : [],
    parameters: parametersOf(endpoint, schemas),
    ...(body && { requestBody: { required: true, content: contentOf(body, schemas) } }),
    responses: { ...answersOf(endpoint, schemas), ...refusalsOf(endpoint) },
  };
}

const SESSION = [{ cookie: [] }, { bearer: [] }];

function parametersOf({ path, params, query, idempotent, versioned }: Endpoint, schemas: Schemas): Schema[] {
  const inPath = [...path.matchAll(/[:*](\w+)/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    schema: params?.[name] ? schemaOf(params[name], 'input', schemas) : { type: 'string' },
  }));
  const { properties } = membersOf(query, schemas);
  const inQuery = Object.entries<z.ZodType>(query?.shape ?? {}).map(([name, type]) => ({
    name,
    in: 'query',
    // A schema that converts its input counts as required in JSON Schema, even if it takes undefined.
    required: !type.safeParse(undefined).success,
    schema: properties[name],
  }));
  return [...inPath, ...inQuery, ...(idempotent ? [IDEMPOTENCY_KEY] : []), ...(versioned ? [IF_MATCH] : [])];
}

const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  required: true,
  description: 'Identifies one action. Repeats with the same key act once and get the first answer.',
  schema: { type: 'string', format: 'uuid' },
};
const IF_MATCH = {
  name: 'If-Match',
  in: 'header',
  required: false,
  description:
    'The version that the client read last. If there is a newer one, the answer is 409 `StaleVersion`.',
  schema: { type: 'string', pattern: '^(\\*|"\\d{1,9}")$' },
};

function contentOf(body: z.ZodType | RawBody, schemas: Schemas): Record<string, unknown> {
  if (!isRawBody(body)) return { 'application/json': jsonOf(body, 'input', schemas) };
  const parts = Object.entries(body.parts ?? {}).map(([name, part]) => [
    name,
    part === 'file' ? { type: 'string', format: 'binary' } : schemaOf(part, 'input', schemas),
  ]);
  const schema = body.parts
    ? { type: 'object', properties: Object.fromEntries(parts) as Schemas }
    : { type: 'string' };
  return Object.fromEntries(body.kinds.map((kind) => [MEDIA_TYPES[kind] ?? '*/*', { schema }]));
}

function answersOf(
  { answers, idempotent, versioned, rateLimit }: Endpoint,
  schemas: Schemas,
): Record<string, unknown> {
  const always = {
    ...(idempotent && {
      'Idempotency-Replayed': { schema: { const: 'true' }, description: 'Present on repeats.' },
    }),
    ...(rateLimit && RATE_LIMIT),
    ...(versioned && { ETag: { schema: { type: 'string' }, description: 'The current version.' } }),
  };
  const describe = (status: string, answer: Endpoint['answers'][number]) => ({
    description: DESCRIPTIONS[status] ?? 'Done',
    ...headed({ ...always, ...(/^30[1237]$/.test(status) && LOCATION) }),
    ...(answer && !isRawAnswer(answer)
      ? { content: { 'application/json': jsonOf(answer, 'output', schemas) } }
      : answer && answer.mediaTypes.length > 0 && { content: textOf(answer.mediaTypes) }),
  });
  return Object.fromEntries(
    Object.entries(answers).map(([status, answer]) => [status, describe(status, answer)]),
  );
}

const RATE_LIMIT = {
  RateLimit: { schema: { type: 'string' }, description: 'How many requests are left, and for how long.' },
  'RateLimit-Policy': { schema: { type: 'string' }, description: 'The limits of this endpoint.' },
};
const LOCATION = {
  Location: { schema: { type: 'string', format: 'uri-reference' }, description: 'The other address.' },
};
const RETRY_AFTER = {
  'Retry-After': { schema: { type: 'integer' }, description: 'The seconds after which to try again.' },
};
const ALLOW = {
  Allow: { schema: { type: 'string' }, description: 'The methods that this address takes.' },
};
const REFUSAL_HEADERS: Record<number, Schema> = {
  405: ALLOW,
  429: { ...RETRY_AFTER, ...RATE_LIMIT },
  503: RETRY_AFTER,
};
const headed = (headers: object) => (Object.keys(headers).length > 0 ? { headers } : {});

const textOf = (mediaTypes: readonly string[]) =>
  Object.fromEntries(mediaTypes.map((mediaType) => [mediaType, { schema: { type: 'string' } }]));

const DESCRIPTIONS: Record<string, string> = {
  200: 'Done',
  201: 'Made',
  202: 'Accepted; the work continues',
  204: 'Done, without a body',
  206: 'A range of the file',
  302: 'Elsewhere',
  303: 'Elsewhere',
};

function refusalsOf(endpoint: Endpoint): Record<string, unknown> {
  return Object.fromEntries(
    refusalGroups(endpoint).map(({ status, name }) => [status, { $ref: `#/components/responses/${name}` }]),
  );
}

/** Describes refusals. Endpoints with the same refusals share one description. */
const sharedRefusals = (endpoints: readonly Endpoint[]): Record<string, unknown> =>
  Object.fromEntries(
    endpoints.flatMap(refusalGroups).map(({ status, name, codes }) => {
      const description = codes.map((code) => `\`${code}\`: ${PROBLEMS[code][1]}`).join('\n');
      const schema = oneOf(codes.map(problemRef));
      const content = { 'application/problem+json': { schema } };
      return [name, { description, ...headed(REFUSAL_HEADERS[status] ?? {}), content }];
    }),
  );

function refusalGroups(endpoint: Endpoint): { status: number; codes: ProblemCode[]; name: string }[] {
  const all = problemsOf(endpoint).toSorted();
  return [...new Set(all.map((code) => PROBLEMS[code][0]))].map((status) => {
    const codes = all.filter((code) => PROBLEMS[code][0] === status);
    return { status, codes, name: [status, ...codes].join('-') };
  });
}

const problemRef = (code: ProblemCode): Schema => ({ $ref: `#/components/schemas/Problem.${code}` });
const oneOf = (schemas: Schema[]): Schema =>
  schemas.length === 1 ? (schemas[0] as Schema) : { oneOf: schemas };

function jsonOf(type: z.ZodType, io: 'input' | 'output', schemas: Schemas): Record<string, unknown> {
  const schema = schemaOf(type, io, schemas);
  return { schema, example: exampleOf(schema, 'text', schemas) };
}

/** Returns a JSON Schema, and adds the schemas that it references by id to `schemas`. */
function schemaOf(schema: z.ZodType, io: 'input' | 'output', schemas: Schemas): Schema {
  const { $schema: _, $defs, ...root } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  const renamed = new Map<string, string>();
  for (const [id, definition] of Object.entries($defs ?? {})) {
    // A schema that converts its input is described twice: as input and as output.
    const isOther =
      schemas[id] && JSON.stringify(schemas[id]) !== JSON.stringify(hoisted(definition, new Map()));
    const name = isOther ? `${id}.${io}` : id;
    if (isOther) renamed.set(id, name);
    schemas[name] = hoisted(definition, renamed) as Schema;
  }
  return hoisted(root, renamed) as Schema;
}

function membersOf(type: z.ZodType | undefined, schemas: Schemas) {
  const { properties = {}, required = [] } = type ? schemaOf(type, 'input', schemas) : {};
  return { properties: properties as Schemas, required: required as string[] };
}

const hoisted = (schema: unknown, renamed: ReadonlyMap<string, string>): unknown =>
  JSON.parse(
    JSON.stringify(schema).replaceAll(
      /"#\/\$defs\/([^"]+)"/g,
      (_, id: string) => `"#/components/schemas/${renamed.get(id) ?? id}"`,
    ),
  );

const PROBLEM: Schema = {
  type: 'object',
  description: 'RFC 9457. `code` is stable; the other texts are for users and may change.',
  required: ['type', 'title', 'status', 'code', 'detail'],
  properties: {
    type: { type: 'string', format: 'uri', description: 'The address of the explanation of `code`' },
    title: { type: 'string' },
    status: { type: 'integer' },
    code: { $ref: '#/components/schemas/ProblemCode' },
    detail: { type: 'string' },
    requestId: { type: 'string' },
  },
};

function problemSchema(code: ProblemCode): Schema {
  const [status, title] = PROBLEMS[code];
  const members = (PROBLEM_MEMBERS as Partial<Record<ProblemCode, z.ZodObject>>)[code];
  const { properties, required } = membersOf(members, {});
  const own = { status: { const: status }, code: { const: code }, ...properties };
  return {
    description: title,
    allOf: [
      { $ref: '#/components/schemas/Problem' },
      { type: 'object', properties: own, ...(required.length > 0 && { required }) },
    ],
  };
}

const CODES = Object.keys(PROBLEMS) as ProblemCode[];
const PROBLEM_SCHEMAS: Schemas = {
  ProblemCode: { type: 'string', enum: CODES },
  Problem: PROBLEM,
  ...Object.fromEntries(CODES.map((code) => [`Problem.${code}`, problemSchema(code)])),
};
