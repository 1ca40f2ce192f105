import './upload-tape.css';
import { ChevronDown, ChevronUp, Pause, Play, RotateCw, X } from 'lucide-react';
import { type CSSProperties, type ReactNode, Suspense, useEffect, useReducer, useRef, useState } from 'react';
import { Link } from 'react-router-dom';
import { AUDIO_ACCEPT } from '../../../../../application/publishing/values.js';
import { paths } from '../../../paths.js';
import { lazyWithPreload } from '../../../shell/lazy-with-preload.js';
import { useSession } from '../../../session/session.js';
import { Button, IconButton } from '../../../ui/button.js';
import { useFilePicker } from '../../../ui/forms/file-picker.js';
import { countOf, formatBytes } from '../../../ui/format.js';
import { useMedia } from '../../../ui/hooks/use-media.js';
import { Mark } from '../../../ui/marks.js';
import { askConfirm } from '../../../ui/overlays/alerts.js';
import { ignoreSecondClick } from './double-click.js';
import { formatLeft } from './pace.js';
import {
  type ListedUpload,
  type UnfinishedPack,
  type Upload,
  unfinishedPacks,
  closeTape,
  leftOverOf,
  pace,
  packsElsewhere,
  useUploadStore,
} from './upload-store.js';
import {
  addUploads,
  cancelAll,
  dismissAll,
  forgetLeftOver,
  isOpen,
  retryAll,
  setPaused,
  uploadDuplicates,
} from './uploads.js';

const FolderDialog = lazyWithPreload(() => import('../../../creators/folder/folder-dialog.js'));

/**
 * The tape closes this long after the last file arrived, but stays open while it lists files that failed, need a
 * decision or were interrupted.
 */
const DONE_SHOWN_MS = 4_000;

/** The tape looks this often whether bytes still move. */
const LOOK_MS = 1_000;

const sumOf = (uploads: readonly Upload[], bytesOf: (upload: Upload) => number): number =>
  uploads.reduce((sum, upload) => sum + bytesOf(upload), 0);

/** The bytes of a file that were sent: all of them once the server processes the file. */
const sentOf = ({ state, phase, share, file }: Upload): number => {
  if (state !== 'running') return 0;
  return phase === 'receiving' ? share * file.size : file.size;
};

/** While the hash is null, the browser still reads the file. */
const isSending = ({ state, phase, share, hash }: Upload): boolean =>
  state === 'running' && phase === 'receiving' && share < 1 && (share > 0 || hash !== null);

/** Counts the files and bytes on the tape. Refused files and duplicates are not part of the total. */
function useFacts() {
  const { uploads, arrived, paused, isLost } = useUploadStore();
  const of = (state: Upload['state']) => uploads.filter((upload) => upload.state === state);
  const [waiting, running, failed] = [of('waiting'), of('running'), of('failed')];
  const readyBytes = arrived.reduce((sum, { bytes }) => sum + bytes, 0);
  const sentBytes = sumOf(running, sentOf);
  const failedBytes = sumOf(failed, ({ file }) => file.size);
  const openBytes = sumOf(uploads.filter(isOpen), ({ file }) => file.size);
  return {
    uploads,
    paused,
    isLost,
    failed,
    running: running.length,
    isSending: running.some(isSending),
    open: waiting.length + running.length,
    refused: of('refused'),
    duplicates: of('duplicate'),
    arrived: arrived.length,
    files: arrived.length + waiting.length + running.length + failed.length,
    readyBytes,
    sentBytes,
    failedBytes,
    restBytes: openBytes - sentBytes,
    bytes: readyBytes + openBytes + failedBytes,
  };
}
type Facts = ReturnType<typeof useFacts>;

/** Describes the state of all uploads. The text changes rarely, so that a screen reader can announce each change. */
function stateOf({ open, isLost, paused, running, failed, arrived }: Facts, isInterrupted: boolean): string {
  if (open > 0 && isLost) return 'Connection lost. The upload starts again when the connection is back.';
  if (open > 0 && paused)
    return running > 0 ? `Paused. ${countOf(running, 'file')} under way will finish.` : 'Paused.';
  if (open > 0) return 'Uploading.';
  if (failed.length > 0 || isInterrupted) return '';
  return arrived > 0 ? 'All files are uploaded.' : '';
}

function speedOf({ open, isLost, paused, isSending, restBytes }: Facts): string | null {
  if (open === 0 || isLost || paused) return null;
  if (restBytes === 0) return 'Checking the last files';
  if (isSending && pace.isStalled(performance.now())) return 'Waiting for the connection';
  const speed = pace.bytesPerSecond();
  if (speed !== null) return `${formatLeft(restBytes / speed)} at ${formatBytes(speed)}/s`;
  return isSending ? 'Measuring the speed' : 'Checking the files';
}

