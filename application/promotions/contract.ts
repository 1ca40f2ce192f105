import * as z from 'zod';
import { Id, IsoTime, namedObject, soughtText } from '../shared/contract.js';
import {
  CODE_LENGTH,
  CODE_PATTERN,
  ENTERED_CODE_MAX_LENGTH,
  CODE_WORDS,
  MOST_REDEMPTIONS,
  spelledCode,
} from './values.js';

/** A code as its creator chooses it. Case and outer spaces do not count. */
export const ChosenCode = soughtText(ENTERED_CODE_MAX_LENGTH)
  .overwrite(spelledCode)
  .min(CODE_LENGTH.min, `At least ${CODE_LENGTH.min} characters`)
  .max(CODE_LENGTH.max, `At most ${CODE_LENGTH.max} characters`)
  .regex(CODE_PATTERN, CODE_WORDS);

export const EnteredCode = soughtText(ENTERED_CODE_MAX_LENGTH).overwrite(spelledCode).min(1, 'Enter a code');

export const NewPromotionCode = z.strictObject({
  code: ChosenCode,
  packId: Id,
  /** The samples that the code gives. If absent, the code gives the whole pack. */
  sampleIds: z
    .array(Id)
    .min(1)
    .max(1_000)
    .refine((ids) => new Set(ids).size === ids.length, 'one sample twice')
    .optional(),
  /** How many people may redeem the code, each of them once. */
  limit: z
    .int('Enter a whole number')
    .min(1, 'At least one person')
    .max(MOST_REDEMPTIONS, `At most ${MOST_REDEMPTIONS} people`),
  from: IsoTime.optional(),
  until: IsoTime.optional(),
});
export type NewPromotionCode = z.infer<typeof NewPromotionCode>;

export const PROMOTION_STATES = ['scheduled', 'running', 'used-up', 'expired', 'ended'] as const;

export const PromotionCode = namedObject('PromotionCode', {
  code: z.string(),
  packId: Id,
  packTitle: z.string(),
  /** Null if the code gives the whole pack. */
  sampleIds: z.array(Id).nullable(),
  limit: z.int(),
  /** How many people redeemed the code. */
  used: z.int(),
  /** The number of samples that all people together received with the code. No creator earns a share of them. */
  samplesGiven: z.int(),
  from: IsoTime.nullable(),
  until: IsoTime.nullable(),
  status: z.enum(PROMOTION_STATES),
  createdAt: IsoTime,
  lastUsedAt: IsoTime.nullable(),
});
export type PromotionCode = z.infer<typeof PromotionCode>;

export const RedeemBody = z.strictObject({ code: EnteredCode });

/** What a person received with a code. Samples that the person owned before are not listed. */
export const RedeemedPromotion = namedObject('RedeemedPromotion', {
  code: z.string(),
  pack: z.object({ id: Id, title: z.string(), slug: z.string(), creator: z.string(), handle: z.string() }),
  received: z.array(z.object({ sampleId: Id, title: z.string(), certificateId: Id })),
});
export type RedeemedPromotion = z.infer<typeof RedeemedPromotion>;
