import * as z from 'zod';
import { endpoint, rawBody } from '../shared/endpoint.js';

/** The limit is much larger than any event of the provider. */
const EVENT_LIMIT_BYTES = 1024 * 1024;

export const receiveEvent = endpoint('POST /api/stripe/webhook', {
  tag: 'Payments',
  access: 'signature',
  summary:
    'Receives a signed event of the payment provider. The provider repeats events that are not answered with 2xx',
  body: rawBody<Uint8Array | undefined>('signed', EVENT_LIMIT_BYTES),
  answers: { 200: z.object({ received: z.literal(true), outcome: z.string() }) },
  problems: ['WebhookRefused', 'PaymentsUnavailable'],
});
