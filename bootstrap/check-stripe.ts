import { Logger, type INestApplicationContext } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { DecideAlert } from '../application/alerts/decide-alert.js';
import { MonthlyBookQueries } from '../adapters/ledger/monthly-books.js';
import { forEachCollectingErrors } from '../application/shared/for-each-collecting-errors.js';
import { checkStripe, type Finding } from '../adapters/vendors/stripe/stripe-check.js';
import { ConfigError } from './config.js';
import { stripeTerms } from './settings/payments.js';
import type { Resources } from './resources.js';

type Opened = Pick<Resources, 'config' | 'clock' | 'wallClock'>;

const KIND = 'payment-settings';
const ACTOR = 'system:stripe-check';

/** Checks our account at Stripe. Returns undefined if Stripe does not answer, or payments are simulated. */
export async function examineStripe(
  { config, clock, wallClock }: Opened,
  books: MonthlyBookQueries,
): Promise<Finding[] | undefined> {
  const { stripe, publicUrl, production } = config;
  if (!stripe) return undefined;
  return checkStripe(
    { ...stripe, ...stripeTerms(config) },
    {
      publicUrl,
      production,
      now: () => clock.now(),
      wallNow: () => wallClock.now(),
      owedUsdCents: async () => {
        const { items } = await books.balances(clock.now());
        return Math.ceil((items.at(-1)?.creatorsMicroUsd ?? 0) / 10_000);
      },
    },
  );
}

/**
 * Checks our account at Stripe before a production server starts. Problems that do not prevent the start become alerts
 * for finance until they are solved.
 * @throws ConfigError if Stripe rejects the key, or the key belongs to the other mode (live or test)
 */
export async function refuseWrongStripe(app: INestApplicationContext, resources: Opened): Promise<void> {
  const log = new Logger('Payments');
  const findings = await examineStripe(resources, app.get(MonthlyBookQueries));
  if (!findings) return log.warn('Stripe does not answer, so its account was not checked');
  const stopping = findings.filter(({ stops }) => stops);
  if (stopping.length > 0)
    throw new ConfigError(
      `Configuration: STRIPE_SECRET_KEY cannot be used: ${stopping.map(({ text }) => text).join('; ')}`,
    );
  const commands = app.get(CommandBus);
  await forEachCollectingErrors(findings, async ({ name, well, text }) => {
    const key = `${KIND}-${name.replaceAll(/[^\w]+/g, '-')}`;
    if (!well) log.warn(`${name}: ${text}`);
    const alert = {
      key,
      kind: KIND,
      text: `The account at Stripe is not as it should be. ${name}: ${text}.`,
    };
    await commands.execute(
      new DecideAlert(well ? { type: 'SettleAlert', key } : { type: 'RaiseAlert', alert }, ACTOR),
    );
  }).catch((error: Error) =>
    log.error(`could not raise an alert about the account at Stripe: ${error.message}`),
  );
}
