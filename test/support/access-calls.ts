import sharp from 'sharp';
import type { Caller, Things } from './access-world.js';
import { wav } from './publishing.js';
import { makeStems } from './zip.js';

const STEMS = await makeStems(Buffer.from('drums'));

/** How a test calls an endpoint that serves a person's own things. */
export interface OwnedCall {
  /** Keyed by path parameter. */
  ids?: Partial<Record<string, keyof Things>>;
  body?: (things: Things) => object;
  form?: () => FormData;
  /** The answer for the owner, if it is not the usual status: `status` or `status code`. */
  own?: string;
  /** The answer for the suspended creator, if it differs from `own`. */
  suspended?: string;
  /** The answer for everyone else who passes the access check, if it is not `404 NotFound`. */
  others?: string;
  /** The reason for an unusual answer. */
  because?: string;
}

export const picture = await sharp({ create: { width: 40, height: 40, channels: 3, background: '#a33' } })
  .png()
  .toBuffer();
const form = (part: string, bytes: () => Buffer, name: string) => (): FormData => {
  const data = new FormData();
  data.set(part, new Blob([new Uint8Array(bytes())]), name);
  return data;
};

const pack = { ids: { id: 'packId', sampleId: 'sampleId' } } as const;
const complaint = { ids: { id: 'complaintId' } } as const;
const statement = { ids: { id: 'statementId' } } as const;
const certificate = { ids: { id: 'certificateId' } } as const;
const draft = {
  ids: { id: 'sampleId' },
  own: '404 SampleNotAvailable',
  others: '404 SampleNotAvailable',
  because: 'a draft is in the shop for nobody, its creator neither',
} as const;

const workbench = { ids: { id: 'workbenchId' } } as const;
const collection = { ids: { id: 'collectionId' } } as const;
const inCollection = { ids: { id: 'collectionId', sampleId: 'sampleId' } } as const;

const bought = {
  ids: { sampleId: 'boughtId' },
  others: '403 SampleNotOwned',
  because: 'what is on sale is public; the refusal says that the caller did not buy it',
} as const;

