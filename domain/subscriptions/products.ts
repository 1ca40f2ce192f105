import { PLANS, type Plan, type PlanId } from './plans.js';

export const TOP_UP_IDS = ['top-up-25', 'top-up-50', 'top-up-100'] as const;
export type TopUpId = (typeof TOP_UP_IDS)[number];

/** What a line of an invoice sells: a month of a plan, or a top-up. */
export const PRODUCT_KINDS = ['plan', 'top-up'] as const;
export type ProductId = PlanId | TopUpId;

/** What products have in common. */
type Sold = Pick<Plan, 'name' | 'priceUsdCents' | 'credits' | 'description'>;

/** Credits that are bought once, with or without a plan. */
export interface TopUp extends Sold {
  id: TopUpId;
}

export type Product = (({ kind: 'plan' } & Plan) | ({ kind: 'top-up' } & TopUp)) & {
  /** The largest quantity that one payment can buy. */
  mostAtOnce: number;
};

export const MOST_TOP_UPS = 10;

/** @throws if a credit of a top-up is cheaper than a credit of a plan, because top-ups would then undercut the plan */
export function asDearAsPlans(topUps: readonly TopUp[], plans: readonly Plan[]): readonly TopUp[] {
  for (const topUp of topUps)
    for (const plan of plans)
      if (topUp.priceUsdCents * plan.credits < plan.priceUsdCents * topUp.credits)
        throw new Error(`A credit of ${topUp.id} is cheaper than a credit of ${plan.id}`);
  return topUps;
}

export const TOP_UPS: readonly TopUp[] = asDearAsPlans(
  [
    {
      id: 'top-up-25',
      name: '25 credits',
      priceUsdCents: 599,
      credits: 25,
      description: 'For the last few sounds of a track.',
    },
    {
      id: 'top-up-50',
      name: '50 credits',
      priceUsdCents: 1099,
      credits: 50,
      description: 'For a whole pack.',
    },
    {
      id: 'top-up-100',
      name: '100 credits',
      priceUsdCents: 2099,
      credits: 100,
      description: 'For a record.',
    },
  ],
  PLANS,
);

export const PRODUCTS: readonly Product[] = [
  ...PLANS.map((plan) => ({ kind: 'plan' as const, mostAtOnce: 1, ...plan })),
  ...TOP_UPS.map((topUp) => ({ kind: 'top-up' as const, mostAtOnce: MOST_TOP_UPS, ...topUp })),
];

export const PRODUCT_IDS: readonly ProductId[] = PRODUCTS.map(({ id }) => id);

export function productOf(id: ProductId): Product {
  const product = PRODUCTS.find((candidate) => candidate.id === id);
  if (!product) throw new Error(`Impossible: no product ${id}`);
  return product;
}

/** Returns the name of a sold product for receipts and reports. Undefined for an unknown product. */
export function soldName(id: string | null | undefined, quantity = 1, isGift = false): string | undefined {
  const product = PRODUCTS.find((candidate) => candidate.id === id);
  if (product?.kind !== 'top-up') return product?.name;
  return `${isGift ? 'Gift' : 'Top-up'}, ${quantity > 1 ? `${quantity} × ` : ''}${product.name}`;
}

export const isPlan = (id: ProductId): id is PlanId => productOf(id).kind === 'plan';

/** Rounded down to a micro-dollar. */
export const unitPriceMicroUsd = ({ priceUsdCents, credits }: Sold): number =>
  Math.floor((priceUsdCents * 10_000) / credits);

/** The highest price of a credit on sale. */
export const DEAREST_CREDIT_MICRO_USD = Math.max(...PRODUCTS.map(unitPriceMicroUsd));
