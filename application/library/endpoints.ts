import * as z from 'zod';
import { exactText, Id } from '../shared/contract.js';
import { endpoint, endpointsOf, rawBody, ROWS_LIMIT_BYTES } from '../shared/endpoint.js';
import * as contract from './contract.js';

const own = endpointsOf({ tag: 'Library', access: 'user' });

export const listSaved = own('GET /api/library/saved', {
  scope: 'library:read',
  summary: "Lists the caller's saved items, newest first",
  query: contract.LibraryQuery,
  answers: { 200: contract.SavedPage },
});

export const saveItem = own('PUT /api/library/saved/:itemId', {
  summary: 'Saves an item, or replaces its description',
  params: { itemId: contract.SavedItemId },
  body: contract.SavedItem,
  answers: { 200: contract.SavedRow },
});

export const removeSaved = own('DELETE /api/library/saved/:itemId', {
  summary: 'Removes a saved item',
  params: { itemId: contract.SavedItemId },
  answers: { 204: null },
});

export const importSaved = own('POST /api/library/saved/import', {
  summary: 'Saves the items that an older client kept in the browser',
  deprecated: true,
  /** The items are sorted newest first. */
  body: z.strictObject({ items: z.array(contract.SavedItem).max(1_000) }),
  bodyLimitBytes: ROWS_LIMIT_BYTES,
  answers: { 200: contract.SavedImportAnswer },
});

export const listDownloads = own('GET /api/library/downloads', {
  scope: 'library:read',
  summary: "Lists the caller's downloads, newest first",
  query: contract.LibraryQuery,
  answers: { 200: contract.DownloadPage },
});

export const importDownloads = own('POST /api/library/downloads/import', {
  summary: 'Imports the downloads that an older client kept in the browser; they grant no rights',
  deprecated: true,
  body: z.strictObject({ items: z.array(contract.ImportedDownload).max(1_000) }),
  bodyLimitBytes: ROWS_LIMIT_BYTES,
  answers: { 200: contract.SavedImportAnswer },
});

export const listImportedDownloads = own('GET /api/library/downloads/imported', {
  scope: 'library:read',
  summary: 'Lists the downloads that an older client kept in the browser',
  deprecated: true,
  answers: { 200: z.object({ items: z.array(contract.ImportedDownload) }) },
});

export const readFileNames = own('GET /api/library/file-names', {
  scope: 'library:read',
  summary: "Returns the template by which the caller's files are named",
  answers: { 200: contract.FileNames },
});

export const changeFileNames = own('PUT /api/library/file-names', {
  rateLimit: 'edit',
  summary: "Names the caller's files by a template from now on",
  body: contract.FileNames,
  answers: { 204: null },
});

export const listHistory = own('GET /api/library/history', {
  scope: 'library:read',
  summary: 'Lists the last ten items that the caller played',
  answers: { 200: contract.History },
});

export const addToHistory = own('POST /api/library/history', {
  summary: 'Adds an item to the top of the history',
  body: contract.HistoryEntryBody,
  answers: { 201: contract.History },
});

export const listFollowing = own('GET /api/following', {
  summary: 'Lists the creators and tags that the caller follows',
  answers: { 200: contract.Following },
});

export const followCreator = own('PUT /api/creators/:handle/follow', {
  summary: 'Follows a creator',
  params: { handle: contract.Handle },
  answers: { 204: null },
  problems: ['NotFound', 'FollowsTooMany'],
});

export const leaveCreator = own('DELETE /api/creators/:handle/follow', {
  summary: 'Stops following a creator',
  params: { handle: contract.Handle },
  answers: { 204: null },
});

export const followTag = own('PUT /api/tags/:tag/follow', {
  summary: 'Follows a genre, mood or instrument',
  params: { tag: contract.TagLabel },
  answers: { 204: null },
  problems: ['NotFound', 'FollowsTooMany'],
});

export const leaveTag = own('DELETE /api/tags/:tag/follow', {
  summary: 'Stops following a genre, mood or instrument',
  params: { tag: contract.TagLabel },
  answers: { 204: null },
});

export const readFeed = own('GET /api/feed', {
  rateLimit: 'search',
  summary:
    'Lists packs of the last year by the creators and with the tags that the caller follows, newest first',
  query: contract.LibraryQuery,
  answers: { 200: contract.FeedPage },
});

export const readNotifications = own('GET /api/notifications', {
  summary: 'Returns which mails the caller wants',
  answers: { 200: contract.Notifications },
});

export const changeNotifications = own('PUT /api/notifications', {
  rateLimit: 'edit',
  summary: 'Chooses which mails the caller wants',
  body: contract.Notifications,
  answers: { 200: contract.Notifications },
});

/** Mail programs send a form. The server ignores it, because the token is in the address. */
export const unsubscribe = endpoint('POST /api/notifications/unsubscribe', {
  tag: 'Library',
  access: 'signature',
  rateLimit: 'proof',
  summary: 'Turns a mail off with the token of its address for unsubscribing (RFC 8058)',
  query: z.object({ token: exactText().min(1).max(200) }),
  body: rawBody('signed', 1_024),
  answers: { 204: null },
  problems: ['TokenInvalid'],
});

export const listProjects = own('GET /api/projects', {
  scope: 'library:read',
  summary: "Lists the caller's projects, newest first",
  answers: { 200: contract.SavedProjects },
});

export const addProject = own('POST /api/projects', {
  rateLimit: 'edit',
  summary: 'Adds a project: the tempo and key in which the caller hears samples',
  body: contract.NewProject,
  answers: { 201: contract.SavedProject },
  problems: ['TooManyProjects'],
});

export const changeProject = own('PATCH /api/projects/:id', {
  rateLimit: 'edit',
  summary: 'Changes a project',
  params: { id: Id },
  body: contract.ProjectChange,
  answers: { 200: contract.SavedProject },
  problems: ['NotFound'],
});

export const removeProject = own('DELETE /api/projects/:id', {
  summary: 'Deletes a project',
  params: { id: Id },
  answers: { 204: null },
});
