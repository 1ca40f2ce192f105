import { Upload } from 'lucide-react';
import { useState } from 'react';
import type { OwnPack } from '../../../../application/publishing/contract.js';
import { AUDIO_ACCEPT, TITLE_MAX_LENGTH } from '../../../../application/publishing/values.js';
import { formatBytes } from '../../ui/format.js';
import { toast } from '../../ui/overlays/toast.js';
import { titleOf } from './upload/audio-files.js';
import { acceptedFile, isRecognised, readDuration } from './upload/file-check.js';
import { needsOrigins } from './own-sample.js';
import { refuseFields, SampleForm, useSampleForm } from './sample-form.js';
import type { UploadMeta } from './upload/upload-store.js';
import { type OnDirty, useUnsavedWork } from './saving.js';
import { addUploads } from './upload/uploads.js';

/** The side panel "Add Sample": a file, and its name, tempo, key and cost. */
export default function AddSample(props: { pack: OwnPack; onClose: () => void; onDirty: OnDirty }) {
  const { pack, onClose, onDirty } = props;
  const [file, setFile] = useState<File | null>(null);
  const [durationMs, setDurationMs] = useState<number | null>(null);
  const [isMeasuredLater, setMeasuredLater] = useState(false);
  const form = useSampleForm(
    {
      name: '',
      bpm: '',
      key: null,
      instruments: [],
      creditCost: pack.defaultCreditCost,
      isRoyaltyFree: true,
      kind: null,
      origin: null,
    },
    { needsOrigin: needsOrigins(pack) },
  );
  const { isDirty } = form.formState;
  const isUnsaved = isDirty || file !== null;
  useUnsavedWork(
    isUnsaved,
    { what: 'New sample', save: () => Promise.resolve('press Add Sample to upload it.') },
    onDirty,
  );
  const choose = async (files: Iterable<File>) => {
    const chosen = await acceptedFile(files);
    if (!chosen) return;
    setFile(chosen);
    setDurationMs(null);
    setMeasuredLater(false);
    if (form.getValues('name').trim() === '')
      form.setValue('name', titleOf(chosen.name).slice(0, TITLE_MAX_LENGTH).trim());
    try {
      setDurationMs(await readDuration(chosen));
    } catch {
      if (await isRecognised(chosen)) setMeasuredLater(true);
      else toast({ title: 'Error reading audio file duration', tone: 'danger' });
    }
  };
  const add = (facts: UploadMeta): Promise<void> => {
    if (!file) toast({ title: 'Please upload an audio file', tone: 'danger' });
    else if (durationMs === null && !isMeasuredLater) refuseFields();
    else {
      void addUploads(pack, [file], facts);
      onDirty(false);
      onClose();
    }
    return Promise.resolve();
  };
  return (
    <SampleForm
      title="Add Sample"
      submit="Add Sample"
      form={form}
      durationMs={durationMs}
      onSubmit={add}
      onClose={onClose}
      head={
        <label className="mb-5 flex min-h-16 items-center gap-3 border border-dashed border-strong px-4 py-2 hover:bg-hover focus-within:outline-2 focus-within:outline-offset-2 focus-within:outline-(--focus)">
          <Upload size={18} />
          <span className="min-w-0 flex-1 truncate">
            {file ? (
              <>
                <b>{file.name}</b> <span className="text-muted">{formatBytes(file.size)}</span>
              </>
            ) : (
              'Choose an audio file'
            )}
          </span>
          <input
            type="file"
            accept={AUDIO_ACCEPT}
            className="sr-only"
            aria-label="Audio file"
            onChange={(event) => void choose(event.target.files ?? [])}
          />
        </label>
      }
    />
  );
}
