import { queryOptions } from '@tanstack/react-query';
import { api, query } from './api.js';

/** The owner of the files: a user, for copies of personal data, or finance, for the journal. */
export type ExportsOf = 'me' | 'finance';

const WATCH_MS = 1_000;

/** Ordered files, newest first; polled while one is in preparation. */
export const exportsQuery = (of: ExportsOf) =>
  queryOptions({
    ...query(`GET /api/${of}/exports`),
    refetchInterval: ({ state: { data } }) =>
      data?.items.some(({ state }) => state === 'preparing') ? WATCH_MS : false,
  });

/** A short-lived address of a file. */
export const fileOf = (of: ExportsOf, id: string) =>
  api(`GET /api/${of}/exports/:id/file`, { params: { id } });
