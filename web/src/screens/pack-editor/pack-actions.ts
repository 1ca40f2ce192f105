import type { NavigateFunction } from 'react-router-dom';
import type { OwnPack, OwnSample } from '../../../../application/publishing/contract.js';
import { ownPacksQuery } from '../../api/creator.js';
import { packsChanged } from '../../api/changes.js';
import { api, problemOf } from '../../api/api.js';
import { ApiProblem, messageOf } from '../../api/transport/http.js';
import { queryClient } from '../../api/query-client.js';
import { paths } from '../../paths.js';
import { askConfirm } from '../../ui/overlays/alerts.js';
import { notifyError, toast, notifyOf } from '../../ui/overlays/toast.js';
import { forgetUnsaved } from '../../ui/forms/unsaved.js';
import { keepPlaces } from './upload/upload-store.js';
import { changeInHand, packInHand, reloadPack, write, writePack } from './write-pack.js';

const STORAGE_LEFT = 'Storage cleanup failed - File removed from pack but may still exist in storage';

/** The server's message if it refused the request with a status from 400 to 499; undefined for other errors. */
export function saidBy(error: unknown): string | undefined {
  const refused = error instanceof ApiProblem && error.status >= 400 && error.status < 500;
  return refused ? error.message : undefined;
}

/** Shows the new order at once and saves it. If that fails, shows the server's order again. */
export async function reorder(pack: OwnPack, sampleIds: string[]): Promise<void> {
  keepPlaces(pack.id);
  const inOrder = (samples: readonly OwnSample[]) =>
    [...samples].sort((a, b) => sampleIds.indexOf(a.id) - sampleIds.indexOf(b.id));
  changeInHand(pack.slug, (now) => ({ ...now, samples: inOrder(now.samples) }));
  try {
    await writePack(pack.slug, (ifMatch) =>
      api('PUT /api/creator/packs/:id/order', { params: { id: pack.id }, body: { sampleIds }, ifMatch }),
    );
  } catch (error) {
    notifyOf('The order was not saved')(error);
    await reloadPack(pack.slug).catch(() => undefined);
  }
}

/** Sets the price of new samples, and of all samples if `applyToAll`. Resolves true if the price was saved. */
export async function setDefaultCost(pack: OwnPack, creditCost: number, applyToAll: boolean) {
  const saved = await writePack(
    pack.slug,
    (ifMatch) =>
      api('POST /api/creator/packs/:id/default-cost', {
        params: { id: pack.id },
        body: { creditCost, applyToAll },
        ifMatch,
      }),
    applyToAll ? {} : { replaces: ({ defaultCreditCost }) => defaultCreditCost },
  );
  return saved !== null;
}

export async function applyCostToAll(pack: OwnPack, creditCost: number): Promise<void> {
  const count = pack.samples.length;
  if (count === 0) return toast({ title: 'No samples to update', tone: 'info' });
  const sure = await askConfirm({
    title: 'Apply to All',
    message: `Set all ${count} samples to ${creditCost} credit(s)?`,
    confirmLabel: 'Apply to All',
  });
  if (!sure) return;
  try {
    if (await setDefaultCost(pack, creditCost, true)) {
      toast({ title: 'Updated', description: `All ${count} samples cost ${creditCost} credit(s) now.` });
    }
  } catch (error) {
    notifyError(error);
  }
}

/** A sample that prevents the publication of its pack, because another creator published the same recording before. */
export interface RefusedSample {
  sampleId: string;
  name: string;
}

/**
 * Puts the pack on sale.
 * @returns the sample whose recording another creator has already published, so that this creator can claim it;
 * undefined after success and every other failure
 */
export async function publish(pack: OwnPack): Promise<RefusedSample | undefined> {
  if (pack.samples.length === 0) {
    toast({ title: 'Please add at least one sample before publishing', tone: 'danger' });
    return undefined;
  }
  try {
    const published = await writePack(pack.slug, (ifMatch) =>
      api('POST /api/creator/packs/:id/publish', { params: { id: pack.id }, ifMatch }),
    );
    if (published) toast({ title: "Pack published successfully! It's now visible across the site." });
    return undefined;
  } catch (error) {
    toast({ title: 'Error publishing pack. Please try again.', description: saidBy(error), tone: 'danger' });
    const problem = problemOf('POST /api/creator/packs/:id/publish', error);
    return problem?.code === 'DuplicateAudio' && problem.among === 'catalogue'
      ? { sampleId: problem.sampleId, name: problem.name }
      : undefined;
  }
}

export async function unpublish(pack: OwnPack): Promise<void> {
  const sure = await askConfirm({
    title: 'Unpublish pack?',
    message: 'It leaves the catalogue until you publish it again. Buyers keep what they bought.',
    confirmLabel: 'Unpublish',
  });
  if (!sure) return;
  try {
    const changed = await writePack(pack.slug, (ifMatch) =>
      api('POST /api/creator/packs/:id/unpublish', { params: { id: pack.id }, ifMatch }),
    );
    if (changed) toast({ title: 'Pack unpublished', tone: 'info' });
  } catch (error) {
    notifyError(error);
  }
}

export async function deletePack(pack: OwnPack, navigate: NavigateFunction): Promise<void> {
  const sure = await askConfirm({
    title: 'Delete pack?',
    message:
      pack.status === 'published'
        ? 'It leaves the catalogue for good. Buyers keep what they bought.'
        : 'The pack and its samples are removed for good.',
    confirmLabel: 'Delete pack',
    destructive: true,
  });
  if (!sure) return;
  try {
    const done = await write(pack.slug, async (ifMatch) => {
      await api('DELETE /api/creator/packs/:id', { params: { id: pack.id }, ifMatch });
      return true;
    });
    if (!done) return;
    queryClient.setQueryData(
      ownPacksQuery.queryKey,
      (list) =>
        list && {
          ...list,
          pages: list.pages.map((page) => ({
            ...page,
            items: page.items.filter(({ id }) => id !== pack.id),
          })),
        },
    );
    packsChanged();
    forgetUnsaved();
    void navigate(paths.dashboard);
    toast({ title: 'Pack deleted successfully' });
  } catch {
    toast({ title: 'Error: Failed to delete pack. Please try again.', tone: 'danger' });
  }
}

/** Asks the creator, then deletes a sample. Resolves true if the sample is no longer in the pack. */
export async function deleteSample(pack: OwnPack, sample: OwnSample): Promise<boolean> {
  const sure = await askConfirm({
    title: 'Delete sample?',
    message: `“${sample.name}” leaves the pack. Buyers keep what they bought.`,
    confirmLabel: 'Delete sample',
    destructive: true,
  });
  if (!sure) return false;
  try {
    const done = await write(pack.slug, async (ifMatch) => {
      const params = { id: pack.id, sampleId: sample.id };
      const left = await api('DELETE /api/creator/packs/:id/samples/:sampleId', { params, ifMatch });
      return left ?? { cleanedUp: true };
    });
    if (!done) return false;
    await reloadPack(pack.slug);
    packsChanged();
    if (done.cleanedUp) toast({ title: 'Sample deleted' });
    else toast({ title: STORAGE_LEFT, tone: 'danger' });
    return true;
  } catch (error) {
    await reloadPack(pack.slug).catch(() => undefined);
    const gone = !packInHand(pack.slug)?.samples.some(({ id }) => id === sample.id);
    const title = gone
      ? 'Error deleting sample - Sample removed from pack but cleanup may have failed'
      : 'Error deleting sample';
    toast({ title, description: gone ? undefined : messageOf(error), tone: 'danger' });
    return gone;
  }
}