/** Endpoints that serve only the owner of a thing, in the order in which the test calls them. */
export const OWNED: Readonly<Record<string, OwnedCall>> = {
  'GET /api/creator/uploads/:uploadId': { ids: { uploadId: 'uploadId' } },
  'PUT /api/creator/packs/:id/uploads/:uploadId': {
    ids: { id: 'packId', uploadId: 'uploadId' },
    body: () => ({ filename: 'b.wav', sizeBytes: 1_000 }),
  },
  'DELETE /api/creator/packs/:id/uploads/:uploadId': { ids: { id: 'packId', uploadId: 'uploadId' } },
  'GET /media/previews/:file': { ids: { file: 'preview' } },
  'POST /api/creator/copies': {
    body: ({ sampleId }) => ({ sampleId, kind: 'own work', text: 'Mine' }),
  },
  'POST /api/creator/copies/:id/licence': {
    ids: { id: 'copyId' },
    body: () => ({ kind: 'own work', text: 'Mine' }),
  },
  'POST /api/creator/copies/:id/answer': {
    ids: { id: 'copyId' },
    body: () => ({ text: 'Mine' }),
    own: '404 NotFound',
    because: 'only the other side answers',
  },
  'GET /api/creator/packs/:id': pack,
  'GET /api/creator/packs/:id/export.zip': pack,
  'PATCH /api/creator/packs/:id': { ...pack, body: () => ({ description: 'Changed' }) },
  'PUT /api/creator/packs/:id/cover': { ...pack, form: form('image', () => picture, 'c.png') },
  'POST /api/creator/packs/:id/default-cost': {
    ...pack,
    body: () => ({ creditCost: 4, applyToAll: true }),
  },
  'PUT /api/creator/packs/:id/price': { ...pack, body: () => ({ credits: null }) },
  'POST /api/creator/packs/:id/samples': { ...pack, form: form('audio', () => wav(), 'b.wav') },
  'PATCH /api/creator/packs/:id/samples': {
    ...pack,
    body: ({ sampleId }) => ({ changes: [{ sampleId, name: 'Changed' }] }),
  },
  'PUT /api/creator/packs/:id/order': {
    ...pack,
    body: ({ sampleId }) => ({ sampleIds: [sampleId] }),
    own: '409 SampleOrderMismatch',
    because: 'the pack holds more than the one sample that is named',
  },
  'PATCH /api/creator/packs/:id/samples/:sampleId': { ...pack, body: () => ({ name: 'Changed again' }) },
  'PUT /api/creator/packs/:id/samples/:sampleId/audio': {
    ...pack,
    form: form('audio', () => wav(), 'c.wav'),
  },
  'PUT /api/creator/packs/:id/samples/:sampleId/stems': {
    ...pack,
    form: form('file', () => STEMS, 's.zip'),
  },
  'PUT /api/creator/packs/:id/samples/:sampleId/midi': {
    ...pack,
    form: form('file', () => Buffer.from('MThd\0\0\0\x06\0\0\0\x01\0\x60', 'latin1'), 'm.mid'),
  },
  'GET /api/samples/:id': { ids: { id: 'sampleId' }, others: '404 SampleNotAvailable' },
  'GET /api/samples/:id/similar': draft,
  'GET /api/packs/:handle/:slug': {
    ids: { handle: 'handle', slug: 'slug' },
    own: '404 NotFound',
    because: 'a draft is in the shop for nobody, its creator neither',
  },
  'POST /api/packs/:id/downloads': {
    ...pack,
    body: () => ({ expectedCredits: 1 }),
    own: '404 NotFound',
    because: 'a draft is in the shop for nobody, its creator neither',
  },
  'GET /api/complaints/:id': complaint,
  'POST /api/complaints/:id/counter-notice': {
    ...complaint,
    body: () => ({ text: 'What is said there about my work is not true.', inGoodFaith: true }),
    own: '404 NotFound',
    because: 'only the other side objects',
  },
  'POST /api/complaints/:id/withdraw': { ...complaint, body: () => ({}) },
  'GET /api/creator/statements/:id': statement,
  'GET /api/creator/statements/:id.csv': statement,
  'GET /api/stripe/connect/status/:userId': {
    ids: { userId: 'userId' },
    others: '403 NotAllowed',
    because: 'earlier clients name themselves; every other name is refused alike',
  },
  'GET /api/certificates/:id': certificate,
  'GET /api/certificates/:id.json': certificate,
  'GET /api/certificates/:id.pdf': certificate,
  'POST /api/certificates/:id/dispute-pack': { ...certificate, body: () => ({}) },
  'GET /api/downloads/:sampleId/file': bought,
  'GET /api/downloads/:sampleId/tagged': {
    ...bought,
    own: '422 NoTaggedCopy',
    because: 'its file is no whole WAV',
  },
  'GET /api/downloads/:sampleId/stems': {
    ...bought,
    own: '404 DownloadUnavailable',
    because: 'it was sold without',
  },
  'GET /api/downloads/:sampleId/midi': {
    ...bought,
    own: '404 DownloadUnavailable',
    because: 'it was sold without',
  },
  'GET /api/library/archives/:id': { ids: { id: 'archiveId' } },
  'GET /api/library/archives/:id.zip': { ids: { id: 'archiveId' } },
  'PATCH /api/me/passkeys/:id': { ids: { id: 'passkeyId' }, body: () => ({ name: 'Other' }) },
  'DELETE /api/me/passkeys/:id': { ids: { id: 'passkeyId' } },
  'DELETE /api/me/sessions/:id': { ids: { id: 'sessionId' } },
  'PATCH /api/projects/:id': { ids: { id: 'projectId' }, body: () => ({ tempo: 91 }) },
  'DELETE /api/projects/:id': {
    ids: { id: 'projectId' },
    others: '204',
    because: 'in the caller’s own list, whatever the project',
  },
  'GET /api/workbenches/:id': workbench,
  'GET /api/workbenches/:id/export': {
    ...workbench,
    own: '404 DownloadUnavailable',
    because: 'it has no lanes',
  },
  'PUT /api/workbenches/:id': { ...workbench, body: () => ({ name: 'Other', tempo: 91 }) },
  'POST /api/workbenches/:id/share': workbench,
  'DELETE /api/workbenches/:id/share': workbench,
  'DELETE /api/workbenches/:id': {
    ...workbench,
    others: '204',
    because: 'in the caller’s own list, whatever the workbench',
  },
  'DELETE /api/tokens/:id': { ids: { id: 'tokenId' } },
  'GET /api/collections/own/:id': collection,
  'PATCH /api/collections/own/:id': { ...collection, body: () => ({ name: 'Other' }) },
  'POST /api/collections/own/:id/samples': {
    ...collection,
    body: ({ sampleId }) => ({ sampleIds: [sampleId] }),
    own: '404 SampleNotAvailable',
    because: 'a draft is in the shop for nobody, its creator neither',
  },
  'PUT /api/collections/own/:id/samples/:sampleId/place': {
    ...inCollection,
    body: () => ({ after: null }),
    own: '409 StaleVersion',
    because: 'the collection does not have it',
  },
  'DELETE /api/collections/own/:id/samples/:sampleId': inCollection,
  'POST /api/collections/own/:id/share': collection,
  'DELETE /api/collections/own/:id/share': collection,
  'POST /api/collections/own/:id/invitation': collection,
  'DELETE /api/collections/own/:id/collaborator': collection,
  'DELETE /api/collections/own/:id': collection,
  'GET /api/me/exports/:id/file': { ids: { id: 'exportId' } },
  'DELETE /api/me/exports/:id': { ids: { id: 'exportId' } },
  'PUT /api/creator/packs/:id/preview-link': pack,
  'DELETE /api/creator/packs/:id/preview-link': pack,
  'POST /api/creator/packs/:id/splits': {
    ...pack,
    body: () => ({ creator: 'no such creator', bps: 100 }),
    own: '422 CollaboratorUnknown',
    because: 'the offer names no creator',
  },
  'POST /api/creator/promotions': {
    body: ({ packId }) => ({ code: 'ACCESS', packId, limit: 1 }),
    own: '409 PackNotPublished',
    because: 'the pack is a draft',
  },
  'PUT /api/creator/packs/:id/release': {
    ...pack,
    body: () => ({ releaseAt: new Date(Date.now() + 86_400_000).toISOString() }),
  },
  'DELETE /api/creator/packs/:id/release': pack,
  'POST /api/creator/packs/:id/publish': pack,
  'POST /api/creator/packs/:id/unpublish': {
    ...pack,
    suspended: '409 PackNotPublished',
    because: 'who is suspended could not publish it before',
  },
  // Restores audio that another creator sells, so it must follow the publication.
  'POST /api/creator/packs/:id/samples/:sampleId/audio/undo': pack,
  'PUT /api/creator/packs/:id/samples/:sampleId/preview': { ...pack, body: () => ({ startMs: 0 }) },
  'GET /api/creator/packs/:id/samples/:sampleId/waveform': pack,
  'DELETE /api/creator/packs/:id/samples/:sampleId': pack,
  'DELETE /api/creator/packs/:id': pack,
  'DELETE /api/packs': {
    body: ({ otherSlug, userId, handle }) => ({ slug: otherSlug, userId, userFolder: handle }),
    others: '403 NotAllowed',
    because: 'earlier clients name themselves; every other name is refused alike',
  },
};

