import { useSyncExternalStore } from 'react';
import type { Query } from '@tanstack/react-query';
import { queryClient } from './query-client.js';

/** For so long answers may still show how it was before what was done here. */
export const SETTLED_AFTER_MS = 10_000;

/** When the answers on their way were asked for. */
const askedAtMs = new WeakMap<Query, number>();

const NOTHING: ReadonlyMap<string, { value: boolean }> = new Map();

/** Every thing with an id in an answer, however deep. */
function* thingsIn(answer: unknown): Generator<Record<string, unknown>> {
  if (typeof answer !== 'object' || answer === null) return;
  if ('id' in answer) yield answer as Record<string, unknown>;
  for (const part of Object.values(answer)) {
    // Bars of waveforms are no things.
    if (Array.isArray(part) && typeof part[0] !== 'object') continue;
    yield* thingsIn(part);
  }
}

/**
 * What was done here and answers on screen cannot show yet, such as that a sample was saved, by the thing's id. It holds
 * until the server says something newer about that thing.
 */
export function newestWord(field: 'saved' | 'owned') {
  let known: ReadonlyMap<string, { value: boolean; atMs: number }> = new Map();
  const listeners = new Set<() => void>();
  const put = (next: typeof known) => {
    known = next;
    listeners.forEach((listener) => listener());
  };
  const subscribe = (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  const hear = (answer: unknown, atMs: number) => {
    const newer = [...thingsIn(answer)].flatMap((thing): [string, { value: boolean; atMs: number }][] => {
      const [id, value] = [thing.id, thing[field]];
      const before = typeof id === 'string' ? known.get(id) : undefined;
      if (!before || typeof value !== 'boolean' || atMs < before.atMs + SETTLED_AFTER_MS) return [];
      return value === before.value ? [] : [[String(id), { value, atMs }]];
    });
    if (newer.length > 0) put(new Map([...known, ...newer]));
  };
  queryClient.getQueryCache().subscribe((event) => {
    if (event.type !== 'updated') return;
    const { action, query } = event;
    if (action.type === 'fetch') askedAtMs.set(query, Date.now());
    if (action.type === 'success' && !action.manual && known.size > 0)
      hear(query.state.data, askedAtMs.get(query) ?? 0);
  });
  return {
    /** Done here, or in another tab. */
    set(ids: readonly string[], value: boolean): void {
      const atMs = Date.now();
      put(new Map([...known, ...ids.map((id) => [id, { value, atMs }] as const)]));
    },
    clear: () => put(new Map()),
    of: (id: string): boolean | undefined => known.get(id)?.value,
    use: (id: string): boolean | undefined =>
      useSyncExternalStore(
        subscribe,
        () => known.get(id)?.value,
        () => undefined,
      ),
    /** The newest word of any thing, for lists that are counted. */
    useAny: (): ((id: string) => boolean | undefined) => {
      const now = useSyncExternalStore(
        subscribe,
        () => known,
        () => NOTHING,
      );
      return (id) => now.get(id)?.value;
    },
  };
}
