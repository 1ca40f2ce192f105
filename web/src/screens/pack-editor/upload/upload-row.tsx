import { CircleAlert, Copy, RotateCw, X } from 'lucide-react';
import { memo } from 'react';
import { Button, IconButton } from '../../../ui/button.js';
import { titleOf } from './audio-files.js';
import type { Upload } from './upload-store.js';
import { UPLOAD_ERROR, dismissUpload, retryUpload, uploadAnyway } from './uploads.js';

const PHASES: Record<Upload['phase'], string> = {
  receiving: 'Uploading',
  decoding: 'Reading the audio',
  analysing: 'Detecting tempo and key',
  encoding: 'Making the preview',
  storing: 'Storing',
  done: 'Done',
  failed: 'Failed',
};

/** An upload in progress or failed. Renders again only when this upload changes, because there may be hundreds. */
export const UploadRow = memo(function UploadRow({ upload }: { upload: Upload }) {
  const { id, file, meta, state, phase, share, reason, isLost, duplicate } = upload;
  const name = meta.name ?? titleOf(file.name);
  const isRefused = state === 'refused';
  const dismiss = (
    <IconButton label={`Dismiss ${name}`} onClick={() => dismissUpload(upload)}>
      <X size={16} />
    </IconButton>
  );
  if (state === 'failed' || isRefused)
    return (
      <li className="edit-row edit-row-file edit-row-failed">
        <span className="col-[title] truncate pr-3 font-semibold">{isRefused ? file.name : name}</span>
        <p role="alert" className="edit-message text-danger">
          <CircleAlert size={16} />
          <span>
            {isRefused ? reason : UPLOAD_ERROR}
            {!isRefused && reason && <span className="text-muted"> {reason}</span>}
            {isLost && (
              <span className="text-muted"> The upload starts again when the connection is back.</span>
            )}
          </span>
        </p>
        <span className="col-[extras/-1] flex items-center justify-end gap-1">
          {!isRefused && (
            <Button size="small" tone="danger" icon={<RotateCw size={15} />} onClick={() => retryUpload(id)}>
              Retry
            </Button>
          )}
          {dismiss}
        </span>
      </li>
    );
  if (state === 'duplicate')
    return (
      <li className="edit-row edit-row-file edit-row-duplicate">
        <span className="col-[title] truncate pr-3 font-semibold">{name}</span>
        <p role="status" className="edit-message">
          <Copy size={16} />
          <span>The same recording as {duplicate}. It was not uploaded.</span>
        </p>
        <span className="col-[extras/-1] flex items-center justify-end gap-1">
          <Button size="small" onClick={() => uploadAnyway(id)}>
            Upload anyway
          </Button>
          {dismiss}
        </span>
      </li>
    );
  const text = state === 'waiting' ? 'Waiting' : PHASES[phase];
  const percent = state === 'waiting' ? 0 : Math.round(share * 100);
  return (
    <li className="edit-row edit-row-file" aria-busy="true">
      <span className="col-[title] truncate pr-3 font-semibold text-muted">{name}</span>
      <div className="edit-message">
        <div
          role="progressbar"
          aria-label={`${text} ${name}`}
          aria-valuemin={0}
          aria-valuemax={100}
          aria-valuenow={percent}
          className="h-2.5 flex-1 bg-hover"
        >
          <span
            className="block h-full bg-mark cut-end-10 [transition:width_240ms_var(--ease)]"
            style={{ width: `${percent}%` }}
          />
        </div>
        <span className="w-52 flex-none text-sm text-muted max-sm:w-40">
          {text}
          {state === 'running' && ` ${percent}%`}
        </span>
      </div>
    </li>
  );
});
