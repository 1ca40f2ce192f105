import * as z from 'zod';
import { IsoTime } from '../../shared/contract.js';

/** Where somebody is signed in. */
export const SessionItem = z
  .object({
    id: z.string(),
    /** "Firefox on Linux". */
    device: z.string(),
    /** Of the sign-in: the country, where a proxy says it, and the network. */
    place: z.string().nullable(),
    startedAt: IsoTime,
    /** Within five minutes. */
    lastUsedAt: IsoTime,
    /** Whether this one asks. */
    current: z.boolean(),
  })
  .meta({ id: 'SessionItem' });
export type SessionItem = z.infer<typeof SessionItem>;
export const SessionList = z.object({ items: z.array(SessionItem) });
