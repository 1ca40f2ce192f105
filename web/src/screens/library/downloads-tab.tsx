import { Check, FileBadge, ShieldCheck } from 'lucide-react';
import { Suspense } from 'react';
import { useNavigate } from 'react-router-dom';
import { apiAddress } from '../../api/transport/backend.js';
import { AttachedFiles } from '../../downloads/attached-files.js';
import { press } from '../../downloads/deliver.js';
import { useDisputePack } from '../../downloads/dispute-pack.js';
import { track } from '../../downloads/tray.js';
import { useDownload } from '../../downloads/use-download.js';
import { lazyWithPreload } from '../../shell/lazy-with-preload.js';
import { IconButton } from '../../ui/button.js';
import { formatBytes, formatTime } from '../../ui/format.js';
import type { Entry, Neighbours, Order } from './entries.js';
import { LibraryList, LibraryRow } from './library-list.js';

const FolderPanel = lazyWithPreload(() => import('../../folder/folder-panel.js'));

/**
 * Keeps the downloads in a folder of the computer. Only Chromium on a computer lets a page write to a folder, so
 * other browsers get a note.
 */
const KeptInFolder = ({ purchases }: { purchases: number | undefined }) =>
  'showDirectoryPicker' in window ? (
    <Suspense fallback={<div className="mt-5 min-h-17" />}>
      <FolderPanel purchases={purchases} />
    </Suspense>
  ) : (
    <p className="mt-5 text-sm text-muted max-md:hidden">
      To keep all downloads in a folder of your computer, open this page in Chrome or Edge, or use{' '}
      <code className="mono">npx offcut-sync</code>.
    </p>
  );

function OwnPack({ certificateId, title }: { certificateId: string; title: string }) {
  const { open, dialog } = useDisputePack(certificateId, title);
  return (
    <>
      <IconButton label="Download dispute pack" about={title} onClick={open}>
        <ShieldCheck size={18} />
      </IconButton>
      {dialog}
    </>
  );
}

/** Formats of originals for which the server also offers a WAV copy with tags. */
const WITH_WAV = new Set(['wav', 'aiff', 'flac', 'ogg', 'opus']);

function DownloadRow({ entry, neighbours }: { entry: Entry; neighbours: Neighbours }) {
  const { downloadOwned } = useDownload();
  const navigate = useNavigate();
  const row = entry.download;
  if (!row) return null;
  const tagged = apiAddress(`/api/downloads/${encodeURIComponent(row.sampleId)}/tagged`);
  const copy = row.format === 'wav' ? 'tagged copy' : 'tagged WAV copy';
  const notifyTagged = () =>
    track({ title: `Tagged copy of ${entry.title}`, state: 'handed', again: () => takeTagged() });
  const takeTagged = () => {
    press(tagged, '');
    notifyTagged();
  };
  return (
    <LibraryRow
      entry={entry}
      neighbours={neighbours}
      facts={
        <>
          <span className="col-[format] text-sm leading-[1.3] @max-[560px]/library:hidden">
            <span className="uppercase">{row.format}</span>{' '}
            <span className="text-faint">{formatBytes(row.sizeBytes)}</span>
            <span className="mt-0.5 flex flex-wrap gap-1">
              {entry.sample && (
                <AttachedFiles
                  sampleId={row.sampleId}
                  title={entry.title}
                  hasStems={entry.sample.hasStems}
                  hasMidi={entry.sample.hasMidi}
                  go={(path) => void navigate(path)}
                />
              )}
              {WITH_WAV.has(row.format) && (
                <a
                  className="tag hover:text-text no-underline"
                  href={tagged}
                  download
                  onClick={notifyTagged}
                  aria-label={`Download a ${copy} of ${entry.title}`}
                  title={`A ${copy} with tempo, key and slices for samplers and DAWs`}
                >
                  {row.format === 'wav' ? 'TAGGED' : 'WAV'}
                </a>
              )}
            </span>
          </span>
          <a
            className="col-[certificate] inline-flex min-h-9 items-center gap-2 @max-[560px]/library:hidden mono no-underline hover:underline"
            href={apiAddress(`/api/certificates/${encodeURIComponent(row.certificateId)}.pdf`)}
            download={`offcut-licence-${row.certificateId}.pdf`}
            title={`Licence certificate ${row.certificateId}`}
          >
            <FileBadge size={16} className="text-muted" />
            <span aria-hidden="true" className="@max-xl/library:hidden">
              {row.certificateId.slice(0, 8)}
            </span>
            <span className="sr-only">Licence certificate of {entry.title}</span>
          </a>
          <time
            className="col-[clock] justify-self-end pr-4 text-sm text-muted @max-xl/library:hidden"
            dateTime={entry.createdAt}
            title={new Date(entry.createdAt).toLocaleString('en-GB')}
          >
            {formatTime(entry.createdAt)}
          </time>
        </>
      }
      actions={
        <>
          <OwnPack certificateId={row.certificateId} title={entry.title} />
          <IconButton
            label="Already downloaded - click to download again"
            about={row.track}
            className="text-ok!"
            onClick={() => void downloadOwned([{ sampleId: row.sampleId, title: row.track }])}
          >
            <Check size={18} />
          </IconButton>
        </>
      }
    />
  );
}

export function DownloadsTab(props: {
  entries: readonly Entry[];
  text: string;
  order: Order;
  /** Undefined until the whole list has arrived. */
  purchases: number | undefined;
}) {
  const { purchases, ...list } = props;
  return (
    <>
      <KeptInFolder purchases={purchases} />
      <LibraryList
        {...list}
        noun="download"
        note="Already paid for. Downloading again is free."
        row={(entry, neighbours) => <DownloadRow key={entry.key} entry={entry} neighbours={neighbours} />}
      />
    </>
  );
}
