import { endpoint, endpointsOf, sent } from '../shared/endpoint.js';
import * as z from 'zod';
import { Bucket, Path, StorageItem, StorageListQuery } from './contract.js';

const open = endpointsOf({ tag: 'Storage', access: 'public' });

export const listFolder = open('GET /api/storage/list', {
  summary: 'A folder of the bucket as earlier clients know it',
  query: StorageListQuery,
  answers: { 200: z.object({ data: z.array(StorageItem) }) },
  problems: ['NotFound'],
  rateLimit: 'listing',
});

const FILE = { 200: sent('*/*'), 206: sent('*/*'), 304: null } as const;

export const readObject = open('GET /api/storage/object', {
  summary: 'A file of the bucket; originals only for users who own them',
  query: z.object({ bucket: Bucket, path: Path.min(1) }),
  answers: FILE,
  status: 200,
  problems: ['NotFound', 'NotAllowed', 'NotSignedIn', 'RangeNotSatisfiable'],
});

export const readSigned = endpoint('GET /media/signed/*key', {
  tag: 'Media',
  access: 'signature',
  summary: 'The file of a signed address',
  answers: FILE,
  status: 200,
  problems: ['NotFound', 'TokenInvalid', 'RangeNotSatisfiable'],
});
