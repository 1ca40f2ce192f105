import type { QueryKey } from '@tanstack/react-query';
import { openChannel } from './transport/backend.js';
import type { Key } from './endpoints.js';
import { invalidate, isCatalogue, queryClient } from './query-client.js';

interface Change {
  outdated?: readonly Key[];
  added?: { queryKey: QueryKey; entries: object };
}

const channel = openChannel('offcut-changes');

function take({ outdated = [], added }: Change): void {
  if (added) queryClient.setQueryData(added.queryKey, (known?: object) => ({ ...known, ...added.entries }));
  void invalidate(...outdated);
}

/** Changes the cache of this tab and of all others, because they show the same visitor's data. */
export function changeInAllTabs(change: Change): void {
  take(change);
  channel?.postMessage(change);
}

export function hearOtherTabs(): () => void {
  const hear = ({ data }: MessageEvent<Change>) => take(data);
  channel?.addEventListener('message', hear);
  return () => channel?.removeEventListener('message', hear);
}

export const packsChanged = (): void => void queryClient.invalidateQueries({ predicate: isCatalogue });

/**
 * Announces a change of the plan, its state or a gift in all tabs. Marks the credits as stale too, because each of
 * these changes may add some.
 */
export const planChanged = (): void =>
  changeInAllTabs({
    outdated: ['GET /api/subscription', 'GET /api/credits', 'GET /api/credits/ledger', 'GET /api/gifts'],
  });
