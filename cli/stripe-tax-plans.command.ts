import { PaymentGatewayUnavailable } from '../application/payments/payment-gateway.js';
import { taxPlans, TaxTerms, type MissingForTax, type PlanTaxed } from '../application/subscriptions/tax.js';
import { planOf } from '../domain/subscriptions/plans.js';
import { whatStripeSays } from '../adapters/vendors/stripe/stripe-errors.js';
import type { Print, Tools } from './tools.js';

const MISSING: Record<MissingForTax, string> = {
  address: 'the payer has no address',
  'postal code': 'the address has no postal code',
  province: 'the address has neither a province nor a postal code',
  'known address': 'Stripe does not recognise the address',
  answer: 'Stripe could not check the address; run the command again later',
};

/**
 * Prints a line for each subscription at Stripe for which Stripe computes no tax. With `apply`, turns tax on for
 * each subscription that allows it. @returns the exit code
 */
export async function taxPlansAtStripe(
  { app, planTaxes }: Pick<Tools, 'app' | 'planTaxes'>,
  { apply }: { apply: boolean },
  print: Print,
): Promise<number> {
  if (!app.get(TaxTerms).on) {
    print(
      'STRIPE_TAX is not on, so no plan gets tax. Set STRIPE_TAX=on and run `offcut stripe setup` first.',
    );
    return 1;
  }
  const counts: Record<PlanTaxed['outcome'], number> = {
    'to be taxed': 0,
    taxed: 0,
    ended: 0,
    missing: 0,
    refused: 0,
  };
  let away: string | undefined;
  try {
    await taxPlans(planTaxes, apply, ({ subscriptionId, plan, userId }, result) => {
      counts[result.outcome] += 1;
      const of = `${subscriptionId}  ${planOf(plan).name} of ${userId ?? 'an unknown user'}`;
      print(`${result.outcome.padEnd(11)}  ${of}${becauseOf(result)}`);
    });
  } catch (error) {
    if (!(error instanceof PaymentGatewayUnavailable)) throw error;
    away = `${whatStripeSays(error.cause)}. Run the command again to go on: plans that are taxed stay so.`;
  }
  const { taxed, missing, refused } = counts;
  const waiting = counts['to be taxed'];
  if (apply) print(`${taxed} ${plans(taxed)} taxed from the next invoice on`);
  else
    print(
      `${waiting} ${plans(waiting)} to be taxed; nothing was changed, run it with --apply to change them`,
    );
  if (missing > 0) print(`${missing} ${plans(missing)} without tax: the payer has to complete the address`);
  if (away !== undefined) print(away);
  return away === undefined && refused === 0 ? 0 : 1;
}

const plans = (count: number): string => (count === 1 ? 'plan' : 'plans');

function becauseOf(result: PlanTaxed): string {
  if (result.outcome === 'missing') return `: ${MISSING[result.missing]}`;
  return result.outcome === 'refused' ? `: Stripe says: ${result.why}` : '';
}
