import * as z from 'zod';
import { Id, IsoTime } from '../shared/contract.js';

/** A file that a worker prepares. `failed`: the user has to order it again. */
export const PreparedExport = z
  .object({
    id: Id,
    filename: z.string(),
    state: z.enum(['preparing', 'ready', 'failed']),
    sizeBytes: z.int().nullable(),
    orderedAt: IsoTime,
    /** When the file is removed. Null while it is being prepared. */
    expiresAt: IsoTime.nullable(),
  })
  .meta({ id: 'PreparedExport' });
export type PreparedExport = z.infer<typeof PreparedExport>;

/** Newest first. */
export const PreparedExports = z.object({ items: z.array(PreparedExport) }).meta({ id: 'PreparedExports' });
export type PreparedExports = z.infer<typeof PreparedExports>;
