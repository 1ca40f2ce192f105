import * as z from 'zod';
import { exactText, namedObject } from '../shared/contract.js';

/** The only bucket in the API, regardless of the name of the real bucket. */
export const BUCKET = 'Sounds';
export const LIST_LIMIT = 100;

export const Bucket = exactText().max(100).default(BUCKET);
export const Path = exactText().max(1_024);

export const StorageListQuery = z.object({
  bucket: Bucket,
  prefix: Path.default(''),
  limit: z.coerce.number().int().min(1).max(1_000).default(LIST_LIMIT),
  offset: z.coerce.number().int().min(0).max(100_000).default(0),
  search: exactText().max(200).default(''),
  sortColumn: z.enum(['name', 'updated_at', 'created_at', 'last_accessed_at']).default('name'),
  sortOrder: z.enum(['asc', 'desc']).default('asc'),
});
export type StorageListQuery = z.infer<typeof StorageListQuery>;

/** A file or a folder. A folder has only a name; its other fields are null. */
export const StorageItem = namedObject('StorageItem', {
  id: z.string().nullable(),
  name: z.string(),
  updated_at: z.iso.datetime().nullable(),
  created_at: z.iso.datetime().nullable(),
  last_accessed_at: z.iso.datetime().nullable(),
  metadata: z.object({ size: z.int(), mimetype: z.string(), eTag: z.string() }).nullable(),
  /** Address of the file. An original is sent only to users who may have it. */
  publicUrl: z.string().nullable(),
});
export type StorageItem = z.infer<typeof StorageItem>;
