import type { OwnPack } from '../../../../application/publishing/contract.js';
import { ownPackQuery, ownPacksQuery, putOwnPack } from '../../api/creator.js';
import { packsChanged } from '../../api/changes.js';
import { ApiProblem } from '../../api/transport/http.js';
import { queryClient } from '../../api/query-client.js';
import { showAlert } from '../../ui/overlays/alerts.js';

/** The pack as the editor holds it; undefined before it is loaded. */
export function packInHand(slug: string): OwnPack | undefined {
  return queryClient.getQueryData(ownPackQuery(slug).queryKey);
}

/** Changes the pack in the editor, before or besides the server's answer. */
export function changeInHand(slug: string, change: (pack: OwnPack) => OwnPack): void {
  queryClient.setQueryData(ownPackQuery(slug).queryKey, (pack) => pack && change(pack));
}

/** Fetches the pack. @param throwOnError whether a missing answer is a failure */
export async function reloadPack(slug: string, { throwOnError = false } = {}): Promise<void> {
  await queryClient.refetchQueries({ queryKey: ownPackQuery(slug).queryKey }, { throwOnError });
  void queryClient.invalidateQueries({ queryKey: ownPacksQuery.queryKey });
}

const NOT_SAVED = 'Your change was not saved. The pack is shown as it is now.';

/**
 * Tells the creator that another change was first, and shows the present pack.
 * @param outcome the result of the change
 */
export async function notifyStale(slug: string, outcome = NOT_SAVED): Promise<void> {
  await reloadPack(slug).catch(() => undefined);
  await showAlert({
    title: 'Somebody changed this pack',
    message: `It was changed elsewhere since you opened it. ${outcome}`,
  });
}

/** The last write of each pack. Every request ends in time, so none is waited for without end. */
const lastOf = new Map<string, Promise<unknown>>();

/**
 * Runs a write after earlier ones of the same pack, with the version they led to.
 * @returns null if another change was first, which the creator then knows
 * @throws ApiProblem for every other refusal
 */
export function write<Answer>(
  slug: string,
  send: (version: number | undefined) => Promise<Answer>,
  staleOutcome?: string,
): Promise<Answer | null> {
  const run = async () => {
    try {
      return await send(packInHand(slug)?.version);
    } catch (error) {
      if (!(error instanceof ApiProblem) || error.code !== 'StaleVersion') throw error;
      await notifyStale(slug, staleOutcome);
      return null;
    }
  };
  const result = (lastOf.get(slug) ?? Promise.resolve()).then(run, run);
  const ended: Promise<unknown> = result
    .catch(() => undefined)
    .then(() => lastOf.get(slug) === ended && lastOf.delete(slug));
  lastOf.set(slug, ended);
  return result;
}

/** Writes a change that answers the whole pack, and shows it. Listeners see it at their next look. */
export async function writePack(
  slug: string,
  send: (version: number | undefined) => Promise<OwnPack>,
): Promise<OwnPack | null> {
  const pack = await write(slug, send);
  if (!pack) return null;
  changeInHand(slug, () => pack);
  putOwnPack(pack);
  packsChanged();
  return pack;
}
