/** An error with the shape, types and codes of Stripe's API. */
export class StripeFault extends Error {
  constructor(
    readonly status: number,
    readonly error: {
      type: 'invalid_request_error' | 'card_error' | 'idempotency_error' | 'api_error';
      message: string;
      code?: string;
      param?: string;
      decline_code?: string;
      payment_intent?: unknown;
    },
    /** Whether effects before the failure are kept, such as the record of a declined charge. */
    readonly keepsEffects = false,
    /** Whether a repeated call with the same key is refused again, even if the reason is gone. */
    readonly keptUnderKey = false,
  ) {
    super(error.message);
    this.name = 'StripeFault';
  }
}

export const invalid = (message: string, param?: string, code?: string): StripeFault =>
  new StripeFault(400, { type: 'invalid_request_error', message, param, code });

export const missing = (param: string): StripeFault =>
  invalid(`Missing required param: ${param}.`, param, 'parameter_missing');

/** A refusal that repeats for every call with the same key. */
export const refusedForKey = (code: string, message: string): StripeFault =>
  new StripeFault(400, { type: 'invalid_request_error', code, message }, false, true);

export const noSuch = (kind: string, id: string, param = 'id'): StripeFault =>
  new StripeFault(404, {
    type: 'invalid_request_error',
    code: 'resource_missing',
    message: `No such ${kind}: '${id}'`,
    param,
  });

export const declined = (paymentIntent: unknown, keepsEffects: boolean): StripeFault =>
  new StripeFault(
    402,
    {
      type: 'card_error',
      code: 'card_declined',
      decline_code: 'generic_decline',
      message: 'Your card was declined.',
      payment_intent: paymentIntent,
    },
    keepsEffects,
  );
