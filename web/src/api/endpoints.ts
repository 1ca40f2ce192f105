import type * as z from 'zod';
import type { CONTRACTS } from '../../../application/all-endpoints.js';
import type {
  AnswerOf,
  DeclaredProblem,
  Endpoint,
  ParamsOf,
  RawBody,
} from '../../../application/shared/endpoint.js';
import type { ImpliedProblem } from '../../../application/shared/endpoint-problems.js';
import type { PROBLEM_MEMBERS } from '../../../application/shared/problem-members.js';

/** The endpoints that the contracts declare. They are types, so the browser loads no contracts. */
type Declared = EndpointsIn<(typeof CONTRACTS)[number]>;
type EndpointsIn<Contract> = Contract extends unknown ? Extract<Contract[keyof Contract], Endpoint> : never;
export type Endpoints = { [E in Declared as E['key']]: E };
export type Key = keyof Endpoints;

type Flat<Part> = { [Name in keyof Part]: Part[Name] };
/** Makes a member optional if its value may be absent, and removes it if it never has a value. */
type Member<Name extends string, Value> = [Value] extends [undefined]
  ? unknown
  : object extends Value
    ? { [N in Name]?: Value | undefined }
    : undefined extends Value
      ? { [N in Name]?: Value }
      : { [N in Name]: Value };

type ParamsInput<E extends Endpoint> = keyof ParamsOf<E> extends never
  ? undefined
  : { [Name in keyof ParamsOf<E>]: string };

/** The type of a query parameter. Dates and ranges are text, and one text may replace a list. */
type InAddress<Value> = Value extends Date | { min: number; max: number }
  ? string
  : Value extends readonly unknown[]
    ? readonly string[] | string
    : Value extends 'true' | 'false'
      ? Value | boolean
      : Value;
type Optional<Query> = { [Name in keyof Query]-?: undefined extends Query[Name] ? Name : never }[keyof Query];
type Asked<In, Out> = { [Name in Exclude<keyof In, Optional<In>>]: InAddress<Out[Name & keyof Out]> } & {
  [Name in Optional<In>]?: InAddress<Out[Name & keyof Out]> | undefined;
};
type QueryInput<E extends Endpoint> = E extends { query: infer Query extends z.ZodObject }
  ? Flat<Asked<z.input<Query>, z.output<Query>>>
  : undefined;

type BodyInput<E extends Endpoint> = E extends { body: infer Body }
  ? Body extends RawBody
    ? FormData | Blob
    : Body extends z.ZodType
      ? z.input<Body>
      : undefined
  : undefined;

export interface Manner {
  signal?: AbortSignal | undefined;
  /** True if no user waits for the answer: the end of a session then does not prompt a new sign-in. */
  unattended?: boolean;
  /** Time limit for the answer in ms; by default 30 s, or 5 min with a file. */
  limitMs?: number;
  /** The browser finishes the call even if the page is closed. Such a call may have a body of at most 64 KiB. */
  keepalive?: boolean;
}

export type Input<K extends Key> = Flat<
  Member<'params', ParamsInput<Endpoints[K]>> &
    Member<'query', QueryInput<Endpoints[K]>> &
    Member<'body', BodyInput<Endpoints[K]>> &
    // All attempts of one action share an idempotency key.
    (Endpoints[K] extends { idempotent: true } ? { idempotencyKey: string } : unknown) &
    (Endpoints[K] extends { versioned: true } ? { ifMatch?: number | string | undefined } : unknown) &
    Manner
>;

export type InputOf<K extends Key> = object extends Input<K> ? [input?: Input<K>] : [input: Input<K>];

/** The statuses of successful answers. Redirects are missing, because `fetch` follows them by itself. */
type Done = 200 | 201 | 202 | 204;
export type Answer<K extends Key> = AnswerOf<Endpoints[K], Done & keyof Endpoints[K]['answers']>;

type OwnProblem = 'Unreachable' | 'AnswerOverdue' | 'BackendNotConfigured' | 'Unexpected';

type Members<Code> = Code extends keyof typeof PROBLEM_MEMBERS
  ? z.output<(typeof PROBLEM_MEMBERS)[Code]>
  : unknown;
type ProblemOf<Code> = Code extends string
  ? Flat<{ code: Code; status: number; detail?: string } & Members<Code>>
  : never;

export type Problem<K extends Key> = ProblemOf<DeclaredProblem<Endpoints[K]> | ImpliedProblem | OwnProblem>;
