import { endpoint, ROWS_LIMIT_BYTES } from '../shared/endpoint.js';
import {
  DownloadPage,
  DownloadsImportBody,
  History,
  HistoryEntryBody,
  ImportedDownloads,
  LibraryQuery,
  SavedImportAnswer,
  SavedImportBody,
  SavedItem,
  SavedItemId,
  SavedPage,
  SavedRow,
} from './contract.js';

const own = { tag: 'Library', access: 'user' } as const;

export const listSaved = endpoint('GET /api/library/saved', {
  ...own,
  summary: 'What the caller saved, newest first',
  query: LibraryQuery,
  answers: { 200: SavedPage },
});

export const saveItem = endpoint('PUT /api/library/saved/:itemId', {
  ...own,
  summary: 'Saves an item, or replaces how it is described',
  params: { itemId: SavedItemId },
  body: SavedItem,
  answers: { 200: SavedRow },
});

export const removeSaved = endpoint('DELETE /api/library/saved/:itemId', {
  ...own,
  summary: 'Removes an item from what is saved',
  params: { itemId: SavedItemId },
  answers: { 204: null },
});

export const importSaved = endpoint('POST /api/library/saved/import', {
  ...own,
  summary: 'Saves the items that an older client kept in the browser',
  body: SavedImportBody,
  bodyLimitBytes: ROWS_LIMIT_BYTES,
  answers: { 200: SavedImportAnswer },
});

export const listDownloads = endpoint('GET /api/library/downloads', {
  ...own,
  summary: 'What the caller downloaded, newest first',
  query: LibraryQuery,
  answers: { 200: DownloadPage },
});

export const importDownloads = endpoint('POST /api/library/downloads/import', {
  ...own,
  summary: 'Keeps the list of downloads that an older client kept in the browser; it entitles to nothing',
  body: DownloadsImportBody,
  bodyLimitBytes: ROWS_LIMIT_BYTES,
  answers: { 200: SavedImportAnswer },
});

export const listImportedDownloads = endpoint('GET /api/library/downloads/imported', {
  ...own,
  summary: 'The downloads that an older client kept in the browser',
  answers: { 200: ImportedDownloads },
});

export const listHistory = endpoint('GET /api/library/history', {
  ...own,
  summary: 'The ten things that the caller played last',
  answers: { 200: History },
});

export const addToHistory = endpoint('POST /api/library/history', {
  ...own,
  summary: 'Puts something on top of what was played last',
  body: HistoryEntryBody,
  answers: { 201: History },
});
