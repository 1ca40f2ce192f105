import type { DragEvent } from 'react';
import type { DownloadPage } from '../../../application/library/contract.js';
import { backend } from '../api/transport/backend.js';
import { downloadsQuery } from '../api/account.js';
import { queryClient } from '../api/query-client.js';

const TYPES: Record<string, string> = {
  wav: 'audio/wav',
  aiff: 'audio/aiff',
  flac: 'audio/flac',
  ogg: 'audio/ogg',
  opus: 'audio/ogg',
  mp3: 'audio/mpeg',
  m4a: 'audio/mp4',
  aac: 'audio/aac',
};
const NAMES_FRESH_MS = 60_000;

type OwnedFile = Pick<DownloadPage['items'][number], 'sampleId' | 'filename'>;

export function learnFileNames(): void {
  void queryClient.prefetchInfiniteQuery({ ...downloadsQuery, staleTime: NAMES_FRESH_MS });
}

function fileOf(sampleId: string): OwnedFile | undefined {
  const known = queryClient.getQueryData(downloadsQuery.queryKey);
  return known?.pages.flatMap(({ items }) => items).find((row) => row.sampleId === sampleId);
}

/**
 * Lets a visitor drag an owned file to the desktop. In browsers without `DownloadURL` the visitor drags a link. Does
 * nothing if the name of the sample's file is not loaded yet.
 */
export function dragOut(event: DragEvent<HTMLElement>, owned: string | OwnedFile): void {
  const file = typeof owned === 'string' ? fileOf(owned) : owned;
  if (!file) return;
  const { sampleId, filename } = file;
  const address = `${backend()?.origin || window.location.origin}/api/downloads/${encodeURIComponent(sampleId)}/file`;
  const type =
    TYPES[filename.slice(filename.lastIndexOf('.') + 1).toLowerCase()] ?? 'application/octet-stream';
  event.dataTransfer.effectAllowed = 'copy';
  // Replaces colons in the name, because `DownloadURL` separates type, name and address by colons.
  event.dataTransfer.setData('DownloadURL', `${type}:${filename.replaceAll(':', '_')}:${address}`);
  event.dataTransfer.setData('text/uri-list', address);
}
