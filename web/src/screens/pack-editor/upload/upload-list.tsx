import { CircleAlert, Copy, RotateCw, X } from 'lucide-react';
import { memo, type ReactNode, useEffect, useRef } from 'react';
import { useLocation } from 'react-router-dom';
import { Button, IconButton } from '../../../ui/button.js';
import { ProgressBar } from '../../../ui/progress-bar.js';
import { titleOf } from './audio-files.js';
import { ignoreSecondClick } from './double-click.js';
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

/**
 * The row of an upload that waits, is in progress or has stopped. Renders again only when this upload changes, because
 * there may be hundreds of rows.
 */
const UploadRow = memo(function UploadRow({ upload }: { upload: Upload }) {
  const { id, belongsTo, file, meta, state, phase, share, reason, duplicate } = upload;
  const name = belongsTo === null ? (meta.name ?? titleOf(file.name)) : file.name;
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
        <IconButton label={`Cancel ${name}`} onClick={() => dismissUpload(upload)}>
          <X size={16} />
        </IconButton>
      </div>
    </li>
  );
});

/**
 * If a pack has more duplicates than this, they are folded into one row. The upload tape has buttons that apply to all
 * of them.
 */
const DUPLICATES_APART = 3;

/** Lists the uploads of a pack. The upload tape links to this list. */
export default function UploadRows({ uploads }: { uploads: readonly Upload[] }) {
  const rows = useRef<HTMLOListElement>(null);
  const location = useLocation();
  useEffect(() => {
    if (location.hash !== '#uploads') return;
    rows.current?.scrollIntoView({ block: 'center' });
    rows.current?.focus({ preventScroll: true });
  }, [location]);
  const duplicates = uploads.filter(({ state }) => state === 'duplicate');
  const isGrouped = duplicates.length > DUPLICATES_APART;
  const rowsOf = (some: readonly Upload[]) =>
    some.map((upload) => <UploadRow key={upload.id} upload={upload} />);
  return (
    <div className="@container/editor">
      <ol ref={rows} aria-label="Uploads" tabIndex={-1} onClickCapture={ignoreSecondClick}>
        {rowsOf(isGrouped ? uploads.filter(({ state }) => state !== 'duplicate') : uploads)}
        {isGrouped && (
          <li className="border-b border-line">
            <details>
              <summary className="min-h-12 cursor-pointer content-center">
                {duplicates.length.toLocaleString('en')} recordings are here already. They were not uploaded.
              </summary>
              <ol aria-label="Duplicates">{rowsOf(duplicates)}</ol>
            </details>
          </li>
        )}
      </ol>
    </div>
  );
}
