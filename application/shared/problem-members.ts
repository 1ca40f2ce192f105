import * as z from 'zod';
import { IsoTime } from './contract.js';
import type { ProblemCode } from './problems.js';

const limitBytes = z.int();
/** The samples of an order that cannot be delivered. */
const sampleIds = z.array(z.string()).optional();

/** The fields of a refusal in addition to its code and text. */
export const PROBLEM_MEMBERS = {
  InvalidRequest: z.object({
    errors: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
  }),
  FreshSignInRequired: z.object({ methods: z.array(z.enum(['password', 'google', 'passkey', 'app'])) }),
  /** `methods` is empty if the user has no second factor. */
  SecondFactorRequired: z.object({ methods: z.array(z.enum(['passkey', 'app'])) }),
  SampleNotAvailable: z.object({ sampleIds }),
  DownloadUnavailable: z.object({ sampleIds }),
  Gone: z.object({ sampleIds }),
  InsufficientCredits: z.object({
    balance: z.int(),
    missing: z.int(),
    nextBillingDate: IsoTime.optional(),
  }),
  /** `own`: whether the caller redeemed the gift. */
  GiftRedeemed: z.object({ own: z.boolean() }),
  GiftExpired: z.object({ expiredAt: IsoTime }),
  PackPriceTooHigh: z.object({ sumCredits: z.int() }),
  PriceChanged: z.object({ priceCredits: z.int(), expectedCredits: z.int() }),
  /** The version and the words of the consent that POST /api/me/contracts/consent takes. */
  DeliveryConsentNeeded: z.object({ version: z.string(), text: z.string() }),
  PromotionNotStarted: z.object({ from: IsoTime }),
  PromotionExpired: z.object({ until: IsoTime }),
  WeakPassword: z.object({ reasons: z.array(z.string()) }),
  PayoutOwed: z.object({ owedMicroUsd: z.int() }),
  DuplicateAudio: z.object({ sampleId: z.string(), name: z.string(), among: z.enum(['pack', 'catalogue']) }),
  PayloadTooLarge: z.object({ limitBytes: limitBytes.optional() }),
  AudioTooLarge: z.object({ limitBytes }),
  ImageTooLarge: z.object({ limitBytes }),
  TooManyRequests: z.object({ retryAfterSeconds: z.int() }),
  InternalError: z.object({ errorId: z.string() }),
} as const satisfies Partial<Record<ProblemCode, z.ZodObject>>;
