/** Texts for the provider's `pending_reason`, or for its status if it gives no reason. */
const WAITING: Readonly<Record<string, string>> = {
  charge_pending: 'the payment itself has not arrived yet',
  insufficient_funds: 'the balance at Stripe is too small for it',
  processing: 'Stripe or the bank is working on it',
  requires_action: 'the payer must give Stripe the destination',
  pending: 'Stripe has not sent it and does not say why',
};

/** Texts for the provider's `failure_reason`, its status, or the code of its refusal. */
const FAILED: Readonly<Record<string, string>> = {
  lost_or_stolen_card: 'the card was lost or stolen',
  expired_or_canceled_card: 'the card has expired or was cancelled',
  expired_or_canceled_refund: 'the payer did not answer in time, or it was cancelled',
  charge_for_pending_refund_disputed: 'the payer disputed the payment while it waited',
  insufficient_funds: 'the balance at Stripe was too small for it',
  declined: 'the bank declined it',
  merchant_request: 'we asked Stripe to stop it',
  unknown: 'Stripe does not know why',
  failed: 'Stripe does not say why',
  canceled: 'it was cancelled',
  charge_already_refunded: 'the payment was refunded before',
  charge_disputed: 'the payer disputed the payment',
  no_payment: 'Stripe has no payment of the invoice',
  invalid_request: 'Stripe did not accept the request',
};

const inWords = (words: Readonly<Record<string, string>>, code: string): string =>
  Object.hasOwn(words, code) ? (words[code] as string) : `for a reason that Stripe calls ${code}`;

/** Returns why a refund waits. @param code the provider's code in the event */
export const waitsBecause = (code: string): string => inWords(WAITING, code);

/** Returns why a refund failed or was refused. @param code the provider's code in the event */
export const failedBecause = (code: string): string => inWords(FAILED, code);
