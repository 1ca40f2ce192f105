import * as z from 'zod';
import { IsoTime, namedObject } from '../../shared/contract.js';

export const TRACED_KINDS = [
  'movement',
  'charge',
  'refund',
  'reversal',
  'dispute',
  'bank-payout',
  'withdrawal',
  'transfer',
  'purchase',
  'certificate',
  'lot',
  'gift',
  'adjustment',
  'approval',
  'adjusting-entry',
  'invoice',
  'invoice-line',
] as const;
export type TracedKind = (typeof TRACED_KINDS)[number];

export const FoundItem = namedObject('FoundItem', {
  kind: z.enum([...TRACED_KINDS, 'event', 'person', 'day']),
  id: z.string(),
  title: z.string(),
  subtitle: z.string(),
  amountMicroUsd: z.int().optional(),
  at: IsoTime.optional(),
  href: z.string(),
});
export type FoundItem = z.infer<typeof FoundItem>;

/** An id of the payment provider, one of our own ids, or the position of an event. */
export const TraceId = z
  .string()
  .min(1)
  .max(200)
  .regex(/^[\w:.-]+$/, 'not an id')
  .meta({ examples: ['in_1SPk8uLm'] });

export const TraceQuery = z.object({
  /** The number of a line in a payout's statement, counted from 1. */
  line: z.coerce.number().int().min(1).max(10_000_000).optional(),
  /** The position after which the next page of `outcomes` starts. */
  after: z.coerce.number().int().min(0).optional(),
});
export type TraceQuery = z.infer<typeof TraceQuery>;

/** At least one of `text`, `microUsd` and `at` is present. */
const Fact = z.object({
  label: z.string(),
  text: z.string().optional(),
  microUsd: z.int().optional(),
  at: IsoTime.optional(),
  href: z.string().optional(),
});

const Posting = z.object({
  position: z.int(),
  type: z.string(),
  account: z.string(),
  does: z.string(),
  commodity: z.string(),
  /** A debit is positive. */
  delta: z.int(),
});

export const TraceCard = namedObject('TraceCard', {
  key: z.string(),
  kind: z.enum([
    'payout',
    'sale',
    'segment',
    'lot',
    'unpaid',
    'invoice',
    'movement',
    'refund',
    'dispute',
    'reversal',
    'bank-payout',
    'write-off',
    'adjusting-entry',
    'event',
  ]),
  title: z.string(),
  id: z.string(),
  href: z.string().nullable(),
  at: IsoTime,
  amountMicroUsd: z.int(),
  /**
   * How the amount is computed from other cards, or from the event's lines on other accounts, as text and as a
   * sum. The card ties out if the sum equals the amount.
   */
  sum: z.object({ text: z.string(), microUsd: z.int() }),
  /** The part of the card's whole amount that the traced money comes from. */
  part: z.object({
    fromMicroUsd: z.int(),
    toMicroUsd: z.int(),
    ofMicroUsd: z.int(),
    text: z.string(),
  }),
  facts: z.array(Fact),
  rounding: z.string(),
  from: z.array(z.string()),
  postings: z.array(Posting),
  positions: z.array(z.int()),
});
export type TraceCard = z.infer<typeof TraceCard>;

export const Trace = namedObject('Trace', {
  id: z.string(),
  /** Explains how to read the cards. Also says who paid whom if a payout and an invoice are among them. */
  note: z.string(),
  crumbs: z.array(z.object({ label: z.string(), href: z.string().nullable() })),
  selected: z.string(),
  cards: z.array(TraceCard),
  /** Set if one line of a payout's statement is traced: its number, and the number of all lines. */
  line: z.object({ withdrawalId: z.string(), number: z.int(), of: z.int() }).nullable(),
  /** Purchases that spent credits of the lot or invoice, oldest first. */
  outcomes: z.array(
    z.object({
      id: z.string(),
      title: z.string(),
      at: IsoTime,
      credits: z.int(),
      valueMicroUsd: z.int(),
      href: z.string(),
    }),
  ),
  outcomeCount: z.int(),
  nextAfter: z.int().nullable(),
  /** The events behind the cards, each verified with the hash of the event before it. */
  proof: z.object({
    events: z.array(z.object({ position: z.int(), hash: z.string(), verified: z.boolean() })),
    /** The newest signed head of the log. It covers the events up to its position. */
    head: z.object({ signedAt: IsoTime, position: z.int() }).nullable(),
    checkedAt: IsoTime,
  }),
});
export type Trace = z.infer<typeof Trace>;