/** The distance between the marks of the ruler in bytes: 1, 2 or 5 times a power of ten, with at most six marks. */
function stepOf(bytes: number): number {
  const rough = bytes / 6;
  const power = 10 ** Math.floor(Math.log10(Math.max(1, rough)));
  return ([1, 2, 5, 10].find((factor) => factor * power >= rough) ?? 10) * power;
}

/** Shows which shares of all bytes have arrived, are in progress and have failed. */
function Ruler({ facts }: { facts: Facts }) {
  const { bytes, readyBytes, sentBytes, failedBytes } = facts;
  const share = (part: number) => (bytes > 0 ? part / bytes : 0);
  const at = (from: number, to: number) =>
    ({ '--from': `${share(from) * 100}%`, '--to': `${share(to) * 100}%` }) as CSSProperties;
  const step = stepOf(bytes);
  const numbers = Array.from({ length: Math.floor(bytes / step) }, (_, n) => (n + 1) * step).map((mark) => (
    <i key={mark} className="tape-number not-italic" style={{ left: `${share(mark) * 100}%` }}>
      {formatBytes(mark)}
    </i>
  ));
  const gone = readyBytes + sentBytes;
  return (
    <div
      role="progressbar"
      aria-label="Uploaded"
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(share(gone) * 100)}
      aria-valuetext={`${formatBytes(gone)} of ${formatBytes(bytes)}`}
      className="tape-ruler"
    >
      <span className="tape-marks text-faint" style={at(gone + failedBytes, bytes)}>
        {numbers}
      </span>
      <span className="tape-way" style={at(readyBytes, gone)} />
      <span className="tape-failed" style={at(gone, gone + failedBytes)} />
      <span className="tape-marks tape-ready" style={at(0, readyBytes)}>
        {numbers}
      </span>
      <span className="tape-end" style={at(0, gone)} />
    </div>
  );
}

/**
 * The packs of this user whose uploads a reload interrupted. Empty until this tab knows which packs other tabs upload.
 */
function useInterrupted(userId: string): readonly UnfinishedPack[] {
  const [packs, setPacks] = useState<readonly UnfinishedPack[]>([]);
  useEffect(() => {
    let isGone = false;
    void packsElsewhere().then((elsewhere) => {
      const own = unfinishedPacks().filter((pack) => pack.userId === userId);
      if (!isGone) setPacks(own.filter(({ packId }) => !elsewhere.has(packId)));
    });
    return () => {
      isGone = true;
    };
  }, [userId]);
  return packs.filter(({ packId }) => leftOverOf(packId).length > 0);
}

/**
 * Publishes the height of the tape as `--tape`, so that the page, the toasts and the floating panels end above the tape.
 * The other bars are below it.
 */
function useSpaceBelow() {
  const box = useRef<HTMLElement>(null);
  useEffect(() => {
    const tape = box.current;
    if (!tape) return;
    const { style } = document.documentElement;
    const watch = new ResizeObserver(() => style.setProperty('--tape', `${tape.offsetHeight}px`));
    watch.observe(tape);
    return () => {
      watch.disconnect();
      style.removeProperty('--tape');
    };
  }, []);
  return box;
}

/** Files that need a decision by the creator, with buttons that apply to all of them. */
function Group({ text, tone, children }: { text: ReactNode; tone?: 'danger'; children: ReactNode }) {
  return (
    <div role="group" className="flex items-center gap-2 max-lg:flex-wrap">
      <span className={tone === 'danger' ? 'text-danger' : undefined}>{text}</span>
      {children}
    </div>
  );
}

const NAMED = 3;

/** Names the first three of the interrupted files. The tooltip has all names. */
function MissingFiles({ listed }: { listed: readonly ListedUpload[] }) {
  const names = listed.map(({ name }) => name);
  const more = names.length > NAMED ? ` and ${names.length - NAMED} more` : '';
  return (
    <span className="text-muted wrap-anywhere" title={names.join('\n')}>
      {names.slice(0, NAMED).join(', ')}
      {more}
    </span>
  );
}

function LeftOver({ pack }: { pack: UnfinishedPack }) {
  const listed = leftOverOf(pack.packId);
  const { input, open } = useFilePicker({
    label: `Files for ${pack.title}`,
    accept: listed.some(({ belongsTo }) => belongsTo) ? undefined : AUDIO_ACCEPT,
    multiple: true,
    onFiles: (files) => void addUploads({ id: pack.packId, slug: pack.slug, title: pack.title }, files),
  });
  return (
    <Group
      text={
        <>
          {countOf(listed.length, 'file')} not uploaded into{' '}
          <Link to={paths.creatorPack(pack.slug)}>{pack.title}</Link> when you left the page:{' '}
          <MissingFiles listed={listed} />
        </>
      }
    >
      {input}
      <Button size="small" onClick={open}>
        Choose them again
      </Button>
      <Button size="small" tone="quiet" onClick={() => forgetLeftOver(pack.packId)}>
        Dismiss them
      </Button>
    </Group>
  );
}

