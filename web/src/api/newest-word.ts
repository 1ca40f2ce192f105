import { type Query, queryOptions, skipToken, useQuery } from '@tanstack/react-query';
import { deviceNow } from '../clock.js';
import { changeInAllTabs } from './changes.js';
import type { Key } from './endpoints.js';
import { queryClient } from './query-client.js';

/** For this long after a change by the visitor, the server's answers may still show the previous state. */
export const SETTLED_AFTER_MS = 10_000;

const FIELDS = ['saved', 'owned'] as const;
type Field = (typeof FIELDS)[number];
type Words = Readonly<Record<string, { value: boolean; atMs: number }>>;

const WORDS = 'newest word';
queryClient.setQueryDefaults([WORDS], { gcTime: Number.POSITIVE_INFINITY });

/** The last changes by the visitor, by the id of the sample or pack. The server's later answers replace them. */
const wordsOf = (field: Field) => queryOptions<Words>({ queryKey: [WORDS, field], queryFn: skipToken });

const askedAtMs = new WeakMap<Query, number>();

/** Yields every object with an id in an answer, at any depth. */
function* thingsIn(answer: unknown): Generator<Record<string, unknown>> {
  if (typeof answer !== 'object' || answer === null) return;
  if ('id' in answer) yield answer as Record<string, unknown>;
  for (const part of Object.values(answer)) {
    // Skips lists of numbers and texts, such as the bars of waveforms, because they contain no ids.
    if (Array.isArray(part) && typeof part[0] !== 'object') continue;
    yield* thingsIn(part);
  }
}

function hear(answer: unknown, atMs: number): void {
  for (const field of FIELDS) {
    const { queryKey } = wordsOf(field);
    const known = queryClient.getQueryData<Words>(queryKey);
    if (!known) continue;
    const newer = [...thingsIn(answer)].flatMap(({ id, [field]: value }) => {
      const before = typeof id === 'string' ? known[id] : undefined;
      if (!before || typeof value !== 'boolean' || atMs < before.atMs + SETTLED_AFTER_MS) return [];
      return value === before.value ? [] : [[id as string, { value, atMs }] as const];
    });
    if (newer.length > 0) queryClient.setQueryData(queryKey, { ...known, ...Object.fromEntries(newer) });
  }
}

queryClient.getQueryCache().subscribe((event) => {
  if (event.type !== 'updated') return;
  const { action, query } = event;
  if (action.type === 'fetch') askedAtMs.set(query, deviceNow());
  if (action.type === 'success' && !action.manual) hear(query.state.data, askedAtMs.get(query) ?? 0);
});

/** Announces a change by the visitor in every tab. @param outdated endpoints whose answers the change makes stale */
export function say(field: Field, ids: readonly string[], value: boolean, outdated: readonly Key[]): void {
  const atMs = deviceNow();
  const entries = Object.fromEntries(ids.map((id) => [id, { value, atMs }]));
  const { queryKey } = wordsOf(field);
  changeInAllTabs({ added: { queryKey, entries }, outdated });
}

/** Calls the listener after each change by the visitor in any tab, and after each newer state from the server. */
export function onNewWord(listener: () => void): void {
  queryClient.getQueryCache().subscribe(({ type, query }) => {
    if (type === 'updated' && query.queryKey[0] === WORDS) listener();
  });
}

/** The newest state by id, for code outside components. Undefined if the visitor has not changed it. */
export const wordOn = (field: Field, id: string): boolean | undefined =>
  queryClient.getQueryData<Words>(wordsOf(field).queryKey)?.[id]?.value;

export const useWord = (field: Field, id: string): boolean | undefined =>
  useQuery({ ...wordsOf(field), select: (words) => words[id]?.value }).data;

/** Returns a function that maps an id to its newest state, for a component that shows many samples or packs. */
export function useWords(field: Field): (id: string) => boolean | undefined {
  const { data } = useQuery(wordsOf(field));
  return (id) => data?.[id]?.value;
}
