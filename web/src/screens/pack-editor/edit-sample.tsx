import { useMutation } from '@tanstack/react-query';
import { Download, Trash2 } from 'lucide-react';
import { useEffect, useState } from 'react';
import { type Sample } from '../../../../application/catalogue/contract.js';
import { INSTRUMENTS, KEYS, PREVIEW_LIMIT_SECONDS } from '../../../../application/catalogue/values.js';
import type { OwnPack, OwnSample } from '../../../../application/publishing/contract.js';
import { AUDIO_ACCEPT } from '../../../../application/publishing/values.js';
import { api } from '../../api/api.js';
import { packsChanged } from '../../api/changes.js';
import type { FormBody } from '../../api/check-body.js';
import { useDownload } from '../../downloads/use-download.js';
import { PlayButton } from '../../player/play-button.js';
import { SeekableWaveform } from '../../player/seekable-waveform.js';
import { Button, IconButton } from '../../ui/button.js';
import { useFilePicker } from '../../ui/forms/file-picker.js';
import { formatBytes, formatDuration } from '../../ui/format.js';
import { notifyError, toast, notifyOf } from '../../ui/overlays/toast.js';
import { needsOrigins } from './own-sample.js';
import { PreviewPart } from './preview-part.js';
import { SampleForm, type SampleValues, useSampleForm } from './sample-form.js';
import { mayReplace, putSample, sendSampleFile, undoReplacement } from './sample-files.js';
import { type OnDirty, saveForm, useUnsavedWork } from './saving.js';
import { acceptedFile } from './upload/file-check.js';
import { UPLOAD_ERROR } from './upload/uploads.js';
import { changedOnly, replacedIn, write } from './write-pack.js';

/** Describes the format of a sample, such as "WAV 24-bit, 48 kHz". */
function formatText({ format, bitDepth, sampleRateHz }: OwnSample): string {
  const depth = bitDepth ? ` ${bitDepth}-bit` : '';
  return `${format.toUpperCase()}${depth}, ${Number((sampleRateHz / 1000).toFixed(1))} kHz`;
}

const KINDS = {
  midi: { label: 'MIDI', accept: '.mid,.midi', attach: 'Attach a .mid', attached: 'Replace the .mid' },
  stems: { label: 'Stems', accept: '.zip', attach: 'Attach a .zip', attached: 'Replace the .zip' },
} as const;

/** MIDI or stems of a sample: whether it has any, and a way to attach them. */
function Attachment({ pack, sample, kind }: { pack: OwnPack; sample: OwnSample; kind: keyof typeof KINDS }) {
  const { label, accept, attach, attached } = KINDS[kind];
  const has = kind === 'midi' ? sample.hasMidi : sample.hasStems;
  const { mutate, isPending } = useMutation({
    mutationFn: (file: File) => sendSampleFile(pack, sample, kind, file),
    onSuccess: (taken) => taken && toast({ title: `${label} attached` }),
    onError: notifyError,
  });
  const { input, open } = useFilePicker({
    label: `${label} file`,
    accept,
    onFiles: ([file]) => file && mutate(file),
  });
  return (
    <div className="flex flex-[1_1_120px] items-start gap-2.5">
      <span className="switch" data-on={has ? '' : undefined} aria-hidden="true" />
      <div>
        <p className="font-semibold">
          {label}
          <span className="sr-only">{has ? ': attached' : ': none'}</span>
        </p>
        {input}
        <button
          type="button"
          className="underlined min-h-6 text-left text-sm text-muted"
          aria-disabled={isPending || undefined}
          onClick={() => isPending || open()}
        >
          {isPending ? 'Sending…' : has ? attached : attach}
        </button>
        {kind === 'stems' && <p className="text-sm leading-tight text-faint">Studio plan only</p>}
      </div>
    </div>
  );
}