/** The interrupted packs of one folder. The creator chooses the whole folder again. */
function LeftOverFolder(props: {
  folder: string;
  packs: readonly UnfinishedPack[];
  onFolder: (files: File[]) => void;
}) {
  const { folder, packs, onFolder } = props;
  const { input, open } = useFilePicker({ label: `The folder ${folder}`, folder: true, onFiles: onFolder });
  const listed = packs.flatMap(({ packId }) => leftOverOf(packId));
  return (
    <Group
      text={
        <>
          {countOf(listed.length, 'file')} of {folder === '' ? 'the folders' : `the folder “${folder}”`} not
          uploaded when you left the page: <MissingFiles listed={listed} />
        </>
      }
    >
      {input}
      <Button size="small" onClick={open}>
        Choose the folder again
      </Button>
      <Button size="small" tone="quiet" onClick={() => packs.forEach(({ packId }) => forgetLeftOver(packId))}>
        Dismiss them
      </Button>
    </Group>
  );
}

/** Links to the upload rows of the first file's pack. The rows say why each file stopped. */
function RowsLink({ uploads, children }: { uploads: readonly Upload[]; children: ReactNode }) {
  const [first] = uploads;
  return first && <Link to={`${paths.creatorPack(first.slug)}#uploads`}>{children}</Link>;
}

function Groups(props: {
  facts: Facts;
  interrupted: readonly UnfinishedPack[];
  onFolder: (files: File[]) => void;
}) {
  const { facts, interrupted, onFolder } = props;
  const { failed, refused, duplicates, open } = facts;
  return (
    <div className="flex flex-wrap items-center gap-x-5 gap-y-1 text-sm not-empty:min-h-9">
      {failed.length > 0 && (
        <Group
          tone="danger"
          text={<RowsLink uploads={failed}>{countOf(failed.length, 'file')} failed.</RowsLink>}
        >
          <Button size="small" icon={<RotateCw size={15} />} onClick={retryAll}>
            Retry all
          </Button>
        </Group>
      )}
      {refused.length > 0 && (
        <Group
          tone="danger"
          text={<RowsLink uploads={refused}>{countOf(refused.length, 'file')} refused.</RowsLink>}
        >
          <Button size="small" onClick={() => dismissAll('refused')}>
            Dismiss refused files
          </Button>
        </Group>
      )}
      {duplicates.length > 0 && (
        <Group
          text={
            <RowsLink uploads={duplicates}>{countOf(duplicates.length, 'duplicate')} not uploaded.</RowsLink>
          }
        >
          <Button size="small" onClick={uploadDuplicates}>
            Upload duplicates anyway
          </Button>
          <Button size="small" onClick={() => dismissAll('duplicate')}>
            Dismiss duplicates
          </Button>
        </Group>
      )}
      {interrupted
        .filter(({ folder }) => typeof folder !== 'string')
        .map((pack) => (
          <LeftOver key={pack.packId} pack={pack} />
        ))}
      {[...new Set(interrupted.flatMap(({ folder }) => folder ?? []))].map((folder) => (
        <LeftOverFolder
          key={folder}
          folder={folder}
          packs={interrupted.filter((pack) => pack.folder === folder)}
          onFolder={onFolder}
        />
      ))}
      {open > 0 && (
        <span className="text-faint max-lg:hidden">Leaving the site pauses it; nothing is lost.</span>
      )}
    </div>
  );
}

async function askCancelAll({ open, failed, arrived }: Facts): Promise<void> {
  const kept =
    arrived > 0 ? ` ${countOf(arrived, 'file')} that arrived ${arrived === 1 ? 'stays' : 'stay'}.` : '';
  const confirmed = await askConfirm({
    title: 'Cancel all uploads?',
    message: `${countOf(open + failed.length, 'file')} will not be uploaded.${kept}`,
    confirmLabel: 'Cancel uploads',
    cancelLabel: 'Go on',
    destructive: true,
  });
  if (confirmed) cancelAll();
}

function Tape({ userId }: { userId: string }) {
  const facts = useFacts();
  const interrupted = useInterrupted(userId);
  if (facts.uploads.length + facts.arrived + interrupted.length === 0) return null;
  return <Shown facts={facts} interrupted={interrupted} />;
}

