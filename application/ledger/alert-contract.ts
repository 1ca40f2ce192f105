import * as z from 'zod';
import { IsoTime, page, pageQuery, namedObject } from '../shared/contract.js';
import { Month } from './contract.js';

export const AlertKey = z
  .string()
  .max(200)
  .regex(/^[\w:.-]+$/, 'not an alert');

export const AlertItem = namedObject('Alert', {
  key: z.string(),
  kind: z.string(),
  text: z.string(),
  /** The id of the alert's subject, such as a payout. Empty without a subject. */
  item: z.string(),
  amountMicroUsd: z.int().nullable(),
  raisedAt: IsoTime,
  position: z.int(),
});

const Kind = z.string().regex(/^[\w-]{1,60}$/, 'not a kind of alert');

export const AlertCause = namedObject('AlertCause', {
  kind: z.string(),
  month: z.string(),
  count: z.int(),
  /** The sum of the alerts' amounts. Null if one amount is unknown. */
  amountMicroUsd: z.int().nullable(),
  text: z.string(),
  item: z.string(),
  position: z.int(),
  /** The position of the event that raised the newest alert. */
  lastPosition: z.int(),
});
export type AlertCause = z.infer<typeof AlertCause>;

export const AlertsQuery = z.object({ ...pageQuery, kind: Kind.optional(), month: Month.optional() });
export type AlertsQuery = z.infer<typeof AlertsQuery>;

/** Alerts, oldest first. The filter does not apply to `causes`. */
export const AlertList = page(AlertItem).extend({ causes: z.array(AlertCause) });
export type AlertList = z.infer<typeof AlertList>;

export const SeenCause = z.object({ kind: Kind, month: Month, lastPosition: z.int() });
export type SeenCause = z.infer<typeof SeenCause>;
