import * as z from 'zod';
import { STRIPE_LIMITS, type StripeLimits } from '../../adapters/vendors/stripe/stripe-limits.js';
import { flag, givenTogether, url, type Values } from './fields.js';

const stripeTimeout = (ms: number) => z.coerce.number().int().min(2_000).max(60_000).default(ms);

/** Stripe. */
export const PAYMENTS = {
  STRIPE_SECRET_KEY: z.string().optional(),
  STRIPE_WEBHOOK_SECRET: z.string().optional(),
  STRIPE_API_BASE: url.optional(),
  STRIPE_TIMEOUT_MS: stripeTimeout(STRIPE_LIMITS.timeoutMs),
  STRIPE_PAYMENT_TIMEOUT_MS: stripeTimeout(STRIPE_LIMITS.paymentTimeoutMs),
  STRIPE_RETRIES: z.coerce.number().int().min(0).max(2).default(STRIPE_LIMITS.retries),
  STRIPE_TAX: flag.default(false),
  STRIPE_TAX_CODE: z
    .string()
    .regex(/^txcd_\d+$/)
    .default('txcd_10401100'),
  TAX_SELLER: z.string().max(300).default(''),
};

export interface PaymentsConfig {
  /** Absent: the simulator. */
  stripe?: { secretKey: string; webhookSecret: string; apiBase?: string };
  /** How long we wait for Stripe, or the simulator. */
  stripeLimits: StripeLimits;
  /** Present: tax comes on top of the prices, and Stripe finds it out. `seller` stands on receipts. */
  tax?: { code: string; seller: string };
}

/** What every call of Stripe goes by, beside the key. */
export const stripeTerms = ({ stripeLimits, tax }: Pick<PaymentsConfig, 'stripeLimits' | 'tax'>) => ({
  ...stripeLimits,
  ...(tax && { tax: { code: tax.code } }),
});

/** @throws ConfigError */
export function paymentsConfig(value: Values<typeof PAYMENTS>): PaymentsConfig {
  const { STRIPE_SECRET_KEY, STRIPE_WEBHOOK_SECRET } = value;
  const stripe = {
    secretKey: STRIPE_SECRET_KEY as string,
    webhookSecret: STRIPE_WEBHOOK_SECRET as string,
    apiBase: value.STRIPE_API_BASE,
  };
  return {
    ...(givenTogether({ STRIPE_SECRET_KEY, STRIPE_WEBHOOK_SECRET }) && { stripe }),
    stripeLimits: {
      timeoutMs: value.STRIPE_TIMEOUT_MS,
      paymentTimeoutMs: value.STRIPE_PAYMENT_TIMEOUT_MS,
      retries: value.STRIPE_RETRIES,
    },
    ...(value.STRIPE_TAX && { tax: { code: value.STRIPE_TAX_CODE, seller: value.TAX_SELLER } }),
  };
}
