import { Logger } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { PaymentSweep } from '../../application/subscriptions/payment-sweep.js';

const EVERY_MS = 5 * 60_000;

/** Looks after what never came by itself, such as webhooks that were lost. @returns stops it */
export function scheduleSweeps(app: NestExpressApplication): () => void {
  const log = new Logger('Sweeps');
  const payments = app.get(PaymentSweep, { strict: false });
  const sweep = (): void => {
    payments
      .run()
      .catch((error: Error) => log.warn(`payments were not swept, again in five minutes: ${error.message}`));
  };
  const timer = setInterval(sweep, EVERY_MS);
  sweep();
  return () => clearInterval(timer);
}
