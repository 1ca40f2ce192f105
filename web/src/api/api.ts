import { infiniteQueryOptions, mutationOptions, queryOptions } from '@tanstack/react-query';
import { cachingOf } from './caching.js';
import type { Answer, Endpoints, Input, InputOf, Key, Problem } from './endpoints.js';
import { sendOnce } from './transport/idempotency-key.js';
import { ApiProblem, request, type Method, type RequestOptions } from './transport/http.js';

interface Asked {
  params?: Readonly<Record<string, string>>;
  query?: RequestOptions['query'];
  body?: unknown;
}

export function placeOf(key: Key, params?: Asked['params']): [Method, string] {
  const [method, template] = key.split(' ') as [Method, string];
  return [method, template.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params?.[name] ?? ''))];
}

/** Calls an endpoint by its key. @throws ApiProblem, which `problemOf` converts to the endpoint's typed problems */
export function api<K extends Key>(key: K, ...[input]: InputOf<K>): Promise<Answer<K>> {
  const { params, ...options } = (input ?? {}) as Asked & RequestOptions;
  const [method, path] = placeOf(key, params);
  // A call without a body sends an empty object, because some proxies wait for a body if the method usually has one.
  const body = options.body ?? (method === 'GET' || method === 'DELETE' ? undefined : {});
  return request<Answer<K>>(method, path, { ...options, body });
}

type OnceKey = { [K in Key]: Endpoints[K] extends { idempotent: true } ? K : never }[Key];

/** Calls an endpoint that must act only once. Repeating the call after a lost answer has no second effect. */
export function apiOnce<K extends OnceKey>(key: K, input: Omit<Input<K>, 'idempotencyKey'>) {
  const { params, body } = input as Asked;
  return sendOnce(JSON.stringify([key, params, body]), (idempotencyKey) =>
    api(key, ...([{ ...input, idempotencyKey }] as unknown as InputOf<K>)),
  );
}

/** Returns the problem of a failed call, typed by its `code`; undefined if the error is no `ApiProblem`. */
export const problemOf = <K extends Key>(_key: K, error: unknown): Problem<K> | undefined =>
  error instanceof ApiProblem ? (error.members as Problem<K>) : undefined;

/** The cache key of an answer: endpoint and input. Without an input, the key matches all answers of the endpoint. */
export const queryKeyOf = <K extends Key>(key: K, input?: Input<K>) => {
  const { params, query, body } = (input ?? {}) as Asked;
  return params || query || body ? ([key, { params, query, body }] as const) : ([key] as const);
};

/** The options with which TanStack Query calls an endpoint. `caching.ts` says how long its answers are fresh. */
export const query = <K extends Key>(key: K, ...[input]: InputOf<K>) =>
  queryOptions({
    queryKey: queryKeyOf(key, input),
    queryFn: ({ signal }) => api(key, ...([{ ...input, signal }] as unknown as InputOf<K>)),
    ...cachingOf(key),
  });

export const mutation = <K extends Key>(key: K) =>
  mutationOptions({
    mutationFn: (input: object extends Input<K> ? Input<K> | void : Input<K>) =>
      api(key, ...([input] as unknown as InputOf<K>)),
  });

type PagedKey = { [K in Key]: Answer<K> extends { nextCursor: string | null } ? K : never }[Key];

export const pages = <K extends PagedKey>(key: K, ...[input]: InputOf<K>) =>
  infiniteQueryOptions({
    queryKey: [...queryKeyOf(key, input), 'pages'] as const,
    queryFn: ({ signal, pageParam }) => {
      // The page parameter is null if the server put the first answer into the HTML, because JSON has no undefined.
      const cursor = pageParam ?? undefined;
      const asked = { ...input, query: { ...(input as Asked | undefined)?.query, cursor }, signal };
      return api(key, ...([asked] as unknown as InputOf<K>));
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => (page as { nextCursor: string | null }).nextCursor ?? undefined,
    ...cachingOf(key),
  });
