import { useMutation } from '@tanstack/react-query';
import { type ChangeEvent, useRef } from 'react';
import type * as z from 'zod';
import type { OwnPack, OwnSample, OwnSampleAnswer } from '../../../../application/publishing/contract.js';
import { notifyError, toast } from '../../ui/overlays/toast.js';
import { newKey } from '../../api/transport/idempotency-key.js';
import { deliver } from './upload/deliver.js';
import { isSameFile, listedAs, readManifest, writeManifest } from './upload/upload-manifest.js';
import { changeInHand, replacedIn, write } from './write-pack.js';

type Answer = z.infer<typeof OwnSampleAnswer>;

/** Shows a changed sample in the editor. */
export function putSample(slug: string, { sample, version }: Answer): void {
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
  part: { name: 'audio' | 'stems' | 'midi'; file: File },
): Promise<boolean> {
  const { name, file } = part;
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

const KINDS = {
  midi: { label: 'MIDI', accept: '.mid,.midi', attach: 'Attach a .mid', attached: 'Replace the .mid' },
  stems: { label: 'Stems', accept: '.zip', attach: 'Attach a .zip', attached: 'Replace the .zip' },
} as const;

/** MIDI or stems of a sample: whether it has any, and a way to attach them. */
export function Attachment({
  pack,
  sample,
  kind,
}: {
  pack: OwnPack;
  sample: OwnSample;
  kind: 'midi' | 'stems';
}) {
  const input = useRef<HTMLInputElement>(null);
  const { label, accept, attach, attached } = KINDS[kind];
  const has = kind === 'midi' ? sample.hasMidi : sample.hasStems;
  const { mutate, isPending } = useMutation({
    mutationFn: (file: File) => sendSampleFile(pack, sample, { name: kind, file }),
    onSuccess: (taken) => taken && toast({ title: `${label} attached` }),
    onError: notifyError,
  });
  const choose = (event: ChangeEvent<HTMLInputElement>) => {
    const file = event.target.files?.[0];
    event.target.value = '';
    if (file) mutate(file);
  };
  return (
    <div className="flex flex-[1_1_120px] items-start gap-2.5">
      <span className="switch" data-on={has ? '' : undefined} aria-hidden="true" />
      <div>
        <p className="font-semibold">
          {label}
          <span className="sr-only">{has ? ': attached' : ': none'}</span>
        </p>
        <input
          ref={input}
          type="file"
          accept={accept}
          tabIndex={-1}
          className="sr-only"
          aria-label={`${label} file`}
          onChange={choose}
        />
        <button
          type="button"
          className="underlined min-h-6 text-left text-sm text-muted"
          aria-disabled={isPending || undefined}
          onClick={() => isPending || input.current?.click()}
        >
          {isPending ? 'Sending…' : has ? attached : attach}
        </button>
        {kind === 'stems' && <p className="text-sm leading-tight text-faint">Studio plan only</p>}
      </div>
    </div>
  );
}
