import * as z from 'zod';
import { CONSENT_VERSIONS } from '../../domain/subscriptions/withdrawal.js';
import { PLAN_IDS } from '../../domain/subscriptions/plans.js';
import { MOST_TOP_UPS, PRODUCT_IDS, PRODUCT_KINDS } from '../../domain/subscriptions/products.js';
import { exactText, IsoTime, lineText, namedObject } from '../shared/contract.js';

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
  /** The price of one: of a month of a plan, or of a top-up. */
  priceUsdCents: z.int(),
  credits: z.int(),
  description: z.string(),
  /** How many one checkout buys at most. */
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
export const CheckoutBody = z.strictObject({
  product: ProductIdLabel,
  /** Always 1 of a plan. */
  quantity: z.int().min(1).max(MOST_TOP_UPS).default(1),
  /** The version of the consent to immediate delivery that the page showed. */
  consent: ConsentVersionLabel.optional(),
});
export const CheckoutAnswer = namedObject('CheckoutAnswer', { url: z.string() });
