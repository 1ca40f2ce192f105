import type { QueryKey } from '@tanstack/react-query';
import { openChannel } from './transport/channel.js';
import type { Key } from './endpoints.js';
import { invalidate, isCatalogue, queryClient } from './query-client.js';

/** A change of what the visitor has. */
interface Change {
  /** Endpoints whose answers are out of date. */
  outdated?: readonly Key[];
  /** Added to the record under a key. */
  added?: { queryKey: QueryKey; entries: object };
}

const channel = openChannel('offcut-changes');

function take({ outdated = [], added }: Change): void {
  if (added) queryClient.setQueryData(added.queryKey, (known?: object) => ({ ...known, ...added.entries }));
  void invalidate(...outdated);
}

/** Changes the cache of this tab and of the others: what the visitor has is the same in every tab. */
export function changeInAllTabs(change: Change): void {
  take(change);
  channel?.postMessage(change);
}

/** Takes over what other tabs changed, until the returned function is called. */
export function hearOtherTabs(): () => void {
  const hear = ({ data }: MessageEvent<Change>) => take(data);
  channel?.addEventListener('message', hear);
  return () => channel?.removeEventListener('message', hear);
}

/** The cached packs are out of date; listening pages reload. */
export const packsChanged = (): void => void queryClient.invalidateQueries({ predicate: isCatalogue });

const CREDITS = ['GET /api/credits', 'GET /api/credits/ledger'] as const;

export const creditsChanged = (): void => changeInAllTabs({ outdated: CREDITS });

/** The plan or its state changed; its credits may have come. */
export const planChanged = (): void => changeInAllTabs({ outdated: ['GET /api/subscription', ...CREDITS] });
