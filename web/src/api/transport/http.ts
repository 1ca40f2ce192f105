import { deviceNow, learnBusinessTime } from '../../clock.js';
import type { Problem } from '../../../../application/shared/contract.js';
import type { Manner } from '../endpoints.js';
import { backend, hintAtOrigins } from './backend.js';
import { ANSWER_LIMIT_MS, AnswerOverdue, LONG_ANSWER_LIMIT_MS, within } from './time-limit.js';

/** The reason why a call failed, from the server or the client. `code` is stable, and the visitor sees `message`. */
export class ApiProblem extends Error {
  readonly code: string;
  /** The HTTP status; 0 if there was no answer. */
  readonly status: number;
  readonly members: Record<string, unknown>;

  constructor(problem: Problem) {
    super(problem.detail ?? problem.title);
    this.name = 'ApiProblem';
    this.code = problem.code;
    this.status = problem.status;
    this.members = problem;
  }
}

/** The options of a request. `Input` in `endpoints.ts` explains `idempotencyKey`. */
export interface RequestOptions extends Manner {
  /** Arrays become repeated parameters; undefined and empty values are left out. */
  query?: Record<string, string | number | boolean | readonly string[] | undefined>;
  body?: unknown;
  idempotencyKey?: string;
  ifMatch?: string | number;
  /** Resolves with the `Response` as soon as it begins, because its body may take longer than the limit. */
  isFile?: boolean;
}

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

const RETRIED_STATUSES = new Set([502, 503, 504]);
const RETRIES = 2;
const FIRST_DELAY_MS = 200;

let signInAgain: (() => Promise<boolean>) | null = null;

/** Sets the function that asks for a new sign-in when a session has ended. If it resolves true, the call repeats. */
export function repeatAfterSignIn(ask: () => Promise<boolean>): void {
  signInAgain = ask;
}

let confirmOwner: ((methods: unknown) => Promise<boolean>) | null = null;

/** Sets the function that asks for a proof, such as the password. If it resolves true, the call is repeated. */
export function repeatAfterConfirming(ask: (methods: unknown) => Promise<boolean>): void {
  confirmOwner = ask;
}

/** Asks for the password or another proof if the refusal demands one. Resolves true if the visitor gave it. */
export const confirmed = async (refusal: { code?: unknown; methods?: unknown } | null): Promise<boolean> =>
  refusal?.code === 'FreshSignInRequired' && confirmOwner !== null && confirmOwner(refusal.methods);

/** After a refused change, asks for a new sign-in if the session has ended. Resolves true if the visitor signed in. */
async function signedInAgain(problem: ApiProblem, method: Method, path: string, unattended = false) {
  if (problem.code !== 'NotSignedIn' || method === 'GET' || unattended) return false;
  if (path.startsWith('/api/auth/') || !signInAgain) return false;
  return signInAgain();
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

export function addressOf(path: string, query: RequestOptions['query'] = {}): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== undefined && one !== '') parameters.append(name, String(one));
    }
  }
  const text = parameters.toString();
  return text ? `${path}?${text}` : path;
}

/** A problem that the client found itself, such as a lost connection. */
const ownProblem = (code: string, title: string, detail?: string) =>
  new ApiProblem({ type: 'about:blank', title, code, status: 0, ...(detail !== undefined && { detail }) });

const unreachable = () =>
  ownProblem(
    'Unreachable',
    'No connection to the server',
    'The server could not be reached. Check your connection and try again.',
  );

/** Handles a body that did not arrive. Aborted requests and bodies that are not JSON keep their errors. */
const bodyLost = (error: unknown): never => {
  throw error instanceof TypeError ? unreachable() : error;
};

/** The problem after a timeout. Its text says that a write may have taken effect. */
function overdue(method: Method, idempotencyKey: string | undefined): ApiProblem {
  const unknown = 'The server did not answer in time. We do not know whether it was done.';
  const detail =
    method === 'GET'
      ? 'The server did not answer in time. Please try again.'
      : idempotencyKey
        ? `${unknown} If you try again, it is done only once.`
        : unknown;
  return ownProblem('AnswerOverdue', 'No answer from the server', detail);
}

/** The problem in an answer, with defaults for what a failed server or a proxy has left out. */
export const problemWith = (answer: Partial<Problem> | null, status: number): ApiProblem =>
  new ApiProblem({
    type: 'about:blank',
    title: 'The server could not answer',
    code: 'Unexpected',
    ...answer,
    status,
  });

