import type * as z from 'zod';
import type { OwnPack, OwnSample, OwnSampleAnswer } from '../../../../application/publishing/contract.js';
import { api } from '../../api/api.js';
import { packsChanged } from '../../api/changes.js';
import { newKey } from '../../api/transport/idempotency-key.js';
import { askConfirm } from '../../ui/overlays/alerts.js';
import { toast } from '../../ui/overlays/toast.js';
import { hashFile } from './upload/audio-files.js';
import { deliver } from './upload/deliver.js';
import { isSameFile, listedAs, readManifest, writeManifest } from './upload/upload-store.js';
import { changeInHand, replacedIn, write } from './write-pack.js';

export function putSample(slug: string, { sample, version }: z.infer<typeof OwnSampleAnswer>): void {
  changeInHand(slug, (pack) => ({
    ...pack,
    version: Math.max(pack.version, version),
    samples: pack.samples.map((other) => (other.id === sample.id ? sample : other)),
  }));
}

/** Uploads a file of an existing sample: its audio, its stems or its MIDI. Resolves true if the server accepted it. */
export async function sendSampleFile(
  pack: OwnPack,
  sample: OwnSample,
  name: 'audio' | 'stems' | 'midi',
  file: File,
): Promise<boolean> {
  const list = `${sample.id}.${name}`;
  const former = readManifest(list).find((listed) => isSameFile(listed, file));
  const uploadId = former?.id ?? newKey();
  writeManifest(list, [listedAs(uploadId, file)]);
  const replaced = { filename: 0, hasStems: 0, hasMidi: 0 };
  const answer = await write(
    pack.slug,
    (ifMatch) =>
      deliver(`PUT /api/creator/packs/:id/samples/:sampleId/${name}`, {
        params: { id: pack.id, sampleId: sample.id },
        uploadId,
        file,
        part: name === 'audio' ? 'audio' : 'file',
        ifMatch,
      }),
    { replaces: replacedIn(sample.id, replaced) },
  );
  writeManifest(list, []);
  if (answer) putSample(pack.slug, answer);
  return answer !== null;
}

/**
 * Returns whether `file` may replace the file of `sample`. The file that the sample already has may not. Asks the creator
 * if the old file is on sale or was downloaded, or if another sample of the pack has the same recording.
 */
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
