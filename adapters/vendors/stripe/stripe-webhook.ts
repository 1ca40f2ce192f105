import Stripe from 'stripe';
import { WebhookRefused, type PaymentEvent } from '../../../application/payments/payment-gateway.js';

const TOLERANCE_SECONDS = 300;

/**
 * Verifies the signature, the mode and the time, which may differ from now by 300 s. The SDK would accept future
 * times. @throws WebhookRefused
 */
export function verifyStripeWebhook(
  stripe: Stripe,
  options: { rawBody: Buffer; signature: string; secret: string; livemode: boolean; now: Date },
): PaymentEvent {
  const nowSeconds = Math.floor(options.now.getTime() / 1000);
  const stamps = [...options.signature.matchAll(/(?:^|,)\s*t=(\d{1,12})(?=,|$)/g)].map(([, stamp]) =>
    Number(stamp),
  );
  if (stamps.length !== 1) throw new WebhookRefused('no timestamp');
  if (Math.abs(nowSeconds - (stamps[0] as number)) > TOLERANCE_SECONDS) throw new WebhookRefused('not fresh');
  const event = signedEvent(stripe, options);
  // A body with a valid signature may still be JSON that is no object.
  if (typeof event !== 'object' || event === null) throw new WebhookRefused('unreadable');
  if (event.livemode !== options.livemode) throw new WebhookRefused('mode');
  return asPaymentEvent(event);
}

/** Reads an event that one of our secrets signed. Each endpoint has its own secret, also the one for Connect. */
function signedEvent(
  stripe: Stripe,
  options: { rawBody: Buffer; signature: string; secret: string; now: Date },
): Stripe.Event {
  const secrets = options.secret.split(',').map((secret) => secret.trim());
  // Skips the empty secret that a stray comma leaves, because anyone could sign with it.
  for (const secret of secrets.filter(Boolean)) {
    try {
      return stripe.webhooks.constructEvent(
        options.rawBody,
        options.signature,
        secret,
        TOLERANCE_SECONDS,
        undefined,
        options.now.getTime(),
      );
    } catch (error) {
      if (!(error instanceof Stripe.errors.StripeSignatureVerificationError))
        throw new WebhookRefused('unreadable');
    }
  }
  throw new WebhookRefused('signature');
}

function asPaymentEvent(event: Stripe.Event): PaymentEvent {
  const object: Record<string, unknown> = { ...event.data?.object };
  const { id, type, account } = event;
  const createdAt = new Date(event.created * 1000);
  if (
    typeof id !== 'string' ||
    typeof type !== 'string' ||
    typeof object['id'] !== 'string' ||
    Number.isNaN(createdAt.getTime()) ||
    (account && typeof account !== 'string')
  )
    throw new WebhookRefused('unreadable');
  // An event in a creator's account is only about that account. Its invoices are not ours.
  if (account) return { id, type, createdAt, objectId: object['id'], accountId: account };
  return {
    id,
    type,
    createdAt,
    objectId: object['id'],
    subscriptionId: subscriptionIn(object),
    invoiceId: object['object'] === 'invoice' ? object['id'] : textIn(object['invoice']),
  };
}

const textIn = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

function subscriptionIn(object: Record<string, unknown>): string | undefined {
  if (object['object'] === 'subscription') return textIn(object['id']);
  const parent = object['parent'] as { subscription_details?: { subscription?: unknown } } | null | undefined;
  return (
    textIn(parent?.subscription_details?.subscription) ??
    textIn(object['subscription']) ??
    textIn(object['released_subscription'])
  );
}
