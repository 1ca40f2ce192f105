import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import { readConfig } from '../bootstrap/config.js';
import { BACKFILLED } from '../application/ledger/backfill.js';
import { day, parser, port, url } from './arguments.js';
import { onProduct } from './on-product.js';

const SIMULATOR_PORT = 4242;

export function addStripe(program: Command): void {
  const stripe = program
    .command('stripe')
    .description('Sets up and checks the account at Stripe, or simulates payments without one.');
  stripe
    .command('setup')
    .description(
      'Creates what Offcut needs in the account: products and prices, the endpoints for PUBLIC_URL, the page for cards and invoices. Prints the secrets of new endpoints. A second run changes nothing.',
    )
    .option('--dry-run', 'prints the changes without making them', false)
    .option('--rotate-secrets', 'creates new endpoints beside the existing ones', false)
    .option('--remove-replaced', 'deletes endpoints that newer ones have replaced', false)
    .action(async (options) => {
      const { STRIPE_SECRET_KEY, STRIPE_WEBHOOK_SECRET } = process.env;
      // The setup prints the webhook secret, so it must run before the secret is configured.
      const secret = STRIPE_SECRET_KEY && !STRIPE_WEBHOOK_SECRET ? { STRIPE_WEBHOOK_SECRET: 'none yet' } : {};
      const { setUpStripe } = await import('./stripe-setup.command.js');
      process.exitCode = await setUpStripe(readConfig({ ...process.env, ...secret }), options, console.log);
    });
  stripe
    .command('check')
    .description(
      'Checks the account at Stripe and prints a line per check. Exits with 1 if a check fails. Production runs these checks when it starts.',
    )
    .option('--json', 'the checks as JSON', false)
    .action((options) => onProduct(import('./stripe-check.command.js'), 'checkStripeAccount', options));
  stripe
    .command('backfill')
    .description(
      "Records events since a day that are missing here, as Stripe's webhooks would. Run it again after an interruption to continue.",
    )
    .requiredOption('--since <day>', 'the first day (UTC), such as 2025-01-01', day)
    .option('--only <kinds>', `some of ${BACKFILLED.join(', ')}, with commas between`, kinds)
    .action((options) => onProduct(import('./stripe-backfill.command.js'), 'backfillStripe', options));
  stripe
    .command('tax-plans')
    .description(
      'Lists plans from before STRIPE_TAX=on, which have no tax, and what their payers\u2019 addresses lack. With --apply it taxes those that have a usable address, from their next invoice on. Run again, it continues with the rest.',
    )
    .option('--apply', 'taxes the plans instead of only listing them', false)
    .action((options) => onProduct(import('./stripe-tax-plans.command.js'), 'taxPlansAtStripe', options));
  stripe
    .command('simulator')
    .description(
      'Runs the payment simulator by itself, for an API and workers in other processes, and prints the settings that they need.',
    )
    .option('--port <number>', 'the port to listen on', port, SIMULATOR_PORT)
    .option('--data-dir <folder>', 'the folder for its state; stripe-simulator in DATA_DIR by default')
    .option('--webhook-url <address>', 'the address for its webhooks; Offcut on PORT by default', url)
    .action(async (options) => {
      const { DATA_DIR, PORT } = process.env;
      const { runSimulator } = await import('./stripe-simulator.command.js');
      await runSimulator({
        port: options.port,
        dataDir: resolve(options.dataDir ?? join(DATA_DIR || '.data', 'stripe-simulator')),
        webhookUrl: options.webhookUrl ?? `http://127.0.0.1:${PORT || 3000}/api/stripe/webhook`,
      });
    });
}

const kinds = parser(
  (given) => {
    const named = given.split(',').map((kind) => BACKFILLED.find((each) => each === kind.trim()));
    return named.every((kind) => kind !== undefined) ? named : undefined;
  },
  `The kinds are ${BACKFILLED.join(', ')}.`,
);