/** Endpoints with a parameter that names no owned thing: the role decides, or nothing does. */
export const NOBODYS: Readonly<Record<string, string>> = {
  '/api/creator/years/': 'a year is nobody’s; the answer has only the amounts of the caller',
  '/api/admin/': 'the role decides',
  '/api/finance/': 'the role decides; one’s own files of the journal: test/http/exports',
  '/api/creator/promotions/:code/': 'its creator ends it, and others find nothing: test/http/promotions',
  '/api/splits/:id/': 'its two creators answer, and others find nothing: test/http/splits',
  '/api/complaints/:id/confirm': 'its mailed link decides',
  '/api/collections/:slug': 'public',
  '/api/collections/shared/:token': 'anyone with the link',
  '/api/previews/:token': 'anyone with the link',
  '/api/workbenches/shared/:token': 'anyone with the link',
  '/api/collections/invitations/:token': 'anyone with the link',
  '/api/creators/:handle': 'public',
  '/api/creator/application/sounds/:sampleId': 'in the caller’s own application, whatever the sample',
  '/api/tags/:tag/follow': 'in the caller’s own list, whatever the tag',
  '/feeds/creators/:file': 'public',
  '/feeds/tags/:file': 'public',
  '/embed/:kind/:id': 'public',
  '/api/legal/:document': 'public',
  '/api/certificates/:id/verification': 'anyone with a certificate may prove it',
  '/api/library/saved/:itemId': 'in the caller’s own list, whatever the item',
  '/media/avatars/:file': 'public',
  '/media/covers/:file': 'the owner’s draft has none; test/http/media',
  '/media/signed/*key': 'the signature decides',
};

interface Exception {
  answer: string;
  because: string;
  /** Default: all callers that the declaration admits. */
  to?: readonly Caller[];
}

/** Endpoints that refuse some callers although their declaration admits them. */
export const EXCEPTIONS: Readonly<Record<string, Exception>> = {
  'POST /api/auth/refresh': {
    answer: '401 NotSignedIn',
    because: 'there is no session to renew',
    to: ['visitor', 'ended session'],
  },
  'GET /media/signed/*key': { answer: '403 NotAllowed', because: 'nothing is signed' },
};
