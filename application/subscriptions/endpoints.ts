import { exactText, page, pageQuery } from '../shared/contract.js';
import * as z from 'zod';
import { endpointsOf } from '../shared/endpoint.js';
import {
  CheckoutAnswer,
  CheckoutBody,
  ConsentBody,
  ConsentVersionLabel,
  Contract,
  Gift,
  Plan,
  PlanIdLabel,
  Product,
  RedeemAnswer,
  RedeemGiftBody,
  Subscription,
  WithdrawBody,
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

const own = endpointsOf({ tag: 'Plans', access: 'user' });

export const listPlans = own('GET /api/plans', {
  access: 'public',
  summary: 'Lists the plans that can be bought',
  answers: { 200: z.object({ items: z.array(Plan) }) },
});

export const listProducts = own('GET /api/products', {
  access: 'public',
  summary: 'Lists the products: plans, billed by the month, and top-ups, paid once',
  answers: { 200: z.object({ items: z.array(Product) }) },
});

export const checkOut = own('POST /api/checkout', {
  idempotent: true,
  rateLimit: 'checkout',
  summary:
    'Returns the address of the payment page of a product. The paid invoice grants the credits, not the return from the page',
  body: CheckoutBody,
  answers: { 200: CheckoutAnswer },
  problems: REFUSALS,
});

export const listGifts = own('GET /api/gifts', {
  summary: 'Lists the gifts that the caller paid for, newest first, with their codes',
  query: z.object(pageQuery),
  answers: { 200: page(Gift) },
});

export const redeemGift = own('POST /api/gifts/redeem', {
  idempotent: true,
  rateLimit: 'gift-code',
  summary: 'Gives the caller the credits of a gift. A code counts once',
  body: RedeemGiftBody,
  answers: { 200: RedeemAnswer },
  problems: ['GiftUnknown', 'GiftRedeemed', 'GiftExpired', 'GiftFrozen', 'GiftWithdrawn'],
});

export const readSubscription = own('GET /api/subscription', {
  summary: "Returns the caller's plan and its pending change",
  answers: { 200: Subscription },
});

export const startCheckout = own('POST /api/stripe/create-checkout-session', {
  summary:
    "Returns the address of a plan's payment page. The paid invoice starts the plan, not the return from the page",
  /** Old clients repeat both fields of the body in the query. Values that differ from the body are refused. */
  query: z.object({
    plan: PlanIdLabel.optional(),
    userId: exactText().max(100).optional(),
  }),
  body: z.strictObject({
    plan: PlanIdLabel,
    userId: exactText().max(100).optional(),
    /** The version of the consent to immediate delivery that the page showed. */
    consent: ConsentVersionLabel.optional(),
  }),
  answers: { 200: CheckoutAnswer },
  problems: [...REFUSALS, 'NotAllowed'],
});

/** Status 202: the change is recorded, but waits for the provider or the payer (see `pendingChange`). */
const changing = endpointsOf({
  tag: 'Plans',
  access: 'user',
  answers: { 200: Subscription, 202: Subscription },
  status: 200,
  idempotent: true,
});
export const changePlan = changing('POST /api/subscription/change', {
  summary: 'Changes the plan: a dearer one at once, a cheaper one with the next period',
  body: z.strictObject({ plan: PlanIdLabel }),
  problems: REFUSALS,
});

export const cancelPlan = changing('POST /api/subscription/cancel', {
  summary: 'Ends the plan with the current period',
  problems: REFUSALS,
});

export const resumePlan = changing('POST /api/subscription/resume', {
  summary: 'Takes back a change that is scheduled',
  problems: REFUSALS,
});

export const payPendingChange = own('POST /api/subscription/pending/pay', {
  summary: 'Returns the page for paying a waiting upgrade or a failed bill',
  answers: { 200: CheckoutAnswer },
  problems: ['NothingToPay', 'PaymentsUnavailable'],
});

export const withdrawPendingChange = changing('POST /api/subscription/pending/withdraw', {
  summary: 'Withdraws a change that awaits its payer. A change that was just paid is completed',
  problems: ['PaymentsUnavailable'],
});

export const openPaymentDetails = own('POST /api/subscription/payment-details', {
  summary: 'Returns the page for changing the card and paying open bills',
  answers: { 200: CheckoutAnswer },
  problems: ['NoSubscription', 'PaymentsUnavailable'],
});

export const listContracts = own('GET /api/me/contracts', {
  summary: 'Lists the contracts that the caller can still withdraw from, newest first',
  answers: { 200: z.object({ items: z.array(Contract) }) },
});

export const consentToDelivery = own('POST /api/me/contracts/consent', {
  rateLimit: 'edit',
  summary: 'Records that the right of withdrawal ends for what the caller downloads',
  body: ConsentBody,
  answers: { 204: null },
});

export const withdrawFromContract = own('POST /api/withdrawals', {
  access: 'public',
  rateLimit: 'withdrawal',
  summary:
    'Withdraws from the contract of an order. The answer is the same if no order fits; the outcome comes by mail',
  body: WithdrawBody,
  answers: { 202: z.object({ receivedAt: z.iso.datetime() }) },
});
