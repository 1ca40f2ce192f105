import { FolderSync } from 'lucide-react';
import { useEffect } from 'react';
import { Button } from '../ui/button.js';
import { countOf } from '../ui/format.js';
import { ProgressBar } from '../ui/progress-bar.js';
import {
  chooseFolder,
  continueFolder,
  type FolderState,
  leaveFolder,
  syncFolder,
  useFolder,
} from './folder-sync.js';

interface Words {
  title: string;
  text: string;
  /** The label of the button, and the action of a press. */
  press?: [label: string, act: () => Promise<void>];
}

const PROMISE =
  'Everything you buy arrives there, with MIDI and stems, under your file names. Nothing is deleted.';
const REFUSED = 'Nothing was changed. To go on, allow this page to edit the folder.';

function wordsOf(state: Exclude<FolderState, { at: 'unknown' }>): Words {
  if (state.at === 'none')
    return {
      title: 'Keep your downloads in a folder',
      text: state.refused ? 'No folder was chosen. Choose one, and allow this page to edit it.' : PROMISE,
      press: ['Choose a folder', chooseFolder],
    };
  const { name } = state;
  switch (state.at) {
    case 'asks':
      return {
        title: `Continue in “${name}”`,
        text: state.refused ? REFUSED : 'Your browser asks again whether this page may edit the folder.',
        press: ['Continue', continueFolder],
      };
    case 'elsewhere':
      return { title: `Another tab brings “${name}” up to date`, text: 'This tab goes on after it.' };
    case 'working':
      return {
        title: `Bringing “${name}” up to date`,
        text: state.note ?? (state.file || 'Comparing the folder with your purchases'),
      };
    case 'stopped':
      return { title: `“${name}” is not complete`, text: state.reason, press: ['Try again', syncFolder] };
    case 'done':
      return finished(state);
  }
}

function finished({ name, result, failure }: Extract<FolderState, { at: 'done' }>): Words {
  const { files, downloaded, renamed, skipped, failed } = result;
  const there = countOf(files - skipped - failed, 'file');
  const changes = [
    downloaded > 0 && `${downloaded} new`,
    renamed > 0 && `${renamed} renamed`,
    skipped > 0 && `${skipped} not included in your plan or taken down`,
    failed > 0 && `${failed} failed (${failure})`,
  ].filter(Boolean);
  return {
    title: failed > 0 ? `“${name}” is not complete` : `“${name}” is up to date`,
    text: [there, ...changes].join(', '),
    press: [failed > 0 ? 'Try again' : 'Check again', syncFolder],
  };
}

/**
 * Lets the visitor keep all downloads in a folder of the computer.
 * @param purchases the number of downloads; undefined until the page has loaded all; a new number updates the folder
 */
export default function FolderPanel({ purchases }: { purchases: number | undefined }) {
  const state = useFolder();
  useEffect(() => {
    if (purchases !== undefined) void syncFolder();
  }, [purchases]);
  if (state.at === 'unknown') return <div className="mt-5 min-h-17" />;
  const { title, text, press } = wordsOf(state);
  const [label, act] = press ?? [];
  return (
    <section className="panel mt-5 flex flex-wrap items-center gap-x-4 gap-y-3 px-4 py-3" aria-label="Folder">
      <FolderSync size={20} className="text-muted" aria-hidden="true" />
      <div className="min-w-0 flex-1 basis-70">
        <div role="status">
          <h2 className="truncate font-semibold">{title}</h2>
        </div>
        <p className="text-sm text-muted wrap-anywhere">{text}</p>
      </div>
      {state.at === 'working' && state.files > 0 && (
        <div className="flex w-full items-center gap-3 sm:w-60">
          <ProgressBar label="Files in the folder" share={state.done / state.files} />
          <span className="mono text-sm text-muted">
            {state.done}/{state.files}
          </span>
        </div>
      )}
      {label && (
        <Button size="small" onClick={() => void act?.()}>
          {label}
        </Button>
      )}
      {state.at !== 'none' && (
        <Button size="small" tone="quiet" onClick={leaveFolder}>
          Stop using it<span className="sr-only">: {state.name}</span>
        </Button>
      )}
    </section>
  );
}