function AudioHead({ pack, sample, sound }: { pack: OwnPack; sample: OwnSample; sound: Sample }) {
  // The panel itself offers "Undo", because the visitor cannot press a toast while a modal panel is open.
  const [isReplaced, setReplaced] = useState(false);
  const sending = useMutation({
    mutationFn: async (files: readonly File[]) => {
      const file = await acceptedFile(files);
      if (!file || !(await mayReplace(pack, sample, file))) return;
      if (!(await sendSampleFile(pack, sample, 'audio', file))) return;
      setReplaced(true);
      toast({ title: 'Updated' });
    },
    onError: notifyOf(UPLOAD_ERROR),
  });
  const undoing = useMutation({
    mutationFn: () => undoReplacement(pack, sample),
    onSuccess: (isBack) => setReplaced(!isBack),
    onError: notifyError,
  });
  const { download } = useDownload();
  const { input, open } = useFilePicker({
    label: 'New audio file',
    accept: AUDIO_ACCEPT,
    onFiles: sending.mutate,
  });
  return (
    <>
      <div className="flex items-center gap-3">
        <PlayButton sound={sound} className="play-button size-10 bg-text text-page" />
        <div className="min-w-0 flex-1">
          <p className="truncate font-semibold">{sample.filename}</p>
          <p className="truncate text-sm text-muted">
            {formatText(sample)}, {formatBytes(sample.sizeBytes)}, {formatDuration(sample.durationMs)}{' '}
            detected
          </p>
        </div>
        {input}
        <IconButton label="Download original" onClick={() => void download(sound, 'editor')}>
          <Download size={18} />
        </IconButton>
        {isReplaced && (
          <Button tone="quiet" busy={undoing.isPending} onClick={() => undoing.mutate()}>
            Undo
          </Button>
        )}
        <Button tone="quiet" busy={sending.isPending} onClick={open}>
          Replace
        </Button>
      </div>
      <SeekableWaveform sound={sound} pending={sending.isPending} minHeight={8} className="my-6 h-16" />
      {sample.durationMs > PREVIEW_LIMIT_SECONDS * 1_000 && (
        <PreviewPart key={sample.sha256} pack={pack} sample={sample} />
      )}
    </>
  );
}

type Facts = FormBody<'PATCH /api/creator/packs/:id/samples/:sampleId'>;

function valuesOf(sample: OwnSample): SampleValues {
  const { name, bpm, key, instruments, creditCost, isRoyaltyFree, kind, origin } = sample;
  return {
    name,
    bpm: String(bpm),
    // Imported samples may have other keys and instruments, which the server would refuse.
    key: KEYS.find((known) => known === key) ?? null,
    instruments: INSTRUMENTS.filter((known) => instruments.includes(known)),
    creditCost,
    isRoyaltyFree,
    kind,
    origin,
  };
}

export default function EditSample(props: {
  pack: OwnPack;
  sample: OwnSample;
  sound: Sample;
  onClose: () => void;
  onDelete: () => void;
  onDirty: OnDirty;
}) {
  const { pack, sample, sound, onClose, onDelete, onDirty } = props;
  const needsOrigin = sample.origin !== null && needsOrigins(pack);
  const form = useSampleForm(valuesOf(sample), { needsOrigin });
  const { isDirty, dirtyFields } = form.formState;
  const { reset } = form;
  // Shows changes from other tabs, except in fields that the creator has changed here.
  useEffect(() => reset(valuesOf(sample), { keepDirtyValues: true }), [sample, reset]);
  /** Saves the changes. Resolves false if the same values were changed in another tab or on another device. */
  const store = async (facts: Facts) => {
    const changes = changedOnly(facts, dirtyFields);
    const params = { id: pack.id, sampleId: sample.id };
    const answer = await write(
      pack.slug,
      (ifMatch) => api('PATCH /api/creator/packs/:id/samples/:sampleId', { params, body: changes, ifMatch }),
      { replaces: replacedIn(sample.id, changes) },
    );
    if (!answer) return false;
    putSample(pack.slug, answer);
    reset(valuesOf(answer.sample));
    packsChanged();
    return true;
  };
  const save = async (facts: Facts) => {
    try {
      if (!(await store(facts))) return;
      toast({ title: 'Updated', description: facts.name ?? sample.name });
      onDirty(false);
      onClose();
    } catch (error) {
      notifyError(error);
    }
  };
  useUnsavedWork(isDirty, { what: `“${sample.name}”`, save: () => saveForm(form, store) }, onDirty);
  return (
    <SampleForm
      title="Edit Sample"
      submit="Save sample"
      form={form}
      sample={sample}
      durationMs={sample.durationMs}
      onSubmit={save}
      onClose={onClose}
      head={<AudioHead pack={pack} sample={sample} sound={sound} />}
      aside={
        <button
          type="button"
          className="inline-flex min-h-10 items-center pointer-coarse:min-h-11 gap-2.5 font-semibold text-danger hover:underline hover:underline-offset-4"
          onClick={onDelete}
        >
          <Trash2 size={17} />
          Delete sample
        </button>
      }
    >
      <Attachment pack={pack} sample={sample} kind="midi" />
      <Attachment pack={pack} sample={sample} kind="stems" />
    </SampleForm>
  );
}
