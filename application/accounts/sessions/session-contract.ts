import * as z from 'zod';
import { IsoTime } from '../../shared/contract.js';

/** A place where the user is signed in. */
export const SessionItem = z
  .object({
    id: z.string(),
    /** For example "Firefox on Linux". */
    device: z.string(),
    /** Country and network at sign-in. A proxy supplies the country. */
    place: z.string().nullable(),
    startedAt: IsoTime,
    /** Accurate to five minutes. */
    lastUsedAt: IsoTime,
    /** This session sends the request. */
    current: z.boolean(),
  })
  .meta({ id: 'SessionItem' });
export type SessionItem = z.infer<typeof SessionItem>;
export const SessionList = z.object({ items: z.array(SessionItem) });
