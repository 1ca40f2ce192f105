import * as z from 'zod';
import { Id, IsoTime, namedObject } from '../shared/contract.js';

/** A file that a worker prepares. `failed`: the user has to order it again. */
export const PreparedExport = namedObject('PreparedExport', {
  id: Id,
  filename: z.string(),
  state: z.enum(['preparing', 'ready', 'failed']),
  sizeBytes: z.int().nullable(),
  orderedAt: IsoTime,
  /** When the file is removed. Null while it is being prepared. */
  expiresAt: IsoTime.nullable(),
});
export type PreparedExport = z.infer<typeof PreparedExport>;

/** The files that a user ordered, newest first. */
export const PreparedExports = namedObject('PreparedExports', { items: z.array(PreparedExport) });
export type PreparedExports = z.infer<typeof PreparedExports>;
