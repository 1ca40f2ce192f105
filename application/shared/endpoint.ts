import type * as z from 'zod';
import type { StaffRole } from '../../domain/accounts/staff.js';
import type { ProblemCode } from './problems.js';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
export type EndpointKey = `${Method} /${string}`;

/**
 * Who may call an endpoint.
 * - `public`: anybody, signed in or not
 * - `user`: a session
 * - `creator`: a session of an approved, not suspended creator
 * - `payee`: the same, or a suspended one, who may still read the earnings
 * - `finance`, `admin`: a session with that role
 * - `signature`: no session; the handler verifies a signature in the request itself (webhooks, signed URLs)
 */
export type Access = 'public' | 'user' | 'creator' | 'payee' | StaffRole | 'signature';

/** Which limit on attempts an endpoint has; the numbers stand beside the guard that counts. */
export type RateLimitName =
  | 'sign-in'
  | 'confirm'
  | 'proof'
  | 'sign-up'
  | 'reset'
  | 'mailing-list'
  | 'complaint'
  | 'report'
  | 'edit'
  | 'crash'
  | 'upload'
  | 'upload-parts'
  | 'picture'
  | 'new-pack'
  | 'listing'
  | 'search'
  | 'archive'
  | 'export';

/**
 * The kind of a body, and who reads it.
 * - `json`, `csv`: read for the handler, which gets the parsed value
 * - `signed`: read for the handler as raw bytes, which a signature covers
 * - `multipart`: streamed by the handler, which enforces its own limit
 */
export type BodyKind = 'json' | 'csv' | 'signed' | 'multipart';

/** A body that is not JSON alone. */
export interface RawBody<Value = unknown> {
  kinds: readonly BodyKind[];
  limitBytes: number;
  /** The parts of a form: each is a file, or JSON of a schema. */
  parts?: Readonly<Record<string, 'file' | z.ZodType>>;
  /** What the handler gets. */
  schema?: z.ZodType<Value>;
}

export const multipart = (limitBytes: number, parts: NonNullable<RawBody['parts']>): RawBody<undefined> => ({
  kinds: ['multipart'],
  limitBytes,
  parts,
});

export const rawBody = <Value>(
  kinds: BodyKind | readonly BodyKind[],
  limitBytes: number,
  schema?: z.ZodType<Value>,
): RawBody<Value> => ({ kinds: [kinds].flat(), limitBytes, ...(schema && { schema }) });

/** An answer that is no JSON: text that the handler returns, or what the handler sends by itself. */
export interface RawAnswer {
  /** Those that it may have; none if the contract cannot know. */
  mediaTypes: readonly string[];
  sentBy: 'return' | 'handler';
}

/** @param mediaTypes of several the handler says which */
export const text = (...mediaTypes: string[]) => ({ mediaTypes, sentBy: 'return' }) as const;
/** @param mediaTypes none for a redirect */
export const sent = (...mediaTypes: string[]) => ({ mediaTypes, sentBy: 'handler' }) as const;

/** The names of `:parameters` in a path; of `:id.csv` it is `id`. */
export type ParamsIn<Path extends string> = Path extends `${string}:${infer Rest}`
  ? Rest extends `${infer Segment}/${infer Next}`
    ? NameOf<Segment> | ParamsIn<`/${Next}`>
    : NameOf<Rest>
  : never;
type NameOf<Segment extends string> = Segment extends `${infer Name}.${string}` ? Name : Segment;

export type Answers = Readonly<Record<number, z.ZodType | RawAnswer | null>>;

export interface Declaration<Param extends string = string> {
  /** One sentence that says what a caller gets. */
  summary: string;
  tag: string;
  access: Access;
  /** Schemas of parameters in the path; a parameter without one is a text that is not too long. */
  params?: Readonly<Partial<Record<Param, z.ZodType<unknown, string>>>>;
  query?: z.ZodObject;
  /** JSON of this schema, or another kind of body. */
  body?: z.ZodType | RawBody;
  /** For a JSON body; `JSON_LIMIT_BYTES` by default. */
  bodyLimitBytes?: number;
  /** By status: a schema of JSON, null for no content, or another kind of answer. */
  answers: Answers;
  /** The usual one of several statuses. */
  status?: number;
  /** Its own problems, besides those that follow from the rest of the declaration. */
  problems?: readonly ProblemCode[];
  /** Needs an `Idempotency-Key`: repeats with the same key act once and get the first answer. */
  idempotent?: true;
  /** A session alone, which may be stolen, is not enough. */
  freshSignIn?: true;
  /** Takes `If-Match` with a version, and answers the new one as `ETag`. */
  versioned?: true;
  /** Answers or fails within a time that the configuration sets, whatever hangs on its way. */
  inTime?: true;
  rateLimit?: RateLimitName;
  /** Every visitor gets the same answer, until an event or a person changes it: it is kept in memory. */
  sameForVisitors?: true;
  /** Left out of the description: what only development mounts, and what no program calls. */
  undescribed?: true;
}

export interface Endpoint extends Declaration {
  key: EndpointKey;
  method: Method;
  path: string;
}

/** A thousand ids fit in it, which is as much as forms send. */
export const JSON_LIMIT_BYTES = 64 * 1024;

/** A thousand rows of facts, such as a grid or a browser's own library sends. */
export const ROWS_LIMIT_BYTES = 1024 * 1024;

/**
 * Declares an endpoint once: the route, its validation, its description, the client's calls and the stubs of tests
 * are made from it.
 */
export function endpoint<const Key extends EndpointKey, const D extends Declaration<ParamsIn<Key>>>(
  key: Key,
  declaration: D,
): D & { readonly key: Key; readonly method: Method; readonly path: string } {
  const [method, path] = key.split(' ') as [Method, string];
  return { ...declaration, key, method, path };
}

/** The status of an answer that says no other. */
export function usualStatus({ key, status, answers }: Endpoint): number {
  const [first, ...others] = Object.keys(answers).map(Number);
  const usual = status ?? (others.length === 0 ? first : undefined);
  if (usual === undefined) throw new Error(`${key} answers in several ways and does not name the usual one`);
  return usual;
}

export const isRawBody = (body: z.ZodType | RawBody): body is RawBody => 'kinds' in body;
export const isRawAnswer = (answer: z.ZodType | RawAnswer): answer is RawAnswer => 'sentBy' in answer;

type Output<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined;

/** The types of a request's parts after validation. */
export type ParamsOf<E extends Endpoint> = {
  [Name in ParamsIn<E['key']>]: E extends { params: Record<Name, infer Schema> } ? Output<Schema> : string;
};
export type QueryOf<E extends Endpoint> = E extends { query: infer Query } ? Output<Query> : undefined;
export type BodyOf<E extends Endpoint> = E extends { body: infer Body }
  ? Body extends RawBody<infer Value>
    ? Value
    : Output<Body>
  : undefined;

/** The types of the answers, of all statuses unless some are named. */
export type AnswerOf<E extends Endpoint, Status extends keyof E['answers'] = keyof E['answers']> = {
  [One in Status]: E['answers'][One] extends { sentBy: 'return' } ? string : Output<E['answers'][One]>;
}[Status];

/** The codes that an endpoint itself declares. */
export type DeclaredProblem<E extends Endpoint> = E extends { problems: readonly (infer Code)[] }
  ? Code
  : never;
