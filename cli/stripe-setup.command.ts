import type { Config } from '../bootstrap/config.js';
import { stripeTerms } from '../bootstrap/settings/payments.js';
import { stripeClient } from '../adapters/vendors/stripe/stripe-client.js';
import { otherEndpoints, stepsOfSetup, type SetupStep } from '../adapters/vendors/stripe/stripe-setup.js';
import { whatStripeSays } from '../adapters/vendors/stripe/stripe-errors.js';
import type { Print } from './tools.js';

/**
 * Creates the Stripe objects that Offcut needs. Without `rotateSecrets` and `removeReplaced`, a second run changes
 * nothing.
 * @param options.removeReplaced deletes webhook endpoints of earlier setups that a newer endpoint replaces
 */
export async function setUpStripe(
  config: Pick<Config, 'stripe' | 'stripeLimits' | 'publicUrl' | 'tax'>,
  { dryRun, rotateSecrets, removeReplaced }: Record<'dryRun' | 'rotateSecrets' | 'removeReplaced', boolean>,
  print: Print,
): Promise<number> {
  const { stripe: given, publicUrl } = config;
  if (!given) {
    print('STRIPE_SECRET_KEY is not set: payments are simulated, and there is no account to set up.');
    return 1;
  }
  if (given.apiBase) print(`This sets up ${given.apiBase}, not Stripe itself.`);
  const stripe = stripeClient({ ...given, ...stripeTerms(config) });
  const secrets: string[] = [];
  const carryOut = async ({ name, fault, correct }: SetupStep): Promise<boolean> => {
    if (fault === undefined) print(`unchanged   ${name}`);
    else if (dryRun) print(`would do    ${name}: ${fault}`);
    else {
      try {
        const secret = await correct();
        if (secret) secrets.push(secret);
        print(`done        ${name}: ${fault}`);
      } catch (error) {
        print(`FAILED      ${name}: ${whatStripeSays(error)}`);
        return false;
      }
    }
    return true;
  };
  let well = true;
  try {
    for (const step of await stepsOfSetup(stripe, { publicUrl, newSecrets: rotateSecrets, tax: config.tax }))
      well = (await carryOut(step)) && well;
    const { replaced, foreign } = await otherEndpoints(stripe, publicUrl);
    for (const id of foreign)
      print(`ignored     endpoint ${id}: it has this address, but setup did not create it`);
    for (const id of replaced) {
      if (!removeReplaced)
        print(`unchanged   endpoint ${id}, replaced by a newer one: --remove-replaced deletes it`);
      else
        well =
          (await carryOut({
            name: `endpoint ${id}`,
            fault: 'a newer one has replaced it',
            correct: () => stripe.webhookEndpoints.del(id).then(() => undefined),
          })) && well;
    }
  } catch (error) {
    print(`FAILED      ${whatStripeSays(error)}`);
    well = false;
  }
  if (secrets.length > 0) printSecrets(secrets, given.apiBase, print);
  return well ? 0 : 1;
}

function printSecrets(secrets: string[], apiBase: string | undefined, print: Print): void {
  print('');
  print(
    apiBase
      ? `Secrets of the simulator at ${apiBase}; Stripe does not know them:`
      : 'Stripe shows these secrets only once. Keep the old ones until every node has the new ones:',
  );
  print(`STRIPE_WEBHOOK_SECRET=${secrets.join(',')}`);
}
