import { GiveConsent } from '../../application/subscriptions/contracts.js';
import { CURRENT_CONSENT } from '../../application/subscriptions/values.js';
import { BuySamples } from '../../application/purchases/buy-samples.js';
import { GrantPromotion } from '../../application/credits/grant-promotion.js';
import { createHash } from 'node:crypto';
import { randomFrom, type Random } from '../../domain/shared/seeded-random.js';
import { PLAN_IDS, type PlanId } from '../../application/subscriptions/contract.js';
import { DEMO_CREATOR, type DemoListener, type DemoPeople } from './people.js';
import type { DemoProduct } from './demo.js';
import type { Listed } from './catalogue.js';

/**
 * Credits of each listener if no payment simulator runs. The credits suffice for all purchases. Creators earn
 * nothing from these purchases, because promotional credits have no value.
 */
const ALLOWANCE_CREDITS = 60;
const PURCHASES = 72;
const HEARTS = 60;
/**
 * The random purchases span this many days. They become more frequent towards today, so that the charts of the last
 * seven days can rank samples.
 */
const SPAN_DAYS = 28;

/** Each listener who regularly buys from the demo creator makes this many purchases, within this many days. */
const VISITS = 6;
const REGULARS_SPAN_DAYS = 43;
/** How many days ago the demo creator's payouts were enabled. */
const CONNECTED_DAYS = 20;

const POPULARITY: Record<string, number> = {
  'Basement chord stab': 40,
  'Landing to roof, full': 34,
  'Nylon run, half time': 30,
  'Sub slide, long': 26,
  'Clarinet, one breath': 22,
  'Vinyl intro and needle': 20,
  'Peach pad, detuned': 16,
  'Horn line, second try': 14,
  'Harbour crane drone': 12,
  'Low lights hook, dry': 12,
  'Third floor bell': 10,
  'Rented piano, left hand': 9,
  'Brush break, close mic': 9,
  'Hats, nervous': 8,
};

export interface Moment {
  daysAgo: number;
  happen: () => Promise<void>;
}

/** Excludes the first listener, the account that users sign in with. Its history is in `listener.ts`. */
const anyOf = (listeners: DemoListener[], random: Random): DemoListener =>
  listeners[1 + Math.floor(random() * (listeners.length - 1))] as DemoListener;

/**
 * Returns purchases by random listeners. Each has a fixed idempotency key, so that a second seeding buys nothing.
 * @param listed returns what is for sale at that moment
 */
export function downloads(demo: DemoProduct, listeners: DemoListener[], listed: () => Listed[]): Moment[] {
  const random = randomFrom('demo downloads');
  return Array.from({ length: PURCHASES }, (_, i) => {
    const daysAgo = 0.05 + SPAN_DAYS * random() ** 2.2;
    const pick = random();
    const buyer = anyOf(listeners, random);
    return {
      daysAgo,
      happen: async () => {
        const sample = weighted(listed(), pick);
        if (sample) await buy(demo, buyer, [sample], `demo purchase ${i}`);
      },
    };
  });
}

/**
 * Returns the purchases of listeners who regularly buy from the demo creator. Each listener buys nearly all of the
 * creator's samples, a few at a time, so that
 * there are many weeks of sales and money to withdraw.
 * @param listed returns what the demo creator sells at that moment
 */
export function regulars(demo: DemoProduct, listeners: DemoListener[], listed: () => Listed[]): Moment[] {
  const random = randomFrom('demo regulars');
  return listeners.slice(1).flatMap((buyer, who) =>
    Array.from({ length: VISITS }, (_, visit): Moment => {
      const daysAgo = 0.2 + REGULARS_SPAN_DAYS * random();
      return {
        daysAgo,
        happen: async () => {
          const basket = listed().filter((_, at) => at % VISITS === visit);
          if (basket.length > 0) await buy(demo, buyer, basket, `demo regular ${who} ${visit}`);
        },
      };
    }),
  );
}

export async function buy(
  demo: DemoProduct,
  buyer: DemoListener,
  samples: Listed[],
  key: string,
): Promise<void> {
  const sampleIds = samples.map(({ sampleId }) => sampleId);
  const expectedCredits = samples.reduce((sum, { priceCredits }) => sum + priceCredits, 0);
  const order = new BuySamples({
    buyerId: buyer.userId,
    sampleIds,
    expectedCredits,
    idempotencyKey: keyOf(key),
    asked: ['POST /api/downloads', sampleIds, expectedCredits],
  });
  const outcome = await demo.commands.execute(order);
  if (outcome.accepted || outcome.rejection.code !== 'DeliveryConsentNeeded') return;
  await demo.commands.execute(new GiveConsent(buyer.userId, 'download', CURRENT_CONSENT));
  await demo.commands.execute(order);
}

export function hearts(demo: DemoProduct, listeners: DemoListener[], listed: () => Listed[]): Moment[] {
  const random = randomFrom('demo hearts');
  return Array.from({ length: HEARTS }, () => {
    const daysAgo = 0.05 + 6.5 * random();
    const pick = (random() * 1.7) % 1;
    const { userId } = anyOf(listeners, random);
    return {
      daysAgo,
      happen: async () => {
        const sample = weighted(listed(), pick);
        if (!sample) return;
        const { sampleId: id, name: title } = sample;
        await demo.library.save(userId, id, { id, type: 'sample', title }, demo.clock.now());
      },
    };
  });
}

/**
 * Returns the purchases of plans, which give credits to spend. Every listener pays on the simulator's page, or gets
 * free credits if no simulator runs.
 * @param firstDay how many days ago the first plan is bought, before the first sale
 */
export function income(demo: DemoProduct, people: DemoPeople, firstDay: number): Moment[] {
  const { checkout } = demo;
  if (!checkout) return [{ daysAgo: firstDay, happen: () => giveAllowances(demo, people.listeners) }];
  const subscriptions = people.listeners.map((listener, i): Moment => {
    // The first listener, whom users sign in as, has the largest plan.
    const plan = PLAN_IDS[(i + PLAN_IDS.length - 1) % PLAN_IDS.length] as PlanId;
    return { daysAgo: firstDay - i * 0.05, happen: () => checkout.subscribe({ ...listener, plan }) };
  });
  const creatorId = people.creators.get(DEMO_CREATOR.key) as string;
  const connected: Moment = {
    daysAgo: CONNECTED_DAYS,
    happen: () => checkout.connect({ creatorId, email: DEMO_CREATOR.email }),
  };
  return [...subscriptions, connected];
}

async function giveAllowances(demo: DemoProduct, listeners: DemoListener[]): Promise<void> {
  for (const listener of listeners) await giveCredits(demo, listener, 'allowance', ALLOWANCE_CREDITS);
}

export const grantIdOf = (reason: 'allowance' | 'welcome', userId: string): string =>
  `demo-${reason}-${userId}`;

export async function giveCredits(
  demo: DemoProduct,
  { userId }: DemoListener,
  reason: 'allowance' | 'welcome',
  credits: number,
): Promise<void> {
  const grantId = grantIdOf(reason, userId);
  await demo.commands.execute(new GrantPromotion({ userId, grantId, credits, grantedAt: demo.clock.now() }));
}

/** Returns the same UUID for the same text. */
function keyOf(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

function weighted(samples: Listed[], pick: number): Listed | undefined {
  const weights = samples.map((sample) => POPULARITY[sample.name] ?? 1.2);
  let left = pick * weights.reduce((sum, weight) => sum + weight, 0);
  return samples.find((_, i) => (left -= weights[i] as number) < 0);
}
