import { useMutation, useQuery } from '@tanstack/react-query';
import type { PreparedExport } from '../../../application/exports/contract.js';
import { api } from '../api/api.js';
import { type ExportsOf, exportsQuery } from '../api/account.js';
import { invalidate } from '../api/query-client.js';
import { Button } from '../ui/button.js';
import { formatBytes, formatDay, formatTime } from '../ui/format.js';
import { notifyError } from '../ui/overlays/toast.js';
import { press } from './deliver.js';
import { track } from './tray.js';

function saidOf({ state, sizeBytes, expiresAt }: PreparedExport): string {
  if (state === 'preparing') return 'Being made';
  if (state === 'failed') return 'Could not be made. Order it again.';
  return `${formatBytes(sizeBytes ?? 0)}, kept until ${formatDay(expiresAt ?? '')}`;
}

function PreparedFile({ of, file }: { of: ExportsOf; file: PreparedExport }) {
  const { id, filename, state, orderedAt } = file;
  const fetched = useMutation({
    mutationFn: () => api(`GET /api/${of}/exports/:id/file`, { params: { id } }),
    onSuccess: ({ download }) => {
      press(download.url, download.filename);
      track({ title: filename, state: 'handed', again: () => fetched.mutate() });
    },
    onError: notifyError,
  });
  const removed = useMutation({
    mutationFn: () => api(`DELETE /api/${of}/exports/:id`, { params: { id } }),
    onSettled: () => invalidate(`GET /api/${of}/exports`),
    onError: notifyError,
  });
  const ordered = `${formatDay(orderedAt)}, ${formatTime(orderedAt)}`;
  const called = `${filename} of ${ordered}`;
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 border-t border-line py-3">
      <span className="min-w-0 flex-1">
        <span className="block truncate">{filename}</span>
        <span className="block text-sm text-muted">{saidOf(file)}</span>
        <span className="block text-sm text-faint">Ordered {ordered}</span>
      </span>
      {state === 'ready' && (
        <Button size="small" busy={fetched.isPending} onClick={() => fetched.mutate()}>
          Download<span className="sr-only"> {called}</span>
        </Button>
      )}
      <Button size="small" busy={removed.isPending} onClick={() => removed.mutate()}>
        {state === 'preparing' ? 'Cancel' : 'Remove'}
        <span className="sr-only"> {called}</span>
      </Button>
    </li>
  );
}

export function PreparedFiles({ of }: { of: ExportsOf }) {
  const { data } = useQuery(exportsQuery(of));
  if (!data || data.items.length === 0) return null;
  return (
    <ul className="mt-4" aria-label="Prepared files" aria-live="polite">
      {data.items.map((file) => (
        <PreparedFile key={file.id} of={of} file={file} />
      ))}
    </ul>
  );
}
