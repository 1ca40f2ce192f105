import { useMutation } from '@tanstack/react-query';
import { Download, Trash2 } from 'lucide-react';
import { type ChangeEvent, useEffect, useId, useRef, useState } from 'react';
import { type Sample } from '../../../../application/catalogue/contract.js';
import { INSTRUMENTS, KEYS } from '../../../../application/catalogue/values.js';
import type { OwnPack, OwnSample } from '../../../../application/publishing/contract.js';
import type { FormBody } from '../../api/check-body.js';
import { packsChanged } from '../../api/changes.js';
import { api } from '../../api/api.js';
import { useDownload } from '../../downloads/use-download.js';
import { PlayButton } from '../../player/play-button.js';
import { SeekableWaveform } from '../../player/seekable-waveform.js';
import { Button, IconButton } from '../../ui/button.js';
import { formatBytes, formatDuration } from '../../ui/format.js';
import { notifyError, toast, notifyOf } from '../../ui/overlays/toast.js';
import { Attachment, putSample, sendSampleFile } from './attachment.js';
import { mayReplace, undoReplacement } from './replace-audio.js';
import { AUDIO_ACCEPT, acceptedFile } from './upload/audio-files.js';
import { formatText } from './own-sample.js';
import { SampleForm, type SampleValues, useSampleForm } from './sample-form.js';
import { Sheet } from './sheet.js';
import { UPLOAD_ERROR } from './upload/uploads.js';
import { useUnsavedWork } from './unsaved-work.js';
import { changedOnly, replacedIn, write } from './write-pack.js';

function AudioHead({ pack, sample, sound }: { pack: OwnPack; sample: OwnSample; sound: Sample }) {
  // The undo is here, because a modal sheet makes the toast unreachable.
  const [isReplaced, setReplaced] = useState(false);
  const sending = useMutation({
    mutationFn: async (files: readonly File[]) => {
      const file = await acceptedFile(files);
      if (!file || !(await mayReplace(pack, sample, file))) return;
      const taken = await sendSampleFile(pack, sample, { name: 'audio', file });
      if (!taken) return;
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
  const input = useRef<HTMLInputElement>(null);
  const replace = (event: ChangeEvent<HTMLInputElement>) => {
    const files = [...(event.target.files ?? [])];
    event.target.value = '';
    sending.mutate(files);
  };
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
        <input
          ref={input}
          type="file"
          accept={AUDIO_ACCEPT}
          tabIndex={-1}
          className="sr-only"
          aria-label="New audio file"
          onChange={replace}
        />
        <IconButton label="Download original" onClick={() => void download(sound, 'editor')}>
          <Download size={18} />
        </IconButton>
        {isReplaced && (
          <Button tone="quiet" busy={undoing.isPending} onClick={() => undoing.mutate()}>
            Undo
          </Button>
        )}
        <Button tone="quiet" busy={sending.isPending} onClick={() => input.current?.click()}>
          Replace
        </Button>
      </div>
      <SeekableWaveform sound={sound} pending={sending.isPending} minHeight={8} className="my-6 h-16" />
    </>
  );
}

type Facts = FormBody<'PATCH /api/creator/packs/:id/samples/:sampleId'>;

function valuesOf(sample: OwnSample): SampleValues {
  const { name, bpm, key, instruments, creditCost, isRoyaltyFree } = sample;
  return {
    name,
    bpm: String(bpm),
    // Values of an import that are not in the vocabulary cannot be sent back.
    key: KEYS.find((known) => known === key) ?? null,
    instruments: INSTRUMENTS.filter((known) => instruments.includes(known)),
    creditCost,
    isRoyaltyFree,
  };
}

/** The sheet "Edit Sample". The audio stays unless the creator chooses a new file. */
export default function EditSample(props: {
  pack: OwnPack;
  sample: OwnSample;
  sound: Sample;
  onClose: () => void;
  onDelete: () => void;
  /** Called with true while closing would lose changes. */
  onDirty: (dirty: boolean) => void;
}) {
  const { pack, sample, sound, onClose, onDelete, onDirty } = props;
  const id = useId();
  const form = useSampleForm(valuesOf(sample));
  const { isDirty, isSubmitting, dirtyFields } = form.formState;
  useEffect(() => onDirty(isDirty), [isDirty, onDirty]);
  const { reset } = form;
  // Shows changes from elsewhere, except in fields that were changed in this form.
  useEffect(() => reset(valuesOf(sample), { keepDirtyValues: true }), [sample, reset]);
  /** Resolves false if the pack changed elsewhere. */
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
  const saveFromOutside = async () => {
    let left: string | undefined = 'a field needs correcting.';
    await form.handleSubmit(async (facts) => {
      left = (await store(facts)) ? undefined : 'changed elsewhere.';
    })();
    return left;
  };
  useUnsavedWork(isDirty, { what: `“${sample.name}”`, save: saveFromOutside });
  return (
    <Sheet
      title="Edit Sample"
      onClose={onClose}
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
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form={id} tone="primary" busy={isSubmitting}>
            Save sample
          </Button>
        </>
      }
    >
      <AudioHead pack={pack} sample={sample} sound={sound} />
      <SampleForm
        id={id}
        form={form}
        sample={sample}
        durationMs={sample.durationMs}
        onSubmit={save}
        onRefused={() => toast({ title: 'Please fill in all required fields', tone: 'danger' })}
      >
        <Attachment pack={pack} sample={sample} kind="midi" />
        <Attachment pack={pack} sample={sample} kind="stems" />
      </SampleForm>
    </Sheet>
  );
}
