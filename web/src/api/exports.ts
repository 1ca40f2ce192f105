import { queryOptions } from '@tanstack/react-query';
import type { JournalExportBody } from '../../../application/exports/contract.js';
import { api, query } from './api.js';
import { invalidate } from './query-client.js';

/** The owner of the files: a user, for copies of personal data, or finance, for the journal. */
export type ExportsOf = 'me' | 'finance';

const WATCH_MS = 1_000;

/** Ordered files, newest first; polled while one is in preparation. */
export const exportsQuery = (of: ExportsOf) =>
  queryOptions({
    ...query(`GET /api/${of}/exports`),
    staleTime: 5_000,
    refetchInterval: ({ state: { data } }) =>
      data?.items.some(({ state }) => state === 'preparing') ? WATCH_MS : false,
  });

export async function orderPersonalData(): Promise<void> {
  await api('POST /api/me/exports');
  await invalidate('GET /api/me/exports');
}

export async function orderJournal(format: JournalExportBody['format']): Promise<void> {
  await api('POST /api/finance/exports', { body: { format } });
  await invalidate('GET /api/finance/exports');
}

/** A short-lived address of a file. */
export const fileOf = (of: ExportsOf, id: string) =>
  api(`GET /api/${of}/exports/:id/file`, { params: { id } });

export async function removeExport(of: ExportsOf, id: string): Promise<void> {
  try {
    await api(`DELETE /api/${of}/exports/:id`, { params: { id } });
  } finally {
    await invalidate(`GET /api/${of}/exports`);
  }
}
