import type { OwnPack, OwnSample } from '../../../../application/publishing/contract.js';
import { packsChanged } from '../../api/changes.js';
import { api } from '../../api/api.js';
import { askConfirm } from '../../ui/overlays/alerts.js';
import { toast } from '../../ui/overlays/toast.js';
import { putSample } from './attachment.js';
import { hashFile } from './upload/hash-file.js';
import { replacedIn, write } from './write-pack.js';

/** Asks before a file on sale is replaced, and before the pack gets a recording that it already has. */
export async function mayReplace(pack: OwnPack, sample: OwnSample, file: File): Promise<boolean> {
  const hash = await hashFile(file);
  if (hash === sample.sha256) {
    toast({ title: 'This is the file that the sample has already', tone: 'info' });
    return false;
  }
  const same = hash && pack.samples.find(({ id, sha256 }) => id !== sample.id && sha256 === hash);
  const isOnSale = pack.status === 'published' || sample.downloads > 0;
  if (!same && !isOnSale) return true;
  const messages = [
    same && `The pack has this recording already, as “${same.name}”.`,
    isOnSale && `Buyers keep “${sample.filename}”; from now on “${file.name}” is sold instead.`,
  ];
  return askConfirm({
    title: 'Replace the file?',
    message: messages.filter(Boolean).join(' '),
    confirmLabel: 'Replace',
    destructive: true,
  });
}

/** Restores the previous file of a sample. Resolves true if it is restored. */
export async function undoReplacement({ id, slug }: OwnPack, sample: OwnSample): Promise<boolean> {
  const params = { id, sampleId: sample.id };
  const answer = await write(
    slug,
    (ifMatch) => api('POST /api/creator/packs/:id/samples/:sampleId/audio/undo', { params, ifMatch }),
    { replaces: replacedIn(sample.id, { sha256: 0 }) },
  );
  if (!answer) return false;
  putSample(slug, answer);
  packsChanged();
  toast({ title: 'The former file is back', description: answer.sample.filename });
  return true;
}
