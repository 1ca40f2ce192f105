import * as z from 'zod';
import { Id, IsoTime, page, namedObject } from '../shared/contract.js';

export const CREDIT_REASONS = [
  'monthly_grant',
  'top_up',
  'gift',
  'download',
  'admin_adjustment',
  'refund',
  'chargeback',
  'promotion',
] as const;

export const CreditLot = z.object({
  id: Id,
  source: z.string(),
  creditsGranted: z.int(),
  creditsLeft: z.int(),
  valueMicroUsd: z.int(),
  grantedAt: IsoTime,
  /** The payment is disputed. The lot cannot be spent and is not in the balance. */
  frozen: z.boolean(),
});
export const CreditBalance = namedObject('CreditBalance', {
  balance: z.int(),
  lots: z.array(CreditLot),
  /** A payment of the last 14 days lacks the consent that ends the right of withdrawal for spent credits. */
  consentDue: z.literal(true).optional(),
});
export type CreditBalance = z.infer<typeof CreditBalance>;
export const CreditLine = namedObject('CreditLine', {
  id: Id,
  reason: z.enum(CREDIT_REASONS),
  delta: z.int(),
  balanceAfter: z.int(),
  createdAt: IsoTime,
  /** The bought sample. Null for other movements, and if the buyer returned the sample and bought it again. */
  sample: z
    .object({
      id: Id,
      title: z.string(),
      packId: Id,
      pack: z.string(),
      genre: z.string(),
      artworkUrl: z.string().nullable(),
    })
    .nullable(),
});
export const CreditLinePage = page(CreditLine);
export type CreditLinePage = z.infer<typeof CreditLinePage>;
