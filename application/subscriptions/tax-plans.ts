import type { PlanId } from '../../domain/subscriptions/plans.js';
import { ChangeRefused } from '../payments/payment-gateway.js';

/** What the provider lacks to compute a payer's tax. `answer`: its lookup of the address failed, so retry later. */
export type MissingForTax = 'address' | 'postal code' | 'province' | 'known address' | 'answer';

/** A running plan whose invoices have no tax. */
export interface UntaxedPlan {
  subscriptionId: string;
  customerId: string;
  userId: string | undefined;
  plan: PlanId;
  /** Undefined if the provider recognises the payer's address. */
  missing: MissingForTax | undefined;
}

/** Adds tax to plans that were bought before tax was enabled. */
export interface PlanTaxGateway {
  listUntaxed(): Promise<UntaxedPlan[]>;
  /**
   * Adds tax to a plan from its next invoice on. Idempotent.
   * @throws ChangeRefused if the provider cannot do it
   * @throws PaymentGatewayUnavailable
   */
  addTax(subscriptionId: string): Promise<'taxed' | 'place unknown' | 'ended'>;
}

export type PlanTaxed =
  | { outcome: 'to be taxed' | 'taxed' | 'ended' }
  | { outcome: 'missing'; missing: MissingForTax }
  | { outcome: 'refused'; why: string };

/**
 * Reports on each untaxed plan, and with `apply` adds tax to it. Safe to repeat after an interruption, because taxed
 * plans are not listed.
 * @throws PaymentGatewayUnavailable; plans that were reported as taxed stay taxed
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
    // The address was removed after the list was read.
    if (outcome === 'place unknown') return { outcome: 'missing', missing: 'known address' };
    return { outcome };
  } catch (error) {
    if (error instanceof ChangeRefused) return { outcome: 'refused', why: error.message };
    throw error;
  }
}
