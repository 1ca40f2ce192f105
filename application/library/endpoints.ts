import * as z from 'zod';
import { endpoint, ROWS_LIMIT_BYTES } from '../shared/endpoint.js';
import * as contract from './contract.js';

const own = { tag: 'Library', access: 'user' } as const;

export const listSaved = endpoint('GET /api/library/saved', {
  ...own,
  scope: 'library:read',
  summary: "Lists the caller's saved items, newest first",
  query: contract.LibraryQuery,
  answers: { 200: contract.SavedPage },
});

export const saveItem = endpoint('PUT /api/library/saved/:itemId', {
  ...own,
  summary: 'Saves an item, or replaces its description',
  params: { itemId: contract.SavedItemId },
  body: contract.SavedItem,
  answers: { 200: contract.SavedRow },
});

export const removeSaved = endpoint('DELETE /api/library/saved/:itemId', {
  ...own,
  summary: 'Removes a saved item',
  params: { itemId: contract.SavedItemId },
  answers: { 204: null },
});

export const importSaved = endpoint('POST /api/library/saved/import', {
  ...own,
  summary: 'Saves the items that an older client kept in the browser',
  /** Newest first. */
  body: z.strictObject({ items: z.array(contract.SavedItem).max(1_000) }),
  bodyLimitBytes: ROWS_LIMIT_BYTES,
  answers: { 200: contract.SavedImportAnswer },
});

export const listDownloads = endpoint('GET /api/library/downloads', {
  ...own,
  scope: 'library:read',
  summary: "Lists the caller's downloads, newest first",
  query: contract.LibraryQuery,
  answers: { 200: contract.DownloadPage },
});

export const importDownloads = endpoint('POST /api/library/downloads/import', {
  ...own,
  summary: 'Imports the downloads that an older client kept in the browser; they grant no rights',
  body: z.strictObject({ items: z.array(contract.ImportedDownload).max(1_000) }),
  bodyLimitBytes: ROWS_LIMIT_BYTES,
  answers: { 200: contract.SavedImportAnswer },
});

export const listImportedDownloads = endpoint('GET /api/library/downloads/imported', {
  ...own,
  scope: 'library:read',
  summary: 'The downloads that an older client kept in the browser',
  answers: { 200: z.object({ items: z.array(contract.ImportedDownload) }) },
});

export const listHistory = endpoint('GET /api/library/history', {
  ...own,
  scope: 'library:read',
  summary: 'Lists the last ten items that the caller played',
  answers: { 200: contract.History },
});

export const addToHistory = endpoint('POST /api/library/history', {
  ...own,
  summary: 'Adds an item to the top of the history',
  body: contract.HistoryEntryBody,
  answers: { 201: contract.History },
});
