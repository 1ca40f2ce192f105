/** The plans, cheapest first. A later plan is an upgrade. */
export const PLAN_IDS = ['starter', 'premium', 'studio'] as const;
export type PlanId = (typeof PLAN_IDS)[number];

export interface Plan {
  id: PlanId;
  name: string;
  /** The price of a month. */
  priceUsdCents: number;
  /** The credits that each paid month grants. */
  credits: number;
  description: string;
  features: string[];
  popular: boolean;
}

/** The prices of plans. `products.ts` has those of everything on sale. */
export const PLANS: readonly Plan[] = (
  [
    {
      id: 'starter',
      name: 'Starter',
      priceUsdCents: 999,
      credits: 50,
      description: 'For the odd missing piece.',
      features: [],
      popular: false,
    },
    {
      id: 'premium',
      name: 'Premium',
      priceUsdCents: 1599,
      credits: 100,
      description: 'For a track a week.',
      features: ['Priority support'],
      popular: true,
    },
    {
      id: 'studio',
      name: 'Studio',
      priceUsdCents: 1999,
      credits: 150,
      description: 'For those who never stop.',
      features: ['Stems when available'],
      popular: false,
    },
  ] satisfies readonly Plan[]
).map((plan) => ({
  ...plan,
  features: [
    `${plan.credits} credits a month`,
    'Credits roll over and never expire',
    'Royalty-free licence',
    ...plan.features,
  ],
}));

export function planOf(id: PlanId): Plan {
  const plan = PLANS.find((candidate) => candidate.id === id);
  if (!plan) throw new Error(`Impossible: no plan ${id}`);
  return plan;
}

/** Returns a positive number if `to` is above `from`. */
export const planDistance = (from: PlanId, to: PlanId): number =>
  PLAN_IDS.indexOf(to) - PLAN_IDS.indexOf(from);
