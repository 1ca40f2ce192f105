import * as z from 'zod';
import { IsoTime, namedObject } from '../../shared/contract.js';
import { Foreign } from '../contract.js';
import { MATERIALITY_MAX_MICRO_USD } from '../values.js';

export const TieOutId = z
  .string()
  .regex(/^[0-9a-f]{64}$/, 'not a tie-out')
  .meta({ examples: ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'] });

export const TieOut = namedObject('TieOut', {
  id: TieOutId,
  /** The span that the report covers: from inclusive, to exclusive. */
  from: IsoTime,
  to: IsoTime,
  matched: z.int(),
  stripeMicroUsd: z.int(),
  booksMicroUsd: z.int(),
  onlyAtStripe: z.int(),
  onlyInBooks: z.int(),
  /**
   * The sum of the absolute amounts in dollars of items that only the report or only the books have. Items in other
   * currencies count 0.
   */
  unexplainedMicroUsd: z.int(),
  /** A user id, or a `system:` name such as `system:tie-out`. */
  doneBy: z.string(),
  doneAt: IsoTime,
  position: z.int(),
});
export type TieOut = z.infer<typeof TieOut>;

export const TieOutDetails = TieOut.extend({
  /** The first items that only the report or only the books have. */
  open: z.array(
    z.object({
      side: z.enum(['stripe', 'books']),
      id: z.string(),
      what: z.string(),
      at: IsoTime,
      amountMicroUsd: z.int(),
      foreign: Foreign,
    }),
  ),
}).meta({ id: 'TieOutDetails' });
export type TieOutDetails = z.infer<typeof TieOutDetails>;

export const TieOutList = namedObject('TieOutList', {
  items: z.array(TieOut),
  /** The nightly fetch of the report. Null before the first fetch. */
  fetch: z
    .object({
      /** The end of the last fetched report. Null until one was compared. */
      comparedTo: IsoTime.nullable(),
      comparedAt: IsoTime.nullable(),
      /** Whether a requested report is not ready yet. */
      isWaiting: z.boolean(),
      nextAt: IsoTime,
      /** Why the last attempt failed. */
      problem: z.string().nullable(),
    })
    .nullable(),
});

export type TieOutList = z.infer<typeof TieOutList>;

/** A finding below this amount is listed and raises no alert, unless its amount in dollars is 0 or absent. */
export const MaterialityBody = z.object({
  amountMicroUsd: z.int().min(0).max(MATERIALITY_MAX_MICRO_USD),
});

export const MaterialityLevel = namedObject('Materiality', {
  amountMicroUsd: z.int(),
  /** Null if finance never set an amount. Every finding then raises an alert. */
  by: z.string().nullable(),
  at: IsoTime.nullable(),
});

export const ProviderBalances = namedObject('ProviderBalances', {
  items: z.array(
    z.object({
      /** A currency such as `usd`. `providerMicro` and `booksMicro` are in millionths of this currency. */
      currency: z.string(),
      providerMicro: z.int(),
      booksMicro: z.int(),
      at: IsoTime,
    }),
  ),
});
export type ProviderBalances = z.infer<typeof ProviderBalances>;
