import { exactText } from '../shared/contract.js';
import * as z from 'zod';
import { endpoint } from '../shared/endpoint.js';
import { CheckoutAnswer, Subscription, Plan, PlanIdLabel } from './contract.js';

const REFUSALS = [
  'NoSubscription',
  'PlanUnchanged',
  'PaymentOverdue',
  'ChangePending',
  'NothingScheduled',
  'SubscriptionExists',
  'ChangeRefused',
  'PaymentDeclined',
  'PaymentsUnavailable',
] as const;

const own = { tag: 'Plans', access: 'user' } as const;

export const listPlans = endpoint('GET /api/plans', {
  tag: 'Plans',
  access: 'public',
  summary: 'The plans that can be bought',
  answers: { 200: z.object({ items: z.array(Plan) }) },
});

export const readSubscription = endpoint('GET /api/subscription', {
  ...own,
  summary: "Returns the caller's plan and its pending change",
  answers: { 200: Subscription },
});

export const startCheckout = endpoint('POST /api/stripe/create-checkout-session', {
  ...own,
  summary:
    "Returns the address of a plan's payment page. The paid invoice starts the plan, not the return from the page",
  /** The first clients repeat both in the address. Different values there are refused. */
  query: z.object({
    plan: PlanIdLabel.optional(),
    userId: exactText().max(100).optional(),
  }),
  body: z.strictObject({ plan: PlanIdLabel, userId: exactText().max(100).optional() }),
  answers: { 200: CheckoutAnswer },
  problems: [...REFUSALS, 'NotAllowed'],
});

/** 202: recorded, but waiting for the payment provider or the payer. `pendingChange` describes the change. */
const changing = {
  ...own,
  answers: { 200: Subscription, 202: Subscription },
  status: 200,
  idempotent: true,
} as const;
export const changePlan = endpoint('POST /api/subscription/change', {
  ...changing,
  summary: 'Changes the plan: a dearer one at once, a cheaper one with the next period',
  body: z.strictObject({ plan: PlanIdLabel }),
  problems: REFUSALS,
});

export const cancelPlan = endpoint('POST /api/subscription/cancel', {
  ...changing,
  summary: 'Ends the plan with the current period',
  problems: REFUSALS,
});

export const resumePlan = endpoint('POST /api/subscription/resume', {
  ...changing,
  summary: 'Takes back a change that is scheduled',
  problems: REFUSALS,
});

export const payPendingChange = endpoint('POST /api/subscription/pending/pay', {
  ...own,
  summary: 'Returns the page for paying a waiting upgrade or a failed bill',
  answers: { 200: CheckoutAnswer },
  problems: ['NothingToPay', 'PaymentsUnavailable'],
});

export const withdrawPendingChange = endpoint('POST /api/subscription/pending/withdraw', {
  ...changing,
  summary: 'Withdraws a change that awaits its payer. A change that was just paid is completed',
  problems: ['PaymentsUnavailable'],
});

export const openPaymentDetails = endpoint('POST /api/subscription/payment-details', {
  ...own,
  summary: 'Returns the page for changing the card and paying open bills',
  answers: { 200: CheckoutAnswer },
  problems: ['NoSubscription', 'PaymentsUnavailable'],
});
