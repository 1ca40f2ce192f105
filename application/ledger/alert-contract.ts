import * as z from 'zod';
import { IsoTime, page, pageQuery } from '../shared/contract.js';
import { Month } from './contract.js';

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
    /** How much money it is about; null where that is unknown. */
    amountMicroUsd: z.int().nullable(),
    raisedAt: IsoTime,
    /** The event that raised it. */
    position: z.int(),
  })
  .meta({ id: 'Alert' });

const Kind = z.string().regex(/^[\w-]{1,60}$/, 'not a kind of alert');
/** A month (UTC) of the business calendar, `2026-11`. */
const RaisedIn = Month;

/** All alerts of a kind that were raised in a month and that nobody has seen. */
export const AlertCause = z
  .object({
    kind: z.string(),
    month: z.string(),
    count: z.int(),
    /** The sum of their amounts; null if one of them is unknown. */
    amountMicroUsd: z.int().nullable(),
    /** Those of the oldest of them. */
    text: z.string(),
    item: z.string(),
    position: z.int(),
    /** The event that raised the newest of them. */
    lastPosition: z.int(),
  })
  .meta({ id: 'AlertCause' });
export type AlertCause = z.infer<typeof AlertCause>;

/** Of one kind and month, or all. */
export const AlertsQuery = z.object({ ...pageQuery, kind: Kind.optional(), month: RaisedIn.optional() });
export type AlertsQuery = z.infer<typeof AlertsQuery>;

/** Oldest first, with every cause, whatever is asked for. */
export const AlertList = page(AlertItem).extend({ causes: z.array(AlertCause) });
export type AlertList = z.infer<typeof AlertList>;

/** What somebody has seen: the alerts of a cause up to the newest one that was shown. */
export const SeenCause = z.object({ kind: Kind, month: RaisedIn, lastPosition: z.int() });
export type SeenCause = z.infer<typeof SeenCause>;
