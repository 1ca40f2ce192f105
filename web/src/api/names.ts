import { queryOptions } from '@tanstack/react-query';
import { NAMES_AT_ONCE } from '../../../application/accounts/values.js';
import { api } from './api.js';

interface Asked {
  id: string;
  resolve: (name: string | null) => void;
  reject: (reason: unknown) => void;
}
let waiting: Asked[] = [];

/** All that a page wants to know at once are one question. */
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

/** What somebody is called whom the books know by id; null if it is nobody's id. */
export const nameQuery = (id: string) =>
  queryOptions({
    queryKey: ['what people are called', id],
    queryFn: () =>
      new Promise<string | null>((resolve, reject) => {
        if (waiting.push({ id, resolve, reject }) === 1) setTimeout(ask);
      }),
    staleTime: 300_000,
  });
