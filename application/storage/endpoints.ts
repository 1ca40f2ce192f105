import { endpoint, rawBody, sent } from '../shared/endpoint.js';
import { AUDIO_LIMIT_BYTES } from '../publishing/values.js';
import { StorageListAnswer, StorageListQuery, StorageObjectQuery } from './contract.js';

const open = { tag: 'Storage', access: 'public' } as const;

export const listFolder = endpoint('GET /api/storage/list', {
  ...open,
  summary: 'A folder of the bucket as earlier clients know it',
  query: StorageListQuery,
  answers: { 200: StorageListAnswer },
  problems: ['NotFound'],
  rateLimit: 'listing',
});

const FILE = { 200: sent('*/*'), 206: sent('*/*'), 304: null } as const;

export const readObject = endpoint('GET /api/storage/object', {
  ...open,
  summary: 'A file of the bucket: previews for everybody, an original for who owns it',
  query: StorageObjectQuery,
  answers: FILE,
  status: 200,
  problems: ['NotFound', 'NotAllowed', 'NotSignedIn', 'RangeNotSatisfiable'],
});

const signed = { tag: 'Media', access: 'signature' } as const;

export const readSigned = endpoint('GET /media/signed/*key', {
  ...signed,
  summary: 'The file of a signed address',
  answers: FILE,
  status: 200,
  problems: ['NotFound', 'TokenInvalid', 'RangeNotSatisfiable'],
});

export const writeSigned = endpoint('PUT /media/signed/*key', {
  ...signed,
  summary: 'Stores the file of a signed address',
  body: rawBody<undefined>('file', AUDIO_LIMIT_BYTES),
  answers: { 200: sent() },
  problems: ['NotFound', 'TokenInvalid'],
});