function Shown({ facts, interrupted }: { facts: Facts; interrupted: readonly UnfinishedPack[] }) {
  const box = useSpaceBelow();
  const isWide = useMedia('(width >= 1024px)');
  const [chosen, setOpen] = useState<boolean | null>(null);
  const [folder, setFolder] = useState<File[] | null>(null);
  const { uploads, arrived, files, open, running, paused, isLost } = facts;
  const needs = [...facts.failed, ...facts.refused, ...facts.duplicates].length + interrupted.length;
  const isDone = uploads.length === 0 && arrived > 0 && interrupted.length === 0;
  useEffect(() => {
    if (!isDone) return;
    const timer = setTimeout(closeTape, DONE_SHOWN_MS);
    return () => clearTimeout(timer);
  }, [isDone, arrived]);
  const [, look] = useReducer((count: number) => count + 1, 0);
  useEffect(() => {
    if (!facts.isSending) return;
    const timer = setInterval(look, LOOK_MS);
    return () => clearInterval(timer);
  }, [facts.isSending]);
  const isShown = chosen ?? (isWide || needs > 0);
  const state = stateOf(facts, interrupted.length > 0);
  const asks = needs > 0 ? 'Some files need your answer.' : '';
  const title = files > 0 ? `${arrived} of ${files}` : 'Uploads';
  const toggle = {
    label: paused ? 'Resume uploads' : 'Pause uploads',
    icon: paused ? <Play size={16} /> : <Pause size={16} />,
    onClick: () => setPaused(!paused),
  };
  const hasToggle = open > 0 || paused;
  const cancel = open + facts.failed.length > 0 && (
    <Button
      size={isWide ? 'medium' : 'small'}
      tone="danger"
      icon={<X size={16} />}
      onClick={() => void askCancelAll(facts)}
    >
      Cancel all
    </Button>
  );
  const fold = (
    <IconButton
      label={isShown ? 'Fold the upload tape' : 'Unfold the upload tape'}
      aria-expanded={isShown}
      className="size-11"
      onClick={() => setOpen(!isShown)}
    >
      {isShown ? <ChevronDown size={18} /> : <ChevronUp size={18} />}
    </IconButton>
  );
  const words = state && state !== 'Uploading.' ? state : (speedOf(facts) ?? state);
  return (
    <section
      ref={box}
      aria-label="Uploads"
      className="upload-tape"
      onClickCapture={ignoreSecondClick}
      data-open={isShown ? '' : undefined}
      data-lost={isLost && open > 0 ? '' : undefined}
      data-done={isDone ? '' : undefined}
    >
      <p role="status" className="sr-only">
        {[state, asks].join(' ').trim()}
      </p>
      {isShown ? (
        <div className="gutter grid grid-cols-1 py-2 content-center gap-x-6 gap-y-1 lg:grid-cols-[13rem_minmax(0,1fr)_auto] lg:items-center">
          <div className="flex min-w-0 items-center justify-between gap-2 lg:block">
            <div className="min-w-0">
              <p className="display truncate text-2xl">{title}</p>
              {files > 0 && (
                <p className="truncate text-sm text-muted max-lg:hidden">
                  {arrived} ready, {running} on the way
                </p>
              )}
              <p className={`text-sm ${isLost && open > 0 ? 'text-warn' : 'text-muted'}`}>{words}</p>
            </div>
            <div className="flex lg:hidden">{fold}</div>
          </div>
          <div className="min-w-0">
            {files > 0 && (
              <div className="flex items-center">
                <span className="grid size-11.5 flex-none place-items-center border border-strong bg-raised cut-corner-10 max-lg:hidden">
                  <Mark />
                </span>
                <div className="min-w-0 flex-1">
                  <Ruler facts={facts} />
                </div>
              </div>
            )}
            <Groups facts={facts} interrupted={interrupted} onFolder={setFolder} />
          </div>
          <div className="flex items-center gap-2">
            {hasToggle && (
              <Button
                size={isWide ? 'medium' : 'small'}
                aria-label={toggle.label}
                icon={toggle.icon}
                onClick={toggle.onClick}
              >
                {paused ? 'Resume' : 'Pause'}
              </Button>
            )}
            {cancel}
            <span className="max-lg:hidden">{fold}</span>
          </div>
        </div>
      ) : (
        <>
          {files > 0 && <Ruler facts={facts} />}
          <div className="gutter flex h-11 items-center">
            <p className="min-w-0 flex-1 truncate text-sm">
              <b>{title}</b>{' '}
              {needs > 0 && (
                <span className="text-danger">{needs === 1 ? '1 needs you ' : `${needs} need you `}</span>
              )}
              <span className="text-muted">{words}</span>
            </p>
            {hasToggle && (
              <IconButton label={toggle.label} className="size-11" onClick={toggle.onClick}>
                {toggle.icon}
              </IconButton>
            )}
            {fold}
          </div>
        </>
      )}
      <Suspense>{folder && <FolderDialog files={folder} onClose={() => setFolder(null)} />}</Suspense>
    </section>
  );
}

/** Shows the state of all uploads, docked at the bottom of every page. */
export default function UploadTape() {
  const { user } = useSession();
  return user && <Tape key={user.id} userId={user.id} />;
}
