import { Check, CircleAlert, Download, FileArchive, Share } from 'lucide-react';
import { Button } from '../ui/button.js';
import { formatBytes } from '../ui/format.js';
import type { TrayEntry, TrayState } from './tray.js';

const WORDS: Record<TrayState, string> = {
  preparing: 'Preparing',
  ready: 'Ready',
  downloading: 'Downloading',
  saved: 'Downloaded',
  handed: 'Handed to your browser',
  failed: 'Download failed',
};
const LOOKS = {
  preparing: [FileArchive, 'text-info'],
  ready: [FileArchive, 'text-info'],
  downloading: [Download, 'text-info'],
  saved: [Check, 'text-ok'],
  handed: [Share, 'text-info'],
  failed: [CircleAlert, 'text-danger'],
} as const;
const NOTES: Partial<Record<TrayState, string>> = {
  ready: 'Your browser starts the download.',
  handed: 'Your browser shows whether it arrived. Trying again is free.',
  failed: 'Trying again is free.',
};
const UNSURE = 'The progress is unknown. Your browser continues the download.';

export function TrayIcon({ state }: { state: TrayState }) {
  const [Icon, ink] = LOOKS[state];
  return <Icon size={18} className={ink} />;
}

/** The title and state of a download, what was paid, and a hint for the visitor. */
export function TrayWords({ entry }: { entry: TrayEntry }) {
  const { title, state, note, isUnsure, progress } = entry;
  const hint = isUnsure ? UNSURE : NOTES[state];
  return (
    <div className="min-w-0 flex-1">
      <p className="flex flex-wrap gap-x-3">
        <b className="min-w-0 truncate font-semibold">{title}</b>
        <span className="text-muted">{WORDS[state]}</span>
        {progress && (
          // Hidden from screen readers, because they would read every change.
          <span className="text-faint" aria-hidden="true">
            {formatBytes(progress.bytes)} of {formatBytes(progress.of)}
          </span>
        )}
      </p>
      {note && <p className="text-muted">{note}</p>}
      {hint && <p className="text-muted">{hint}</p>}
    </div>
  );
}

/** A bar for the share of the file that has arrived. It is hatched if the share is unknown. */
export function TrayTape({ entry: { state, progress } }: { entry: TrayEntry }) {
  if (state !== 'preparing' && state !== 'downloading') return null;
  const share = progress ? progress.bytes / progress.of : 1;
  return (
    <span aria-hidden="true" className="block h-1 w-full bg-line">
      <span
        className={`block h-full cut-end-4 ${progress ? 'bg-mark' : 'hatched text-mark'}`}
        style={{ width: `${share * 100}%` }}
      />
    </span>
  );
}

/** @param props.leave moves the focus away from the entry, because "Try again" removes the entry */
export function TrayAction({ entry, leave }: { entry: TrayEntry; leave: () => void }) {
  const { state, save, again, title } = entry;
  const about = <span className="sr-only"> {title}</span>;
  if (state === 'ready')
    return (
      <Button size="small" onClick={save}>
        Save{about}
      </Button>
    );
  if (state !== 'failed' && state !== 'handed') return null;
  return (
    <Button
      size="small"
      onClick={() => {
        leave();
        again();
      }}
    >
      Try again{about}
    </Button>
  );
}
