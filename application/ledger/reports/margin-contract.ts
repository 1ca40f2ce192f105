import * as z from 'zod';
import { PLAN_IDS } from '../../../domain/subscriptions/plans.js';
import { IsoTime } from '../../shared/contract.js';
import { Month } from '../contract.js';

/** What is told month by month: from the first of the one to the last of the other, by UTC. */
export const MonthsQuery = z.object({ from: Month.optional(), to: Month.optional() });
export type MonthsQuery = z.infer<typeof MonthsQuery>;

/** `given`: credits that nobody paid for. `none`: what belongs to no plan, or to one that nobody can tell. */
export const MARGIN_PLANS = [...PLAN_IDS, 'given', 'none'] as const;

/** Signed: what is earned above zero, what it costs below. All of them are the margin, in micro-dollars. */
export const Margin = z
  .object({
    month: z.string(),
    plan: z.enum(MARGIN_PLANS),
    /** Credits spent, less those that came back. */
    recognisedMicroUsd: z.int(),
    /** Credits taken whose worth nobody gets back. */
    forfeitedMicroUsd: z.int(),
    /** Paid back for credits that were spent. */
    refundsMicroUsd: z.int(),
    /** The creators' shares. */
    sharesMicroUsd: z.int(),
    /** What Stripe keeps of a payment, by the shares of its lines in the gross. */
    feesMicroUsd: z.int(),
    /** Payments that banks took back, with the fees for it. */
    chargebacksMicroUsd: z.int(),
    /** Credits that we paid for. */
    goodwillMicroUsd: z.int(),
    /** Debts of creators that were written off. */
    lossesMicroUsd: z.int(),
    marginMicroUsd: z.int(),
  })
  .meta({ id: 'Margin' });
export type Margin = z.infer<typeof Margin>;

/** Oldest month first; plans in their order; none where nothing moved. */
export const MarginReport = z.object({ items: z.array(Margin) }).meta({ id: 'MarginReport' });
export type MarginReport = z.infer<typeof MarginReport>;

/** What is left of credits after so long is counted as never spent. */
export const BREAKAGE_MONTHS = 12;
/** Of fewer lots nothing is estimated. */
export const BREAKAGE_LOTS = 100;

export const Breakage = z
  .object({
    plan: z.enum(MARGIN_PLANS),
    /** Older than 12 months, paid for. */
    lots: z.int(),
    /** What those were worth, and what of it is unspent. */
    grantedMicroUsd: z.int(),
    unspentMicroUsd: z.int(),
    /** In hundredths of a percent: the unspent of the granted. Of fewer than 100 lots: null, as the estimate. */
    shareBps: z.int().nullable(),
    /** All that is deferred of the plan, and what of it will never be spent if later lots do as those did. */
    deferredMicroUsd: z.int(),
    estimateMicroUsd: z.int().nullable(),
  })
  .meta({ id: 'Breakage' });
export type Breakage = z.infer<typeof Breakage>;

/** An estimate: credits do not expire, and nothing of this is ever posted. */
export const BreakageReport = z
  .object({ asOf: IsoTime, items: z.array(Breakage) })
  .meta({ id: 'BreakageReport' });
export type BreakageReport = z.infer<typeof BreakageReport>;
