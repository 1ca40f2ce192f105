import Stripe from 'stripe';

export interface StripeOptions {
  secretKey: string;
  /** Several, with commas between: any of them may have signed. */
  webhookSecret: string;
  /** Absent: Stripe itself. */
  apiBase?: string;
  timeoutMs?: number;
  retries?: number;
}

/** The SDK, speaking to Stripe or to whatever speaks its API at `apiBase`. */
export function stripeClient(options: StripeOptions): Stripe {
  const base = options.apiBase ? new URL(options.apiBase) : undefined;
  return new Stripe(options.secretKey, {
    timeout: options.timeoutMs ?? 10_000,
    maxNetworkRetries: options.retries ?? 2,
    telemetry: false,
    ...(base
      ? {
          host: base.hostname,
          port: base.port || (base.protocol === 'https:' ? 443 : 80),
          protocol: base.protocol === 'https:' ? ('https' as const) : ('http' as const),
        }
      : {}),
  });
}
