import { CircleAlert, Copy, Pause, Play, RotateCw, X } from 'lucide-react';
import { memo, type ReactNode } from 'react';
import { Button, IconButton } from '../../../ui/button.js';
import { countOf } from '../../../ui/format.js';
import { ProgressBar } from '../../../ui/progress-bar.js';
import { titleOf } from './audio-files.js';
import { type Upload, useUploadLine } from './upload-store.js';
import {
  UPLOAD_ERROR,
  dismissAll,
  dismissUpload,
  forgetLeftOver,
  retryAll,
  retryUpload,
  setPaused,
  uploadAnyway,
  uploadDuplicates,
} from './uploads.js';

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
  const stopped = (className: string, title: string, message: ReactNode, action: ReactNode) => (
    <li className={`edit-row edit-row-file ${className}`}>
      <span className="col-[title] truncate pr-3 font-semibold">{title}</span>
      {message}
      <span className="col-[extras/-1] flex items-center justify-end gap-1">
        {action}
        <IconButton label={`Dismiss ${name}`} onClick={() => dismissUpload(upload)}>
          <X size={16} />
        </IconButton>
      </span>
    </li>
  );
  if (state === 'failed' || isRefused)
    return stopped(
      'edit-row-failed',
      isRefused ? file.name : name,
      <p role="alert" className="edit-message flex items-center gap-2.5 text-danger">
        <CircleAlert size={16} />
        <span>
          {isRefused ? reason : UPLOAD_ERROR}
          {!isRefused && reason && <span className="text-muted"> {reason}</span>}
          {isLost && (
            <span className="text-muted"> The upload starts again when the connection is back.</span>
          )}
        </span>
      </p>,
      !isRefused && (
        <Button size="small" tone="danger" icon={<RotateCw size={15} />} onClick={() => retryUpload(id)}>
          Retry
        </Button>
      ),
    );
  if (state === 'duplicate')
    return stopped(
      'edit-row-duplicate',
      name,
      <p role="status" className="edit-message flex items-center gap-2.5">
        <Copy size={16} />
        <span>The same recording as {duplicate}. It was not uploaded.</span>
      </p>,
      <Button size="small" onClick={() => uploadAnyway(id)}>
        Upload anyway
      </Button>,
    );
  const text = state === 'waiting' ? 'Waiting' : PHASES[phase];
  const percent = state === 'waiting' ? 0 : Math.round(share * 100);
  return (
    <li className="edit-row edit-row-file" aria-busy="true">
      <span className="col-[title] truncate pr-3 font-semibold text-muted">{name}</span>
      <div className="edit-message flex items-center gap-2.5">
        <ProgressBar label={`${text} ${name}`} share={state === 'waiting' ? 0 : share} />
        <span className="w-52 flex-none text-sm text-muted max-sm:w-40">
          {text}
          {state === 'running' && ` ${percent}%`}
        </span>
      </div>
    </li>
  );
});

/** The queue of uploads with its buttons. After a reload, it lists the files that must be chosen again. */
export function UploadLine({ packId, uploads }: { packId: string; uploads: readonly Upload[] }) {
  const { paused, leftOver } = useUploadLine(packId);
  const open = uploads.filter(({ state }) => state === 'waiting' || state === 'running').length;
  const failed = uploads.filter(({ state }) => state === 'failed').length;
  const refused = uploads.filter(({ state }) => state === 'refused').length;
  const duplicates = uploads.filter(({ state }) => state === 'duplicate').length;
  // A single failure or duplicate is stated in its row.
  if (open + leftOver.length === 0 && failed < 2 && refused < 2 && duplicates < 2 && !paused) return null;
  return (
    <div className="panel mt-4 flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3">
      <p className="min-w-0 flex-1 basis-60" role="status">
        {open > 0 && `${countOf(open, 'file')} to go${paused ? ', paused' : ''}. `}
        {failed > 0 && `${countOf(failed, 'file')} failed. `}
        {refused > 0 && `${countOf(refused, 'file')} refused. `}
        {duplicates > 0 && `${countOf(duplicates, 'duplicate')} not uploaded. `}
        {leftOver.length > 0 &&
          `${countOf(leftOver.length, 'file')} not uploaded when you left the page. Choose or drop them again to continue.`}
        {open + failed + refused + duplicates + leftOver.length === 0 && 'Uploads are paused.'}
      </p>
      {failed > 1 && (
        <Button size="small" icon={<RotateCw size={15} />} onClick={() => retryAll(packId)}>
          Retry all
        </Button>
      )}
      {refused > 1 && (
        <Button size="small" onClick={() => dismissAll(packId, 'refused')}>
          Dismiss refused files
        </Button>
      )}
      {duplicates > 1 && (
        <>
          <Button size="small" onClick={() => uploadDuplicates(packId)}>
            Upload duplicates anyway
          </Button>
          <Button size="small" onClick={() => dismissAll(packId, 'duplicate')}>
            Dismiss duplicates
          </Button>
        </>
      )}
      {(open > 1 || paused) && (
        <Button
          size="small"
          icon={paused ? <Play size={15} /> : <Pause size={15} />}
          onClick={() => setPaused(!paused)}
        >
          {paused ? 'Resume uploads' : 'Pause uploads'}
        </Button>
      )}
      {leftOver.length > 0 && (
        <>
          <Button size="small" onClick={() => forgetLeftOver(packId)}>
            Dismiss them
          </Button>
          <ul
            className="max-h-40 w-full overflow-y-auto text-sm text-muted"
            aria-label="Not uploaded yet"
            tabIndex={0}
          >
            {leftOver.map(({ id, name }) => (
              <li key={id} className="truncate">
                {name}
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}
