import { MonthlyBookQueries } from '../adapters/ledger/monthly-books.js';
import { examineStripe } from '../bootstrap/check-stripe.js';
import type { Print, Tools } from './tools.js';

export async function checkStripeAccount(
  { app, ...resources }: Tools,
  { json }: { json: boolean },
  print: Print,
): Promise<boolean> {
  if (!resources.config.stripe) {
    print('STRIPE_SECRET_KEY is not set: payments are simulated, and there is no account to check.');
    return false;
  }
  const findings = await examineStripe(resources, app.get(MonthlyBookQueries));
  if (json) print(JSON.stringify({ answers: findings !== undefined, items: findings ?? [] }, null, 2));
  else if (!findings) print('FAILED  Stripe does not answer');
  else for (const { name, well, text } of findings) print(`${well ? 'ok    ' : 'FAILED'}  ${name}: ${text}`);
  return findings?.every(({ well }) => well) ?? false;
}
