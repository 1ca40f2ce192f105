import * as z from 'zod';
import { STRIPE_LIMITS } from '../../adapters/vendors/stripe/stripe-client.js';
import { GIFT_VALID_DAYS } from '../../domain/credits/gift.js';
import { flag, givenTogether, int, url, type Values } from './fields.js';

const stripeTimeout = (ms: number) => int(2_000, 60_000).default(ms);

export const PAYMENTS = {
  STRIPE_SECRET_KEY: z.string().optional().meta({
    description: 'The secret key of your Stripe account. See [Stripe](stripe.md).',
    computedDefault: 'the simulator',
  }),
  STRIPE_WEBHOOK_SECRET: z
    .string()
    .optional()
    .describe(
      'The secrets of the webhook endpoints at `/api/stripe/webhook`, separated by commas. `offcut stripe setup` prints them.',
    ),
  STRIPE_API_BASE: url
    .optional()
    .describe('Another server that implements the API of Stripe, such as `offcut stripe simulator`.'),
  STRIPE_TIMEOUT_MS: stripeTimeout(STRIPE_LIMITS.timeoutMs).describe(
    'How long a call of Stripe may take in milliseconds, retries included. Then the answer is 503.',
  ),
  STRIPE_PAYMENT_TIMEOUT_MS: stripeTimeout(STRIPE_LIMITS.paymentTimeoutMs).describe(
    'How long Offcut waits for a charge, transfer or refund, in milliseconds. A later outcome is read from Stripe.',
  ),
  STRIPE_RETRIES: int(0, 2)
    .default(STRIPE_LIMITS.retries)
    .describe('How often a call of Stripe is retried within its time.'),
  STRIPE_TAX: flag
    .default(false)
    .describe('Adds tax to the prices of plans. Stripe Tax calculates it from the address of the payer.'),
  STRIPE_TAX_CODE: z
    .string()
    .regex(/^txcd_\d+$/)
    .default('txcd_10401100')
    .describe('The tax code of what is sold.'),
  GIFT_VALID_DAYS: int(30, 3_650)
    .default(GIFT_VALID_DAYS)
    .describe(
      'How many days the code of a gift is valid. Then the payer gets its credits. Gifts keep the term of their purchase.',
    ),
  TAX_SELLER: z
    .string()
    .max(300)
    .default('')
    .describe('The name, address and tax number of the seller for receipts with tax.'),
};

export const stripeTerms = ({
  stripeLimits,
  tax,
}: Pick<ReturnType<typeof paymentsConfig>, 'stripeLimits' | 'tax'>) => ({
  ...stripeLimits,
  ...(tax && { tax: { code: tax.code } }),
});

export function paymentsConfig(value: Values<typeof PAYMENTS>) {
  const { STRIPE_SECRET_KEY, STRIPE_WEBHOOK_SECRET } = value;
  return {
    /** Undefined: the simulator replaces Stripe. */
    stripe: givenTogether({ STRIPE_SECRET_KEY, STRIPE_WEBHOOK_SECRET })
      ? {
          secretKey: STRIPE_SECRET_KEY as string,
          webhookSecret: STRIPE_WEBHOOK_SECRET as string,
          apiBase: value.STRIPE_API_BASE,
        }
      : undefined,
    stripeLimits: {
      timeoutMs: value.STRIPE_TIMEOUT_MS,
      paymentTimeoutMs: value.STRIPE_PAYMENT_TIMEOUT_MS,
      retries: value.STRIPE_RETRIES,
    },
    giftValidDays: value.GIFT_VALID_DAYS,
    // Stripe calculates tax on top of the prices. Receipts show `seller`.
    ...(value.STRIPE_TAX && { tax: { code: value.STRIPE_TAX_CODE, seller: value.TAX_SELLER } }),
  };
}
