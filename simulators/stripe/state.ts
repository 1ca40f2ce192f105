import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type Stripe from 'stripe';

/** Every kind of object that the simulator serves. References are ids, as in the API. */
export interface Kinds {
  customers: Stripe.Customer;
  products: Stripe.Product;
  prices: Stripe.Price;
  coupons: Stripe.Coupon;
  promotionCodes: Stripe.PromotionCode;
  checkoutSessions: Stripe.Checkout.Session;
  paymentMethods: Stripe.PaymentMethod;
  subscriptions: Stripe.Subscription;
  subscriptionSchedules: Stripe.SubscriptionSchedule;
  invoices: Stripe.Invoice;
  taxRates: Stripe.TaxRate;
  taxIds: Stripe.TaxId;
  creditNotes: Stripe.CreditNote;
  invoicePayments: Stripe.InvoicePayment;
  paymentIntents: Stripe.PaymentIntent;
  charges: Stripe.Charge;
  balanceTransactions: Stripe.BalanceTransaction;
  portalConfigurations: Stripe.BillingPortal.Configuration;
  portalSessions: Stripe.BillingPortal.Session;
  accounts: Stripe.Account;
  transfers: Stripe.Transfer;
  payouts: Stripe.Payout;
  refunds: Stripe.Refund;
  disputes: Stripe.Dispute;
  webhookEndpoints: Stripe.WebhookEndpoint;
  events: Stripe.Event;
  reportRuns: Stripe.Reporting.ReportRun;
}
export type Kind = keyof Kinds;

/** By kind and id, oldest first. */
export type Objects = { [K in Kind]: Record<string, Kinds[K]> };

/** How error messages call each kind. */
export const NAMES: Record<Kind, string> = {
  customers: 'customer',
  products: 'product',
  prices: 'price',
  coupons: 'coupon',
  promotionCodes: 'promotion_code',
  checkoutSessions: 'checkout.session',
  paymentMethods: 'PaymentMethod',
  subscriptions: 'subscription',
  subscriptionSchedules: 'subscription_schedule',
  invoices: 'invoice',
  taxRates: 'tax_rate',
  taxIds: 'tax_id',
  creditNotes: 'credit_note',
  invoicePayments: 'invoice_payment',
  paymentIntents: 'payment_intent',
  charges: 'charge',
  balanceTransactions: 'balance_transaction',
  portalConfigurations: 'billing_portal.configuration',
  portalSessions: 'billing_portal.session',
  accounts: 'account',
  transfers: 'transfer',
  payouts: 'payout',
  refunds: 'refund',
  disputes: 'dispute',
  webhookEndpoints: 'webhook_endpoint',
  events: 'event',
  reportRuns: 'reporting.report_run',
};

export interface Delivery {
  eventId: string;
  /** Absent if the webhook goes to the address that the simulator was started with. */
  endpointId?: string;
  attempts: number;
  /** Real time, ms since 1970. */
  dueAtMs: number;
}

export const LOSSES = ['lost-before', 'lost-after'] as const;
export type Loss = (typeof LOSSES)[number];
export const TRANSFER_FAILURES = [...LOSSES, 'insufficient'] as const;

export interface AccountLink {
  accountId: string;
  refreshUrl: string;
  returnUrl: string;
  /** Simulated time, seconds since 1970. */
  expiresAt: number;
  used: boolean;
}

