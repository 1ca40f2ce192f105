import * as z from 'zod';
import { IsoTime } from '../shared/contract.js';

export const AlertKey = z
  .string()
  .max(200)
  .regex(/^[\w:.-]+$/, 'not an alert');

/** Something about the money that nobody has seen yet. */
export const AlertItem = z
  .object({
    key: z.string(),
    kind: z.string(),
    text: z.string(),
    /** The id of what it is about; empty if there is none. */
    item: z.string(),
    raisedAt: IsoTime,
    /** The event that raised it. */
    position: z.int(),
  })
  .meta({ id: 'Alert' });

/** Oldest first. */
export const AlertList = z.object({ items: z.array(AlertItem) });
export type AlertList = z.infer<typeof AlertList>;
