import * as z from 'zod';
import { exampleOf } from '../../adapters/platform/http/description/example.js';
import { ENDPOINTS } from '../../application/all-endpoints.js';
import { problemsOf } from '../../application/shared/endpoint-problems.js';
import { PROBLEM_MEMBERS } from '../../application/shared/problem-members.js';
import { isRawAnswer, isRawBody, usualStatus, type Endpoint } from '../../application/shared/endpoint.js';
import { PROBLEMS, type ProblemCode } from '../../application/shared/problems.js';

interface Request {
  method: string;
  /** Without the query. */
  path: string;
}

const patternOf = ({ path }: Endpoint): RegExp =>
  new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/:\w+/g, '[^/]+').replaceAll(/\*\w+/g, '.+')}$`);
const byKey = ENDPOINTS.map((endpoint) => ({ endpoint, pattern: patternOf(endpoint) })).toSorted(
  // Paths with fewer parameters come first.
  ({ endpoint: { path: a } }, { endpoint: { path: b } }) =>
    a.split(':').length - b.split(':').length || b.length - a.length,
);

/** Returns the endpoint that a request reaches, or undefined. */
export const endpointAt = ({ method, path }: Request): Endpoint | undefined =>
  byKey.find(({ endpoint, pattern }) => endpoint.method === method && pattern.test(path))?.endpoint;

const MEMBERS: Partial<Record<ProblemCode, z.ZodObject>> = PROBLEM_MEMBERS;

const faultsIn = (what: string, schema: z.ZodType, value: unknown): string[] =>
  schema.safeParse(value).error?.issues.map(({ path, message }) => `${what} ${path.join('.')}: ${message}`) ??
  [];

interface SentRequest extends Request {
  query: URLSearchParams;
  body: unknown;
  headers: Record<string, string>;
}

/** Returns the ways in which a request breaks its contract. */
export function faultsOfRequest(request: SentRequest): string[] {
  const endpoint = endpointAt(request);
  if (!endpoint) return [];
  const { key, query, body, idempotent } = endpoint;
  const asked = Object.fromEntries(
    [...request.query.keys()].map((name) => {
      const values = request.query.getAll(name);
      return [name, values.length === 1 ? values[0] : values];
    }),
  );
  return [
    ...(query ? faultsIn(`${key} query`, query, asked) : []),
    ...(body && !isRawBody(body) ? faultsIn(`${key} body`, body, request.body) : []),
    ...(idempotent && !request.headers['idempotency-key'] ? [`${key} has no Idempotency-Key`] : []),
  ];
}

/** Returns the ways in which an answer breaks its contract. */
export function faultsOfAnswer(request: Request, status: number, json: unknown): string[] {
  const endpoint = endpointAt(request);
  if (!endpoint) return [];
  // Undescribed endpoints are not mounted in every setup.
  if (endpoint.undescribed && status === 404) return [];
  // 304 is HTTP's own answer to a request that names the current version.
  if (status === 304 && endpoint.method === 'GET') return [];
  const what = `${endpoint.key} ${status}`;
  // A proxy in front of the product, or Node itself, refuses without a problem body.
  if ((status >= 500 || status === 431) && json === undefined) return [];
  const answer = endpoint.answers[status];
  if (answer && isRawAnswer(answer)) return [];
  if (status >= 400) {
    const { code } = (json ?? {}) as { code?: ProblemCode };
    if (!code || !problemsOf(endpoint).includes(code))
      return [`${what} has the code ${code}, which is not declared`];
    const members = MEMBERS[code];
    return [
      ...(PROBLEMS[code][0] === status ? [] : [`${what} has the code ${code} of ${PROBLEMS[code][0]}`]),
      ...(members ? faultsIn(`${what} ${code}`, members, json) : []),
    ];
  }
  if (answer === undefined) return [`${what} is not declared`];
  return answer ? faultsIn(what, answer, json) : [];
}

/** Returns example values for the members that a problem has beside its code. */
export const exampleMembers = (code: ProblemCode): object =>
  MEMBERS[code] ? (exampleOf(z.toJSONSchema(MEMBERS[code])) as object) : {};

/** Returns the usual answer to a request, with an example body from the contract. */
export function exampleAnswer(request: Request): { status: number; json?: unknown } {
  const endpoint = endpointAt(request);
  if (!endpoint) return { status: 200 };
  const status = usualStatus(endpoint);
  const answer = endpoint.answers[status];
  if (!answer || isRawAnswer(answer)) return { status };
  return { status, json: exampleOf(z.toJSONSchema(answer, { unrepresentable: 'any' })) };
}
