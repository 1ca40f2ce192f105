import { Pause, Play, RotateCw } from 'lucide-react';
import { Button } from '../../../ui/button.js';
import { countOf } from '../../../ui/format.js';
import { useUploadLine, type Upload } from './upload-store.js';
import { dismissRefused, forgetLeftOver, retryAll, setPaused } from './uploads.js';

/** The queue of uploads with its buttons. After a reload, it lists the files that must be chosen again. */
export function UploadLine({ packId, uploads }: { packId: string; uploads: readonly Upload[] }) {
  const { paused, leftOver } = useUploadLine(packId);
  const open = uploads.filter(({ state }) => state === 'waiting' || state === 'running').length;
  const failed = uploads.filter(({ state }) => state === 'failed').length;
  const refused = uploads.filter(({ state }) => state === 'refused').length;
  // A single failure is stated in its row.
  if (open + leftOver.length === 0 && failed < 2 && refused < 2 && !paused) return null;
  return (
    <div className="panel mt-4 flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3">
      <p className="min-w-0 flex-1 basis-60" role="status">
        {open > 0 && `${countOf(open, 'file')} to go${paused ? ', paused' : ''}. `}
        {failed > 0 && `${countOf(failed, 'file')} failed. `}
        {refused > 0 && `${countOf(refused, 'file')} refused. `}
        {leftOver.length > 0 &&
          `${countOf(leftOver.length, 'file')} not uploaded when you left the page. Choose or drop them again to continue.`}
        {open + failed + refused + leftOver.length === 0 && 'Uploads are paused.'}
      </p>
      {failed > 1 && (
        <Button size="small" icon={<RotateCw size={15} />} onClick={() => retryAll(packId)}>
          Retry all
        </Button>
      )}
      {refused > 1 && (
        <Button size="small" onClick={() => dismissRefused(packId)}>
          Dismiss refused files
        </Button>
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
