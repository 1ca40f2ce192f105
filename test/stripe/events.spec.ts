import { expect, it } from '@jest/globals';
import Stripe from 'stripe';
import { STRIPE_API_VERSION } from '../../adapters/vendors/stripe/stripe-client.js';
import { BalanceTransactions } from '../../application/payments/balance-transactions.js';
import { BankPayouts } from '../../application/payments/record-bank-payout.js';
import {
  CREATOR_EVENTS,
  INVOICE_PAID,
  OWN_EVENTS,
  SUBSCRIPTION_CHANGED,
} from '../../application/payments/event-types.js';
import { MoneyBackFacts } from '../../application/payments/money-back.js';
import { TransferFacts } from '../../application/payouts/transfer-facts.js';

it('[OPS-160] whoever follows events of Stripe follows those of the one list, and each of them is followed', () => {
  const none = undefined as never;
  const followed = new Set<string>([
    ...INVOICE_PAID,
    ...SUBSCRIPTION_CHANGED,
    ...new BalanceTransactions(none, none, none, none, none).types,
    ...new BankPayouts(none, none, none).types,
    ...new MoneyBackFacts(none, none, none, none).types,
    ...new TransferFacts(none, none, none, none, none).types,
  ]);
  expect([...followed].sort()).toEqual([...OWN_EVENTS, ...CREATOR_EVENTS].sort());
});

it('[OPS-160] the API version is chosen: an SDK that speaks another one is a decision', () => {
  expect(STRIPE_API_VERSION).toBe(Stripe.API_VERSION);
});
