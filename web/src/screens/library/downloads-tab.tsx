import { useMutation } from '@tanstack/react-query';
import { Check, FileBadge, X } from 'lucide-react';
import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { apiAddress } from '../../api/transport/backend.js';
import type { Sample } from '../../../../application/catalogue/contract.js';
import { AttachedFiles } from '../../downloads/attached-files.js';
import { useDownload } from '../../downloads/use-download.js';
import { Button, IconButton } from '../../ui/button.js';
import { formatBytes, formatTime } from '../../ui/format.js';
import type { Entry, Order } from './entries.js';
import { LibraryList, LibraryRow } from './library-list.js';

function DownloadRow(props: {
  entry: Entry;
  queue: readonly Sample[];
  selected: boolean;
  onSelect: (selected: boolean) => void;
}) {
  const { entry, queue, selected, onSelect } = props;
  const { downloadOwned } = useDownload();
  const navigate = useNavigate();
  const row = entry.download;
  if (!row) return null;
  return (
    <LibraryRow
      entry={entry}
      queue={queue}
      selected={selected}
      select={
        <input
          type="checkbox"
          className="checkbox"
          aria-label={`Select ${entry.title}`}
          checked={selected}
          onChange={(event) => onSelect(event.target.checked)}
        />
      }
      facts={
        <>
          <span className="col-[format] text-sm leading-[1.3] @max-[560px]/library:hidden">
            <span className="uppercase">{row.format}</span>{' '}
            <span className="text-faint">{formatBytes(row.sizeBytes)}</span>
            {entry.sample && (
              <AttachedFiles
                sampleId={row.sampleId}
                title={entry.title}
                hasStems={entry.sample.hasStems}
                hasMidi={entry.sample.hasMidi}
                go={(path) => void navigate(path)}
              />
            )}
            {row.format === 'wav' && (
              <a
                className="tag hover:text-text no-underline"
                href={apiAddress(`/api/downloads/${encodeURIComponent(row.sampleId)}/tagged`)}
                download
                aria-label={`Download a tagged copy of ${entry.title}`}
                title="A copy with tempo, key and slices for samplers and DAWs"
              >
                TAGGED
              </a>
            )}
          </span>
          <a
            className="col-[certificate] inline-flex min-h-9 items-center gap-2 @max-[560px]/library:hidden mono no-underline hover:underline"
            href={apiAddress(`/api/certificates/${encodeURIComponent(row.certificateId)}.pdf`)}
            download={`offcut-licence-${row.certificateId}.pdf`}
            title={`Licence certificate ${row.certificateId}`}
          >
            <FileBadge size={16} className="text-muted" />
            <span aria-hidden="true" className="@max-[1240px]/library:hidden">
              {row.certificateId.slice(0, 8)}
            </span>
            <span className="sr-only">Licence certificate of {entry.title}</span>
          </a>
          <time
            className="col-[clock] justify-self-end pr-4 text-sm text-muted @max-[1240px]/library:hidden"
            dateTime={entry.createdAt}
            title={new Date(entry.createdAt).toLocaleString('en-GB')}
          >
            {formatTime(entry.createdAt)}
          </time>
        </>
      }
      actions={
        <IconButton
          label="Already downloaded - click to download again"
          about={row.track}
          className="text-ok!"
          onClick={() => void downloadOwned([{ sampleId: row.sampleId, title: row.track }])}
        >
          <Check size={18} />
        </IconButton>
      }
    />
  );
}

function SelectionBar(props: {
  selected: readonly Entry[];
  all: boolean;
  onAll: () => void;
  onClear: () => void;
}) {
  const { selected, all, onAll, onClear } = props;
  const { downloadOwned } = useDownload();
  const rows = selected.flatMap(({ download }) => (download ? [download] : []));
  const again = useMutation({
    mutationFn: () => downloadOwned(rows.map(({ sampleId, track }) => ({ sampleId, title: track }))),
  });
  return (
    <div
      className="fixed inset-x-0 bottom-(--dock) z-30 flex min-h-14 items-center gap-3 border-t border-strong bg-raised pr-(--gutter) pl-[calc(var(--gutter)+8px)] max-sm:flex-wrap max-sm:gap-x-2.5 max-sm:gap-y-1 max-sm:py-1 max-sm:pr-2 max-sm:pl-4"
      role="region"
      aria-label="Selection"
    >
      <input
        type="checkbox"
        className="checkbox"
        aria-label="Select all"
        checked={all}
        ref={(box) => {
          if (box) box.indeterminate = !all;
        }}
        onChange={() => (all ? onClear() : onAll())}
      />
      <p role="status" className="font-semibold">
        {selected.length} selected
      </p>
      <p className="text-muted max-sm:hidden">
        {formatBytes(rows.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0))}
      </p>
      <span className="flex-1 max-sm:order-2 max-sm:basis-full" />
      <Button
        tone="primary"
        size="small"
        className="max-sm:order-3 max-sm:min-h-11 max-sm:flex-[1_1_44%] max-sm:px-2.5"
        busy={again.isPending}
        onClick={() => again.mutate()}
      >
        {rows.length > 1 ? 'Download again as ZIP' : 'Download again'}
      </Button>
      <IconButton label="Clear the selection" className="max-sm:order-1 max-sm:ml-auto" onClick={onClear}>
        <X size={18} />
      </IconButton>
    </div>
  );
}

export function DownloadsTab(props: { entries: readonly Entry[]; text: string; order: Order }) {
  const { entries } = props;
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const selected = entries.filter(({ key }) => chosen.has(key));
  const select = (key: string, on: boolean) => {
    const next = new Set(chosen);
    if (on) next.add(key);
    else next.delete(key);
    setChosen(next);
  };
  return (
    <>
      <LibraryList
        {...props}
        noun="download"
        note="Already paid for. Downloading again is free."
        row={(entry, queue) => (
          <DownloadRow
            key={entry.key}
            entry={entry}
            queue={queue}
            selected={chosen.has(entry.key)}
            onSelect={(on) => select(entry.key, on)}
          />
        )}
      />
      {selected.length > 0 && (
        <SelectionBar
          selected={selected}
          all={selected.length === entries.length}
          onAll={() => setChosen(new Set(entries.map(({ key }) => key)))}
          onClear={() => setChosen(new Set())}
        />
      )}
    </>
  );
}
