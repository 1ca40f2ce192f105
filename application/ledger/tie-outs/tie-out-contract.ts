import * as z from 'zod';
import { IsoTime, namedObject } from '../../shared/contract.js';

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
  /** The sum of the absolute amounts of items that only the report or only the books have. */
  unexplainedMicroUsd: z.int(),
  /** A user id, or `system:command-line`. */
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
    }),
  ),
}).meta({ id: 'TieOutDetails' });
export type TieOutDetails = z.infer<typeof TieOutDetails>;

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
