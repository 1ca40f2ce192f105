import { endpoint, endpointsOf, sent } from '../shared/endpoint.js';
import * as z from 'zod';
import { Bucket, Path, StorageItem, StorageListQuery } from './contract.js';

const open = endpointsOf({ tag: 'Storage', access: 'public' });

export const listFolder = open('GET /api/storage/list', {
  summary: 'Lists a folder of the bucket as earlier clients know it',
  deprecated: true,
  query: StorageListQuery,
  answers: { 200: z.object({ data: z.array(StorageItem) }) },
  problems: ['NotFound'],
  rateLimit: 'listing',
});

const FILE = { 200: sent('*/*'), 206: sent('*/*'), 304: null } as const;

export const readObject = open('GET /api/storage/object', {
  summary: 'Returns a file of the bucket; originals only for users who own them',
  deprecated: true,
  query: z.object({ bucket: Bucket, path: Path.min(1) }),
  answers: FILE,
  status: 200,
  problems: ['NotFound', 'NotAllowed', 'NotSignedIn', 'RangeNotSatisfiable'],
});

export const readSigned = endpoint('GET /media/signed/*key', {
  tag: 'Media',
  access: 'signature',
  summary: 'Returns the file of a signed address',
  answers: FILE,
  status: 200,
  problems: ['NotFound', 'TokenInvalid', 'RangeNotSatisfiable'],
});