export interface State {
  /** How far the clock was advanced. */
  clockOffsetSeconds: number;
  objects: Objects;
  /** By id: the remains of deleted customers. */
  deletedCustomers: Record<string, Stripe.DeletedCustomer>;
  /** What was ordered, by id of the checkout session. The new subscription takes these fields over. */
  checkoutOrders: Record<
    string,
    {
      priceId: string;
      quantity: number;
      subscriptionMetadata: Record<string, string>;
      /** Present for a single payment: the metadata of the invoice that follows it. */
      invoiceMetadata?: Record<string, string>;
      taxed?: boolean;
      /** Whether the payer's address is saved with the customer. */
      keepsAddress?: boolean;
    }
  >;
  /** The promotion codes that discount subscriptions, by id of the subscription. */
  subscriptionCodes: Record<string, string>;
  /** Behaviour of the card behind a payment method. */
  cards: Record<string, 'works' | 'declines-later' | 'asks' | 'asks-then-declines'>;
  /** The next charges to decline, of any card or of one customer. */
  failNext: { times: number; customer?: string };
  /**
   * How the next transfers fail: the connection breaks before or after the transfer is made, or the balance is too
   * low.
   */
  failTransfers: { times: number; how: (typeof TRANSFER_FAILURES)[number] };
  /** The connection breaks before or after the next refunds are made. */
  failRefunds: { times: number; how: Loss };
  /** The connection breaks before or after the next changes of subscriptions. */
  failChanges: { times: number; how: Loss };
  /** The next calls whose path begins with `path` are refused before they have an effect. */
  refuse: { times: number; status: number; code: string; path: string };
  /** The next invoices get no tax although they should have some, for this reason. */
  untaxed: { times: number; reason: NonNullable<Stripe.Invoice.AutomaticTax['disabled_reason']> };
  taxSettings: Stripe.Tax.Settings;
  /** Whether renewals are drafts for an hour, as at Stripe. */
  draftsRenewals: boolean;
  reserves: { id: string; amount: number; releasedAt: number }[];
  /** The next refunds stay pending, for this reason. With `moved`, the money has already left the balance. */
  pendRefunds: { times: number; reason: Stripe.Refund.PendingReason | 'requires_action'; moved: boolean };
  /** By endpoint id: the signing secret, and whether it receives events of creators' accounts instead of ours. */
  endpoints: Record<string, { secret: string; connect: boolean }>;
  platform: { country: string; charges_enabled: boolean; payouts_enabled: boolean };
  balanceSettings: Stripe.BalanceSettings;
  /** When automatic payouts last ran or were switched on; simulated time, seconds since 1970. */
  paidOutAt: number;
  /** Onboarding pages by the last part of their address. */
  accountLinks: Record<string, AccountLink>;
  idempotency: Record<string, { fingerprint: string; status: number; body: string; atMs: number }>;
  deliveries: Delivery[];
}

const emptyState = (): State => ({
  clockOffsetSeconds: 0,
  objects: Object.fromEntries(Object.keys(NAMES).map((kind) => [kind, {}])) as Objects,
  deletedCustomers: {},
  checkoutOrders: {},
  subscriptionCodes: {},
  cards: {},
  failNext: { times: 0 },
  failTransfers: { times: 0, how: 'lost-before' },
  failRefunds: { times: 0, how: 'lost-before' },
  refuse: { times: 0, status: 429, code: 'rate_limit', path: '/v1/' },
  pendRefunds: { times: 0, reason: 'insufficient_funds', moved: false },
  failChanges: { times: 0, how: 'lost-before' },
  untaxed: { times: 0, reason: 'finalization_system_error' },
  draftsRenewals: false,
  reserves: [],
  taxSettings: {
    object: 'tax.settings',
    defaults: { provider: 'stripe', tax_behavior: null, tax_code: null },
    head_office: {
      address: { city: null, country: 'US', line1: null, line2: null, postal_code: null, state: 'CA' },
    },
    livemode: false,
    status: 'active',
    status_details: { active: {} },
  },
  endpoints: {},
  platform: { country: 'US', charges_enabled: true, payouts_enabled: true },
  balanceSettings: {
    object: 'balance_settings',
    payments: {
      debit_negative_balances: null,
      payouts: {
        automatic_transfer_rules_by_currency: null,
        minimum_balance_by_currency: null,
        schedule: { interval: 'manual' },
        statement_descriptor: null,
        status: 'enabled',
      },
      settlement_timing: { delay_days: 2, start_of_day: null },
    },
  },
  paidOutAt: 0,
  accountLinks: {},
  idempotency: {},
  deliveries: [],
});

/** Returns the state file of a simulator that the product starts itself. */
export const simulatorState = (dataDir: string): string => join(dataDir, 'stripe-simulator.json');

/** Reads the state file. Kinds of objects that the file does not know are empty. */
export function loadState(file: string | undefined): State {
  const fresh = emptyState();
  if (!file) return fresh;
  mkdirSync(dirname(file), { recursive: true });
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return fresh;
    throw error;
  }
  const stored = JSON.parse(text) as State;
  return { ...fresh, ...stored, objects: { ...fresh.objects, ...stored.objects } };
}

/**
 * Replaces the state file atomically: a killed process leaves the old or the new file. A power failure may lose the
 * newest state, which is harmless because the money is not real.
 * @param state as JSON
 */
export function saveState(file: string | undefined, state: string): void {
  if (!file) return;
  const temporary = `${file}.${process.pid}.new`;
  writeFileSync(temporary, state, { mode: 0o600 });
  renameSync(temporary, file);
}
