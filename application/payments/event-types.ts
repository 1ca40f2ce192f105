/** The provider's events that we handle, by subject. Setup creates and checks the webhook endpoints by these lists. */

/** Both events report a paid invoice. Either may arrive first, or alone. */
export const INVOICE_PAID = ['invoice.paid', 'invoice.payment_succeeded'] as const;

/** A subscription changed. Listeners then read its state again. */
export const SUBSCRIPTION_CHANGED = [
  'checkout.session.completed',
  'customer.subscription.created',
  'customer.subscription.updated',
  'customer.subscription.paused',
  'customer.subscription.resumed',
  'customer.subscription.deleted',
  'customer.subscription.pending_update_applied',
  'customer.subscription.pending_update_expired',
  'invoice.payment_action_required',
  'invoice.payment_failed',
  'subscription_schedule.created',
  'subscription_schedule.updated',
  'subscription_schedule.released',
  'subscription_schedule.completed',
  'subscription_schedule.canceled',
  'subscription_schedule.aborted',
] as const;

export const MONEY_CAME = ['charge.succeeded', 'charge.updated'] as const;

export const MONEY_WENT_BACK = [
  'charge.failed',
  'charge.refunded',
  'charge.refund.updated',
  'refund.created',
  'refund.updated',
  'refund.failed',
  'charge.dispute.created',
  'charge.dispute.updated',
  'charge.dispute.funds_withdrawn',
  'charge.dispute.funds_reinstated',
  'charge.dispute.closed',
] as const;

export const CREATOR_PAID = ['transfer.created', 'transfer.updated', 'transfer.reversed'] as const;

export const SENT_TO_BANK = [
  'payout.created',
  'payout.updated',
  'payout.paid',
  'payout.failed',
  'payout.canceled',
] as const;

export const OWN_EVENTS = [
  ...INVOICE_PAID,
  ...SUBSCRIPTION_CHANGED,
  ...MONEY_CAME,
  ...MONEY_WENT_BACK,
  ...CREATOR_PAID,
  ...SENT_TO_BANK,
] as const;

export const CREATOR_EVENTS = ['account.updated'] as const;
