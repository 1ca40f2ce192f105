import * as z from 'zod';
import { PRODUCT_IDS } from '../../../domain/subscriptions/products.js';
import { namedObject } from '../../shared/contract.js';
import { Month } from '../contract.js';

export const MonthsQuery = z.object({
  from: Month.optional().describe('The first month (UTC)'),
  to: Month.optional().describe('The last month (UTC)'),
});
export type MonthsQuery = z.infer<typeof MonthsQuery>;

/** `given`: credits without a payment. `none`: amounts without a lot, or of a lot whose plan is unknown. */
export const MARGIN_PLANS = [...PRODUCT_IDS, 'given', 'none'] as const;

/** Income is positive, costs are negative. The sum is the margin, in micro-dollars. */
export const Margin = namedObject('Margin', {
  month: z.string(),
  plan: z.enum(MARGIN_PLANS),
  /** Credits spent, less credits returned. */
  recognisedMicroUsd: z.int(),
  /** The value of credits that were taken from a buyer without paying money back. */
  forfeitedMicroUsd: z.int(),
  /** Refunds of credits that were already spent. */
  refundsMicroUsd: z.int(),
  sharesMicroUsd: z.int(),
  /** Stripe's fees for a payment, distributed over the lines of its invoice by gross amount. */
  feesMicroUsd: z.int(),
  /** What banks took back beyond tax and the value of unspent credits, and the fees of disputes. */
  chargebacksMicroUsd: z.int(),
  /** Credits that the shop pays for. */
  goodwillMicroUsd: z.int(),
  lossesMicroUsd: z.int(),
  marginMicroUsd: z.int(),
});
export type Margin = z.infer<typeof Margin>;

/** Items are sorted by month, oldest first, then by plan. Months and plans in which nothing moved are absent. */
export const MarginReport = namedObject('MarginReport', { items: z.array(Margin) });
export type MarginReport = z.infer<typeof MarginReport>;
