import * as z from 'zod';
import { IsoTime, soughtText } from '../../shared/contract.js';
import { FIND_MAX_LENGTH, FIND_MIN_LENGTH } from '../values.js';

/** What an id of the books can identify. */
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
  'adjustment',
  'approval',
  'adjusting-entry',
  'invoice',
  'invoice-line',
] as const;
export type TracedKind = (typeof TRACED_KINDS)[number];

export const FindQuery = z.object({ q: soughtText(FIND_MAX_LENGTH).trim().min(FIND_MIN_LENGTH) });

/** Something that the books know by what was asked. */
export const FoundItem = z
  .object({
    kind: z.enum([...TRACED_KINDS, 'event', 'person', 'day']),
    id: z.string(),
    title: z.string(),
    subtitle: z.string(),
    amountMicroUsd: z.int().optional(),
    at: IsoTime.optional(),
    /** Where it is shown. */
    href: z.string(),
  })
  .meta({ id: 'FoundItem' });
export type FoundItem = z.infer<typeof FoundItem>;
/** The best first. */
export const FoundItems = z.object({ items: z.array(FoundItem) });

/** An id at the provider or of ours, or the position of an event. */
export const TraceId = z
  .string()
  .min(1)
  .max(200)
  .regex(/^[\w:.-]+$/, 'not an id')
  .meta({ examples: ['in_1SPk8uLm'] });

export const TraceQuery = z.object({
  /** The line of a payout's statement, from 1. */
  line: z.coerce.number().int().min(1).max(10_000_000).optional(),
  /** Where the list of what came of it goes on. */
  after: z.coerce.number().int().min(0).optional(),
});
export type TraceQuery = z.infer<typeof TraceQuery>;

/** One of the values is there. */
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

export const CARD_KINDS = [
  'payout',
  'sale',
  'segment',
  'lot',
  'gift',
  'invoice',
  'movement',
  'refund',
  'dispute',
  'reversal',
  'bank-payout',
  'write-off',
  'adjusting-entry',
  'event',
] as const;

/** One step of the way that money took. */
export const TraceCard = z
  .object({
    /** Unique in its trace. */
    key: z.string(),
    kind: z.enum(CARD_KINDS),
    title: z.string(),
    /** What it is called in the books. */
    id: z.string(),
    /** The page that explains it by itself. */
    href: z.string().nullable(),
    at: IsoTime,
    amountMicroUsd: z.int(),
    /** How the amount comes about, computed from the cards that it comes from. It ties if it is the same amount. */
    sum: z.object({ text: z.string(), microUsd: z.int() }),
    /** Which stretch of a whole belongs to this trace. */
    part: z.object({
      fromMicroUsd: z.int(),
      toMicroUsd: z.int(),
      ofMicroUsd: z.int(),
      text: z.string(),
    }),
    facts: z.array(Fact),
    rounding: z.string(),
    /** The keys of the cards that it comes from. */
    from: z.array(z.string()),
    postings: z.array(Posting),
    positions: z.array(z.int()),
  })
  .meta({ id: 'TraceCard' });
export type TraceCard = z.infer<typeof TraceCard>;

export const Trace = z
  .object({
    id: z.string(),
    /** From whom to whom, in a sentence. */
    note: z.string(),
    crumbs: z.array(z.object({ label: z.string(), href: z.string().nullable() })),
    /** The key of the card that was asked for. */
    selected: z.string(),
    cards: z.array(TraceCard),
    /** Of a payout's line: which, of how many. */
    line: z.object({ withdrawalId: z.string(), number: z.int(), of: z.int() }).nullable(),
    /** What was bought with a lot or an invoice, oldest first. */
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
    /** How many there are in all. */
    outcomeCount: z.int(),
    /** What `after` is for the next of them. */
    nextAfter: z.int().nullable(),
    /** The events behind the cards, each held against its predecessor's hash. */
    proof: z.object({
      events: z.array(z.object({ position: z.int(), hash: z.string(), verified: z.boolean() })),
      /** The newest signed head of the log; it covers the events up to its position. */
      head: z.object({ signedAt: IsoTime, position: z.int() }).nullable(),
      checkedAt: IsoTime,
    }),
  })
  .meta({ id: 'Trace' });
export type Trace = z.infer<typeof Trace>;
