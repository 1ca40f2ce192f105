import { endpoint } from '../shared/endpoint.js';
import {
  ChangePlanBody,
  CheckoutAnswer,
  CheckoutBody,
  CheckoutQuery,
  Plans,
  Subscription,
} from './contract.js';

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
  answers: { 200: Plans },
});

export const readSubscription = endpoint('GET /api/subscription', {
  ...own,
  summary: 'The plan of the caller, and what is under way with it',
  answers: { 200: Subscription },
});

export const startCheckout = endpoint('POST /api/stripe/create-checkout-session', {
  ...own,
  summary: 'The address of the payment page of a plan; the paid invoice grants it, not the way back',
  query: CheckoutQuery,
  body: CheckoutBody,
  answers: { 200: CheckoutAnswer },
  problems: [...REFUSALS, 'NotAllowed'],
});

/** 202: reserved, but the payment provider has not answered yet. `pendingChange` describes the change. */
const changing = {
  ...own,
  answers: { 200: Subscription, 202: Subscription },
  status: 200,
  idempotent: true,
} as const;
export const changePlan = endpoint('POST /api/subscription/change', {
  ...changing,
  summary: 'Changes the plan: a dearer one at once, a cheaper one with the next period',
  body: ChangePlanBody,
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
  summary: 'The address of a page where an upgrade that awaits its payer, or a bill that failed, is paid',
  answers: { 200: CheckoutAnswer },
  problems: ['NothingToPay', 'PaymentsUnavailable'],
});

export const withdrawPendingChange = endpoint('POST /api/subscription/pending/withdraw', {
  ...changing,
  summary: 'Takes back a change that awaits its payer; one that was just paid is done',
  problems: ['PaymentsUnavailable'],
});

export const openPaymentDetails = endpoint('POST /api/subscription/payment-details', {
  ...own,
  summary: 'The address of a page where the card is changed and what is open is paid',
  answers: { 200: CheckoutAnswer },
  problems: ['NoSubscription', 'PaymentsUnavailable'],
});
