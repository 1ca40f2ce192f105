import * as z from 'zod';
import { REASON_MAX_LENGTH, REASON_MIN_LENGTH } from '../../shared/values.js';
import { bodyText, exactText, Reason } from '../../shared/contract.js';
import { ADJUSTED_ACCOUNTS, CLEARED_ACCOUNTS, EVIDENCE_MAX_LENGTH } from '../values.js';
import { Month } from '../contract.js';

const ClearedAccount = z
  .string()
  .max(30)
  .regex(new RegExp(`^(${CLEARED_ACCOUNTS.join('|')})(:[a-z]{3})?$`), 'has no items that entries clear')
  .meta({ examples: ['suspense'] });
const About = exactText().min(1).max(300);

/** Clears an item in suspense, in the reserve or owed to a customer, once its origin is known. */
export const AdjustingEntryBody = z.strictObject({
  account: ClearedAccount,
  about: About,
  /** `suspense`: the entry offsets another item in suspense, which has the opposite sign. */
  to: z.enum([...ADJUSTED_ACCOUNTS, 'suspense']),
  toAbout: About.optional(),
  /** In millionths of the item's currency, without fractions of a cent. Default: the whole item. */
  amountMicro: z
    .int()
    .positive()
    .multipleOf(10_000)
    .meta({ examples: [4_500_000] })
    .optional(),
  /** An open past month, at whose end the entry is posted. Default: the entry is posted when it is approved. */
  month: Month.optional(),
  reason: Reason,
  /** Where the proof is, such as a line of a bank statement or a case at Stripe. */
  evidence: bodyText(EVIDENCE_MAX_LENGTH).min(REASON_MIN_LENGTH, 'Name the proof'),
});
export type AdjustingEntryBody = z.infer<typeof AdjustingEntryBody>;

export const NoteBody = z.strictObject({
  account: ClearedAccount,
  about: About,
  note: bodyText(REASON_MAX_LENGTH).min(REASON_MIN_LENGTH, 'Say what it is'),
});

export const ChecklistItem = z.object({
  id: z.enum(['turn', 'rules', 'tie-out', 'aged', 'suspense', 'alerts']),
  done: z.boolean(),
  text: z.string(),
  href: z.string(),
});
export type ChecklistItem = z.infer<typeof ChecklistItem>;
