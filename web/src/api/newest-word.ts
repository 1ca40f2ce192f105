import { type Query, queryOptions, skipToken, useQuery } from '@tanstack/react-query';
import { deviceNow } from '../clock.js';
import { changeInAllTabs } from './changes.js';
import type { Key } from './endpoints.js';
import { queryClient } from './query-client.js';

/** For this long after a change, answers of the server may still show the state before the change. */
export const SETTLED_AFTER_MS = 10_000;

const FIELDS = ['saved', 'owned'] as const;
type Field = (typeof FIELDS)[number];
type Words = Readonly<Record<string, { value: boolean; atMs: number }>>;

const WORDS = 'newest word';
queryClient.setQueryDefaults([WORDS], { gcTime: Number.POSITIVE_INFINITY });

/** The visitor's own changes, by id. A change counts until the server reports a newer state. */
const wordsOf = (field: Field) => queryOptions<Words>({ queryKey: [WORDS, field], queryFn: skipToken });

const askedAtMs = new WeakMap<Query, number>();

/** Every object with an id in an answer, at any depth. */
function* thingsIn(answer: unknown): Generator<Record<string, unknown>> {
  if (typeof answer !== 'object' || answer === null) return;
  if ('id' in answer) yield answer as Record<string, unknown>;
  for (const part of Object.values(answer)) {
    // Bars of waveforms are numbers and have no ids.
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

/** Announces a change in every tab. @param outdated endpoints whose answers are stale after the change */
export function say(field: Field, ids: readonly string[], value: boolean, outdated: readonly Key[]): void {
  const atMs = deviceNow();
  const entries = Object.fromEntries(ids.map((id) => [id, { value, atMs }]));
  const { queryKey } = wordsOf(field);
  changeInAllTabs({ added: { queryKey, entries }, outdated });
}

/** Calls the listener after each change of the visitor, in any tab. */
export function onNewWord(listener: () => void): void {
  queryClient.getQueryCache().subscribe(({ type, query }) => {
    if (type === 'updated' && query.queryKey[0] === WORDS) listener();
  });
}

/** The newest state of a thing, for code that is no component. */
export const wordOn = (field: Field, id: string): boolean | undefined =>
  queryClient.getQueryData<Words>(wordsOf(field).queryKey)?.[id]?.value;

export const useWord = (field: Field, id: string): boolean | undefined =>
  useQuery({ ...wordsOf(field), select: (words) => words[id]?.value }).data;

/** Returns a function from id to newest state, for a component that shows many things. */
export function useWords(field: Field): (id: string) => boolean | undefined {
  const { data } = useQuery(wordsOf(field));
  return (id) => data?.[id]?.value;
}
