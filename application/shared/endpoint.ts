import type * as z from 'zod';
import type { StaffRole } from '../../domain/accounts/staff.js';
import type { ProblemCode } from './problems.js';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
export type EndpointKey = `${Method} /${string}`;

/**
 * Who may call an endpoint:
 * - `public`: everyone, signed in or not
 * - `user`: a session
 * - `creator`: a session of an approved creator who is not suspended
 * - `payee`: as `creator`, or a suspended creator, who may still read the earnings
 * - `finance`, `admin`: a session with that role
 * - `anonymous`: everyone; no session is read
 * - `signature`: no session; the handler verifies a signature in the request (webhooks, signed URLs)
 */
export type Access = SessionAccess | 'anonymous' | 'signature';
export type SessionAccess = 'public' | 'user' | 'creator' | 'payee' | StaffRole;

export const readsSession = (access: Access): access is SessionAccess =>
  access !== 'anonymous' && access !== 'signature';

/** The scopes of access tokens, which programs use. No scope allows spending credits or changing the account. */
export const TOKEN_SCOPES = ['catalogue:read', 'library:read', 'library:download', 'packs:write'] as const;
export type TokenScope = (typeof TOKEN_SCOPES)[number];

/** The name of a rate limit. `RateLimitGuard` enforces it, and its file contains the numbers. */
export type RateLimitName =
  | 'sign-in'
  | 'confirm'
  | 'proof'
  | 'sign-up'
  | 'reset'
  | 'mailing-list'
  | 'complaint'
  | 'withdrawal'
  | 'checkout'
  | 'gift-code'
  | 'report'
  | 'redeem'
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
 * The kind of a body, and its reader:
 * - `json`, `csv`: read for the handler, which gets the parsed value
 * - `signed`: read for the handler as raw bytes, which a signature covers
 * - `multipart`: streamed by the handler, which enforces its own limit
 */
export type BodyKind = 'json' | 'csv' | 'signed' | 'multipart';

export interface RawBody<Value = unknown> {
  kinds: readonly BodyKind[];
  limitBytes: number;
  parts?: Readonly<Record<string, 'file' | z.ZodType>>;
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

/** An answer that is not JSON: text that the handler returns, or a response that the handler sends itself. */
export interface RawAnswer {
  /** The possible media types. Empty if the contract cannot know them. */
  mediaTypes: readonly string[];
  sentBy: 'return' | 'handler';
}

/** @param mediaTypes if there are several, the handler chooses one */
export const text = (...mediaTypes: string[]) => ({ mediaTypes, sentBy: 'return' }) as const;
/** @param mediaTypes empty for a redirect */
export const sent = (...mediaTypes: string[]) => ({ mediaTypes, sentBy: 'handler' }) as const;

/** The names of `:parameters` in a path: `id` for `:id.csv`. */
export type ParamsIn<Path extends string> = Path extends `${string}:${infer Rest}`
  ? Rest extends `${infer Segment}/${infer Next}`
    ? NameOf<Segment> | ParamsIn<`/${Next}`>
    : NameOf<Rest>
  : never;
type NameOf<Segment extends string> = Segment extends `${infer Name}.${string}` ? Name : Segment;

export type Answers = Readonly<Record<number, z.ZodType | RawAnswer | null>>;

export interface Declaration<Param extends string = string> {
  /** A sentence that begins with a verb and has no full stop at its end. The API description uses it as a title. */
  summary: string;
  tag: string;
  access: Access;
  /** Access tokens with this scope may call the endpoint, too. Without a scope, only sessions may. */
  scope?: TokenScope;
  /** Schemas of path parameters. A parameter without a schema is a text of bounded length. */
  params?: Readonly<Partial<Record<Param, z.ZodType<unknown, string>>>>;
  query?: z.ZodObject;
  body?: z.ZodType | RawBody;
  bodyLimitBytes?: number;
  /** The answer for each status: a JSON schema, null for no content, or another kind of answer. */
  answers: Answers;
  status?: number;
  problems?: readonly ProblemCode[];
  /** Needs an `Idempotency-Key`. Repeated requests with the same key act once and get the first answer. */
  idempotent?: true;
  /** Needs a recent sign-in as well, because a session may be stolen. */
  freshSignIn?: true;
  /** Takes `If-Match` with a version, and returns the new version as `ETag`. */
  versioned?: true;
  /** Answers or fails within a configured time, even if a dependency hangs. */
  inTime?: true;
  rateLimit?: RateLimitName;
  /** All visitors get the same answer until the content changes. The server caches the answer in memory. */
  sameForVisitors?: true;
  /**
   * The server may call this endpoint for a visitor while it renders a page. It may always call endpoints with
   * `sameForVisitors`.
   */
  rendered?: true;
  /** Excluded from the API description: endpoints of development, and endpoints that no program calls. */
  undescribed?: true;
  /** Kept for earlier clients. New programs use another endpoint. */
  deprecated?: true;
}

export interface Endpoint extends Declaration {
  key: EndpointKey;
  method: Method;
  path: string;
}

/** Enough for a thousand ids, the most that forms send. */
export const JSON_LIMIT_BYTES = 64 * 1024;

/** Enough for a thousand rows, the most that the sample editor or the import of an old client's library sends. */
export const ROWS_LIMIT_BYTES = 1024 * 1024;

/**
 * Declares endpoints that have parts in common; an endpoint may replace a common part.
 * The route, the validation, the API description, client calls and test stubs are derived from the declaration.
 */
export function endpointsOf<const Common extends Partial<Declaration>>(common: Common) {
  return <
    const Key extends EndpointKey,
    const D extends Partial<Declaration<ParamsIn<Key>>> & Omit<Declaration<ParamsIn<Key>>, keyof Common>,
  >(
    key: Key,
    declaration: D,
  ): Omit<Common, keyof D> & D & { readonly key: Key; readonly method: Method; readonly path: string } => {
    const [method, path] = key.split(' ') as [Method, string];
    return { ...common, ...declaration, key, method, path };
  };
}

export const endpoint = endpointsOf({});

export function usualStatus({ key, status, answers }: Endpoint): number {
  const [first, ...others] = Object.keys(answers).map(Number);
  const usual = status ?? (others.length === 0 ? first : undefined);
  if (usual === undefined) throw new Error(`${key} has several statuses and names no usual one`);
  return usual;
}

export const isRawBody = (body: z.ZodType | RawBody): body is RawBody => 'kinds' in body;
export const isRawAnswer = (answer: z.ZodType | RawAnswer): answer is RawAnswer => 'sentBy' in answer;

type Output<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined;

export type ParamsOf<E extends Endpoint> = {
  [Name in ParamsIn<E['key']>]: E extends { params: Record<Name, infer Schema> } ? Output<Schema> : string;
};
export type QueryOf<E extends Endpoint> = E extends { query: infer Query } ? Output<Query> : undefined;
export type BodyOf<E extends Endpoint> = E extends { body: infer Body }
  ? Body extends RawBody<infer Value>
    ? Value
    : Output<Body>
  : undefined;

export type AnswerOf<E extends Endpoint, Status extends keyof E['answers'] = keyof E['answers']> = {
  [One in Status]: E['answers'][One] extends { sentBy: 'return' } ? string : Output<E['answers'][One]>;
}[Status];

export type DeclaredProblem<E extends Endpoint> = E extends { problems: readonly (infer Code)[] }
  ? Code
  : never;
