import type { OwnPack, OwnSample } from '../../../../application/publishing/contract.js';
import { ownPackQuery, ownPacksQuery, putOwnPack } from '../../api/creator.js';
import { packsChanged } from '../../api/changes.js';
import { ApiProblem } from '../../api/transport/http.js';
import { queryClient } from '../../api/query-client.js';
import { showAlert } from '../../ui/overlays/alerts.js';

/** The editor's copy of the pack; undefined before it is loaded. */
export function packInHand(slug: string): OwnPack | undefined {
  return queryClient.getQueryData(ownPackQuery(slug).queryKey);
}

/** Changes the editor's copy of the pack before the server answers, or when the answer is not the whole pack. */
export function changeInHand(slug: string, change: (pack: OwnPack) => OwnPack): void {
  queryClient.setQueryData(ownPackQuery(slug).queryKey, (pack) => pack && change(pack));
}

/** Fetches the pack again. @param throwOnError whether to throw if the request fails */
export async function reloadPack(slug: string, { throwOnError = false } = {}): Promise<void> {
  await queryClient.refetchQueries({ queryKey: ownPackQuery(slug).queryKey }, { throwOnError });
  void queryClient.invalidateQueries({ queryKey: ownPacksQuery.queryKey });
}

const NOT_SAVED = 'Your change was not saved. The pack is shown as it is now.';

/** The fields that the creator changed in a form. Sending only these preserves changes from other tabs. */
export const changedOnly = <Body extends object>(
  body: Body,
  dirtyFields: Readonly<Record<string, unknown>>,
): Partial<Body> =>
  Object.fromEntries(Object.entries(body).filter(([field]) => dirtyFields[field])) as Partial<Body>;

/** Returns a function for `replaces`, which reads the current values of the fields that `change` has. */
export const replacedIn =
  (sampleId: string, change: object) =>
  (pack: OwnPack): unknown => {
    const sample = pack.samples.find(({ id }) => id === sampleId);
    return sample && Object.keys(change).map((field) => sample[field as keyof OwnSample]);
  };

interface Conflicts {
  /** Reads the values that the write replaces. If another tab changed only other values, the write is repeated. */
  replaces?: (pack: OwnPack) => unknown;
  /** The last sentence of the alert after a conflict. It says what became of the creator's change. */
  outcome?: string;
}

/** If this many attempts of a write meet a newer version, the write is given up and the creator gets an alert. */
const ATTEMPTS = 3;

/**
 * The last write of each pack, by slug. The next write of the pack waits for it. Every request ends after a time limit,
 * or after a pause in its transfer, so no write waits forever.
 */
const lastOf = new Map<string, Promise<unknown>>();

/**
 * Runs a write after the earlier writes of the same pack, with the version that those writes produced.
 * @returns null if another change came first; the creator was notified
 * @throws ApiProblem for every other refusal
 */
export function write<Answer>(
  slug: string,
  send: (version: number | undefined) => Promise<Answer>,
  { replaces, outcome = NOT_SAVED }: Conflicts = {},
): Promise<Answer | null> {
  const replaced = () => {
    const pack = packInHand(slug);
    return replaces && pack && JSON.stringify(replaces(pack));
  };
  const run = async () => {
    const before = replaced();
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await send(packInHand(slug)?.version);
      } catch (error) {
        if (!(error instanceof ApiProblem) || error.code !== 'StaleVersion') throw error;
        await reloadPack(slug).catch(() => undefined);
        if (attempt < ATTEMPTS && before !== undefined && before === replaced()) continue;
        await showAlert({
          title: 'This pack changed elsewhere',
          message: `It was changed in another tab or on another device since you opened it. ${outcome}`,
        });
        return null;
      }
    }
  };
  const result = (lastOf.get(slug) ?? Promise.resolve()).then(run, run);
  const ended: Promise<unknown> = result
    .catch(() => undefined)
    .then(() => lastOf.get(slug) === ended && lastOf.delete(slug));
  lastOf.set(slug, ended);
  return result;
}

/** Sends a write that returns the whole pack, and shows the pack in the editor. */
export async function writePack(
  slug: string,
  send: (version: number | undefined) => Promise<OwnPack>,
  conflicts?: Conflicts,
): Promise<OwnPack | null> {
  const pack = await write(slug, send, conflicts);
  if (!pack) return null;
  changeInHand(slug, () => pack);
  putOwnPack(pack);
  packsChanged();
  return pack;
}
