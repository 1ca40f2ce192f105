import { mutationOptions } from '@tanstack/react-query';
import type { OwnCollection } from '../../../../application/library/collections/contract.js';
import { api, query } from '../../api/api.js';
import { queryClient } from '../../api/query-client.js';
import { collectionsChanged } from '../../collections/collections-changed.js';
import { notifyOf, toast } from '../../ui/overlays/toast.js';

interface Step {
  /** What the screen shows before the server has answered. */
  shown: (now: OwnCollection) => OwnCollection;
  send: () => Promise<unknown>;
  failure: string;
}

const KEY = ['change collection'];

/** The options of a change. Changes with the same `scope` are sent one after another, in the order of the presses. */
const changing = (id: string) =>
  mutationOptions({
    mutationKey: [...KEY, id],
    scope: { id: `collection ${id}` },
    onMutate: async ({ shown }: Step) => {
      const { queryKey } = query('GET /api/collections/own/:id', { params: { id } });
      // Cancels requests for the collection that are in progress, because their answers would undo this change on the
      // screen.
      await queryClient.cancelQueries({ queryKey });
      queryClient.setQueryData(queryKey, (now) => now && shown(now));
    },
    mutationFn: ({ send }: Step) => send(),
    onError: (error, { failure }) => notifyOf(failure)(error),
    onSettled: () => {
      // Only the last of several changes refetches. An earlier answer would lack the later changes.
      if (queryClient.isMutating({ mutationKey: [...KEY, id] }) === 1) collectionsChanged();
    },
  });

/**
 * Shows a change before the server answers. If the request fails, reports the failure and resolves false. Then
 * fetches the collection again.
 */
export const change = (id: string, step: Step): Promise<boolean> =>
  queryClient
    .getMutationCache()
    .build(queryClient, changing(id))
    .execute(step)
    .then(
      () => true,
      () => false,
    );

/** @param after the id of the sample that the moved sample follows; null if the moved sample becomes the first */
const moved = (now: OwnCollection, sampleId: string, after: string | null): OwnCollection => {
  const entry = now.entries.find((each) => each.sampleId === sampleId);
  if (!entry || after === sampleId) return now;
  const entries = now.entries.filter((each) => each !== entry);
  const at = after === null ? 0 : entries.findIndex((each) => each.sampleId === after) + 1;
  return { ...now, entries: [...entries.slice(0, at), entry, ...entries.slice(at)] };
};

const sendMove = (id: string, sampleId: string, after: string | null) =>
  api('PUT /api/collections/own/:id/samples/:sampleId/place', {
    params: { id, sampleId },
    body: { after },
  });

export const move = (id: string, sampleId: string, after: string | null): Promise<boolean> =>
  change(id, {
    shown: (now) => moved(now, sampleId, after),
    send: () => sendMove(id, sampleId, after),
    failure: 'The order was not saved',
  });

/** Removes a sample, and offers to put it back in its place. */
export async function remove({ id, entries }: OwnCollection, sampleId: string): Promise<void> {
  const at = entries.findIndex((each) => each.sampleId === sampleId);
  const entry = entries[at];
  if (!entry) return;
  const done = await change(id, {
    shown: (now) => ({ ...now, entries: now.entries.filter((each) => each.sampleId !== sampleId) }),
    send: () => api('DELETE /api/collections/own/:id/samples/:sampleId', { params: { id, sampleId } }),
    failure: 'The sample was not removed',
  });
  if (!done) return;
  const putBack = () =>
    change(id, {
      shown: (now) => now,
      send: async () => {
        await api('POST /api/collections/own/:id/samples', {
          params: { id },
          body: { sampleIds: [sampleId] },
        });
        await sendMove(id, sampleId, entries[at - 1]?.sampleId ?? null);
      },
      failure: 'The sample was not put back',
    });
  const action = entry.sample ? { label: 'Undo', onPress: () => void putBack() } : undefined;
  toast({ title: 'Removed', description: `“${entry.title}” left the collection.`, tone: 'info', action });
}

export const describe = (id: string, words: { name?: string; description?: string }): Promise<boolean> =>
  change(id, {
    shown: (now) => ({ ...now, ...words }),
    send: () => api('PATCH /api/collections/own/:id', { params: { id }, body: words }),
    failure: 'The collection was not changed',
  });
