import { queryOptions } from '@tanstack/react-query';
import { NAMES_AT_ONCE } from '../../../application/accounts/values.js';
import { api } from './api.js';

interface Asked {
  id: string;
  resolve: (name: string | null) => void;
  reject: (reason: unknown) => void;
}
let waiting: Asked[] = [];

/** Requests all waiting names, `NAMES_AT_ONCE` per request. */
function ask(): void {
  const asked = waiting;
  waiting = [];
  for (let at = 0; at < asked.length; at += NAMES_AT_ONCE) {
    const some = asked.slice(at, at + NAMES_AT_ONCE);
    const ids = some.map(({ id }) => id).join(',');
    api('GET /api/finance/names', { query: { ids } }).then(
      ({ items }) => {
        const names = new Map(items.map(({ id, name }) => [id, name]));
        for (const { id, resolve } of some) resolve(names.get(id) ?? null);
      },
      (error: unknown) => some.forEach(({ reject }) => reject(error)),
    );
  }
}

/** The name of the person with this id; null if the id belongs to no person. */
export const nameQuery = (id: string) =>
  queryOptions({
    queryKey: ['what people are called', id],
    queryFn: () =>
      new Promise<string | null>((resolve, reject) => {
        if (waiting.push({ id, resolve, reject }) === 1) setTimeout(ask);
      }),
    staleTime: 300_000,
  });
