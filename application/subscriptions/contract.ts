import * as z from 'zod';
import { CONSENT_VERSIONS } from '../../domain/subscriptions/withdrawal.js';
import { PLAN_IDS } from '../../domain/subscriptions/plans.js';
import { MOST_TOP_UPS, PRODUCT_IDS, PRODUCT_KINDS } from '../../domain/subscriptions/products.js';
import { exactText, Id, IsoTime, lineText, namedObject } from '../shared/contract.js';

import { NAME_MAX_LENGTH } from './values.js';

export { PLAN_IDS, type PlanId } from '../../domain/subscriptions/plans.js';
export const PlanIdLabel = z.enum(PLAN_IDS);

export const Plan = namedObject('Plan', {
  id: PlanIdLabel,
  name: z.string(),
  priceUsdCents: z.int(),
  credits: z.int(),
  description: z.string(),
  features: z.array(z.string()),
  popular: z.boolean(),
  /** Tax is added to the price where it is due. */
  plusTax: z.literal(true).optional(),
});
export type Plan = z.infer<typeof Plan>;

export const ProductIdLabel = z.enum(PRODUCT_IDS);

export const Product = namedObject('Product', {
  id: ProductIdLabel,
  kind: z.enum(PRODUCT_KINDS),
  name: z.string(),
  /** The price of one month of a plan, or of one top-up. */
  priceUsdCents: z.int(),
  credits: z.int(),
  description: z.string(),
  /** The largest quantity that one checkout can buy. */
  mostAtOnce: z.int(),
  /** Tax is added to the price where it is due. */
  plusTax: z.literal(true).optional(),
});
export type Product = z.infer<typeof Product>;

export const Subscription = namedObject('Subscription', {
  plan: PlanIdLabel.nullable(),
  /** `none` before the first plan, or else Stripe's status (active, past_due, canceled). */
  status: z.string(),
  currentPeriodEnd: IsoTime.nullable(),
  scheduledChange: z
    .object({ kind: z.enum(['cancel', 'downgrade']), plan: PlanIdLabel.nullable(), effectiveAt: IsoTime })
    .nullable(),
  /** A change without an outcome from the payment provider. Other changes must wait for this outcome. */
  pendingChange: z
    .object({
      kind: z.enum(['upgrade', 'downgrade', 'cancel', 'resume']),
      plan: PlanIdLabel.nullable(),
      requestedAt: IsoTime,
      /** What the payer must do: confirm with the bank, or pay with another card. */
      needs: z.enum(['confirmation', 'another card']).nullable(),
      /** The deadline of the payer. Afterwards the change is cancelled. */
      expiresAt: IsoTime.nullable(),
    })
    .nullable(),
});
export type Subscription = z.infer<typeof Subscription>;
export const Contract = namedObject('Contract', {
  /** The invoice of the contract at the payment provider. Receipts name it. */
  orderNumber: z.string(),
  /** What was bought, such as `Starter`. Empty if an old event does not say. */
  sold: z.array(z.string()),
  paidAt: IsoTime,
  withdrawUntil: IsoTime,
  withdrawnAt: IsoTime.nullable(),
});
export type Contract = z.infer<typeof Contract>;
export const ConsentVersionLabel = z.enum(CONSENT_VERSIONS);
export const ConsentBody = z.strictObject({ version: ConsentVersionLabel });
export const WithdrawBody = z.strictObject({
  name: lineText(NAME_MAX_LENGTH).min(1, 'Enter your name'),
  orderNumber: exactText().trim().min(1, 'Enter the order number').max(100),
  email: z.email('Enter an e-mail address').max(254, 'Enter an e-mail address'),
});
/** The value of `giftTo` if the code is not mailed and only the payer gets it. */
export const PRINTED = 'print';
export const GIFT_STATES = ['open', 'frozen', 'redeemed', 'expired', 'withdrawn'] as const;
export const Gift = namedObject('Gift', {
  id: Id,
  /** What was bought, such as `Gift, 50 credits`. */
  name: z.string(),
  credits: z.int(),
  /** The address that got the code by mail. Null if the payer hands it over. */
  email: z.string().nullable(),
  /**
   * - `frozen`: a bank decides about the payment
   * - `expired`: the payer got the credits
   * - `withdrawn`: the payment went back
   */
  state: z.enum(GIFT_STATES),
  /** Null once the gift has ended. */
  code: z.string().nullable(),
  boughtAt: IsoTime,
  expiresAt: IsoTime,
  /** When it was redeemed, or its credits went to the payer. */
  endedAt: IsoTime.nullable(),
});
export type Gift = z.infer<typeof Gift>;
export const RedeemGiftBody = z.strictObject({
  code: exactText().trim().min(1, 'Enter the code').max(100, 'This is longer than a code'),
});
export const RedeemAnswer = namedObject('RedeemedGift', {
  credits: z.int(),
  /** The credits of the caller now. */
  balance: z.int(),
});
export const CheckoutBody = z.strictObject({
  product: ProductIdLabel,
  /** Must be 1 for a plan. */
  quantity: z.int().min(1).max(MOST_TOP_UPS).default(1),
  /** Makes a top-up a gift: the address that gets its code, or `print` if only the payer does. */
  giftTo: z
    .union([z.literal(PRINTED), z.email('Enter an e-mail address').max(254, 'Enter an e-mail address')])
    .optional(),
  /** The version of the consent to immediate delivery that the page showed. */
  consent: ConsentVersionLabel.optional(),
});
export const CheckoutAnswer = namedObject('CheckoutAnswer', { url: z.string() });
