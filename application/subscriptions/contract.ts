import * as z from 'zod';
import { PLAN_IDS } from '../../domain/subscriptions/plans.js';
import { IsoTime, namedObject } from '../shared/contract.js';

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
export const CheckoutAnswer = namedObject('CheckoutAnswer', { url: z.string() });