const problemOf = async (response: Response): Promise<ApiProblem> =>
  problemWith((await response.json().catch(() => null)) as Partial<Problem> | null, response.status);

/**
 * Sends a request. After 502, 503, 504 or a lost connection, repeats it at most twice if it has an idempotency key or
 * is a GET, PUT or DELETE. Does not repeat it after a timeout. If the server demands a sign-in or a proof, asks the
 * visitor and sends the request again. @throws ApiProblem
 */
export async function request<Answer>(method: Method, path: string, options: RequestOptions = {}) {
  try {
    return await send<Answer>(method, path, options);
  } catch (error) {
    if (!(error instanceof ApiProblem)) throw error;
    if ((await signedInAgain(error, method, path, options.unattended)) || (await confirmed(error.members)))
      return send<Answer>(method, path, options);
    throw error;
  }
}

const isRaw = (body: unknown): body is FormData | Blob => body instanceof FormData || body instanceof Blob;

async function send<Answer>(method: Method, path: string, options: RequestOptions): Promise<Answer> {
  const { body, idempotencyKey, signal: outer } = options;
  const limitMs = options.limitMs ?? (isRaw(body) ? LONG_ANSWER_LIMIT_MS : ANSWER_LIMIT_MS);
  try {
    return await within(limitMs, (signal) => attempt<Answer>(method, path, { ...options, signal }), outer);
  } catch (error) {
    throw error instanceof AnswerOverdue ? overdue(method, idempotencyKey) : error;
  }
}

async function attempt<Answer>(
  method: Method,
  path: string,
  { query, body, idempotencyKey, ifMatch, signal, keepalive, isFile }: RequestOptions,
): Promise<Answer> {
  const server = backend();
  if (!server) throw ownProblem('BackendNotConfigured', 'backend not configured');
  const headers: Record<string, string> = { accept: 'application/json' };
  if (body !== undefined && !isRaw(body)) headers['content-type'] = 'application/json';
  if (idempotencyKey) headers['idempotency-key'] = idempotencyKey;
  if (ifMatch !== undefined) headers['if-match'] = `"${ifMatch}"`;
  const credentials = server.origin ? 'include' : 'same-origin';
  const init: RequestInit = { method, headers, credentials, signal, ...(keepalive && { keepalive }) };
  if (body !== undefined) init.body = isRaw(body) ? body : JSON.stringify(body);
  const repeatable = method === 'GET' || method === 'PUT' || method === 'DELETE' || idempotencyKey;

  for (let repeats = 0; ; repeats += 1) {
    const last = !repeatable || repeats === RETRIES;
    const askedAtMs = deviceNow();
    const response = await fetch(server.origin + addressOf(path, query), init).catch((error: unknown) => {
      if (signal?.aborted) throw error;
      hintAtOrigins(server.origin);
      return null;
    });
    if (response) learnBusinessTime(response.headers.get('business-time'), askedAtMs);
    if (response?.ok) {
      if (isFile) return response as Answer;
      if (response.status === 204) return undefined as Answer;
      // An answer with status 202 may have no body.
      if (response.status === 202) return (await response.json().catch(() => undefined)) as Answer;
      return (await response.json().catch(bodyLost)) as Answer;
    }
    if (last || (response && !RETRIED_STATUSES.has(response.status))) {
      throw response ? await problemOf(response) : unreachable();
    }
    await pause(FIRST_DELAY_MS * 2 ** repeats);
    if (signal?.aborted) throw new DOMException('The request was cancelled.', 'AbortError');
  }
}

/** Fetches a file by GET, or by POST if there is a body. @throws ApiProblem */
export async function requestFile(path: string, body?: object): Promise<Blob> {
  const options = { body, isFile: true, limitMs: LONG_ANSWER_LIMIT_MS };
  const response = await request<Response>(body ? 'POST' : 'GET', path, options);
  return response.blob().catch(bodyLost);
}

export function errorIdOf(error: unknown): string | undefined {
  const id = error instanceof ApiProblem ? error.members.errorId : undefined;
  return typeof id === 'string' ? id : undefined;
}

/** Returns the message that the visitor sees after a failure. */
export const messageOf = (error: unknown): string =>
  error instanceof ApiProblem ? error.message : 'Something went wrong. Please try again.';
