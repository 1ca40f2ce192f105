import type { PlanId } from '../../domain/subscriptions/plans.js';
import { ChangeRefused } from '../payments/payment-gateway.js';

/** What keeps the provider from finding out the tax of a payer. */
export type MissingForTax = 'address' | 'postal code' | 'province' | 'known address' | 'answer';

/** A running plan whose invoices come without tax. */
export interface UntaxedPlan {
  subscriptionId: string;
  customerId: string;
  userId: string | undefined;
  plan: PlanId;
  /** Undefined where the provider recognises the payer's place. */
  missing: MissingForTax | undefined;
}

/** The tax of plans that were bought before tax was on. */
export interface PlanTaxGateway {
  listUntaxed(): Promise<UntaxedPlan[]>;
  /**
   * Taxes a plan from its next invoice on. Safe to repeat.
   * @throws ChangeRefused where the provider cannot do it
   * @throws PaymentGatewayUnavailable
   */
  addTax(subscriptionId: string): Promise<'taxed' | 'place unknown' | 'ended'>;
}

export type PlanTaxed =
  | { outcome: 'to be taxed' | 'taxed' | 'ended' }
  | { outcome: 'missing'; missing: MissingForTax }
  | { outcome: 'refused'; why: string };

/**
 * Taxes the plans from before tax was on, with `apply`, and reports on each. Safe to repeat after an interruption:
 * taxed plans are not listed.
 * @throws PaymentGatewayUnavailable; the plans that were reported as taxed stay so
 */
export async function taxPlans(
  gateway: PlanTaxGateway,
  apply: boolean,
  report: (plan: UntaxedPlan, result: PlanTaxed) => void,
): Promise<void> {
  for (const plan of await gateway.listUntaxed()) {
    if (plan.missing) report(plan, { outcome: 'missing', missing: plan.missing });
    else report(plan, apply ? await addTax(gateway, plan) : { outcome: 'to be taxed' });
  }
}

async function addTax(gateway: PlanTaxGateway, { subscriptionId }: UntaxedPlan): Promise<PlanTaxed> {
  try {
    const outcome = await gateway.addTax(subscriptionId);
    // The address was removed since the list was read.
    if (outcome === 'place unknown') return { outcome: 'missing', missing: 'known address' };
    return { outcome };
  } catch (error) {
    if (error instanceof ChangeRefused) return { outcome: 'refused', why: error.message };
    throw error;
  }
}
