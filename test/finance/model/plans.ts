import type { CommandBus } from '@nestjs/cqrs';
import type { PaymentRecords } from '../../../application/payments/payment-records.js';
import { PaymentGatewayUnavailable } from '../../../application/payments/payment-gateway.js';
import {
  StreamVersionConflict,
  type EventStore,
  type StreamAppend,
} from '../../../application/shared/event-store.js';
import { Streams } from '../../../application/shared/streams.js';
import {
  FollowSubscription,
  FollowSubscriptionHandler,
} from '../../../application/subscriptions/follow-subscription.js';
import { PlanChanges } from '../../../application/subscriptions/plan-changes.js';
import { PLAN_IDS } from '../../../domain/subscriptions/plans.js';
import type {
  ChangeRequest,
  SubscriptionEvent,
} from '../../../domain/subscriptions/subscription-messages.js';
import { randomFrom } from '../../../domain/shared/seeded-random.js';
import { Killed, PlanProvider } from './plan-provider.js';

const USER = 'ada';
const METADATA = { actor: USER, correlationId: 'model' };
const PERIOD = { periodStart: '2026-01-01T00:00:00.000Z', periodEnd: '2036-01-01T00:00:00.000Z' };

/**
 * One listener's plan with its changes through the product, in a process that may end between any two
 * statements.
 */
export class PlanWorld {
  now = Date.UTC(2026, 0, 20);
  readonly random: (count: number) => number;
  readonly log: SubscriptionEvent[] = [];
  readonly provider: PlanProvider;
  readonly changes: PlanChanges;
  readonly follow: FollowSubscriptionHandler;
  private keys = 0;
  private lastKey = '';

  constructor(name: string) {
    const random = randomFrom(name);
    this.random = (count) => Math.floor(random() * count);
    this.provider = new PlanProvider(this.random, () => this.now);
    const data = {
      userId: USER,
      subscriptionId: 'sub_1',
      invoiceId: 'in_1',
      plan: 'starter',
      ...PERIOD,
    } as const;
    this.log.push({ type: 'SubscriptionStarted', data: { ...data, at: PERIOD.periodStart } });
    const store = {
      readStream: async (_: string, after = 0) => this.log.slice(after),
      append: async ([{ expectedVersion, events }]: [StreamAppend]) => {
        this.provider.line();
        if (expectedVersion !== this.log.length) throw new StreamVersionConflict('subscription-ada');
        this.log.push(...(events as unknown as SubscriptionEvent[]));
        this.provider.line();
        return [];
      },
    } as unknown as EventStore;
    const streams = new Streams(store);
    const clock = { now: () => new Date(this.now) };
    const bus = { execute: () => this.changes.finish(USER) } as unknown as CommandBus;
    this.changes = new PlanChanges(streams, this.provider, {} as PaymentRecords, bus, clock);
    this.follow = new FollowSubscriptionHandler(streams, this.provider, bus, clock);
  }

  /** The listener requests a change, or repeats the last request because its answer was lost. */
  async request(again = this.random(4) === 0): Promise<string> {
    const key = this.lastKey && again ? this.lastKey : `key${(this.keys += 1)}`;
    this.lastKey = key;
    const dearer = PLAN_IDS[PLAN_IDS.indexOf(this.provider.plan) + 1];
    const wish: ChangeRequest =
      this.random(5) === 0 || !dearer
        ? { type: this.random(2) === 0 ? 'ScheduleCancellation' : 'WithdrawScheduledChange' }
        : { type: 'ChangePlan', plan: dearer };
    const reserved = await this.changes.reserve(USER, wish, key);
    if (reserved.outcome !== 'reserved')
      return reserved.outcome === 'refused' ? reserved.rejection.code : reserved.outcome;
    return this.changes.carryOut(USER, reserved.subscriptionId, reserved.change);
  }
}

type PlanStep = (world: PlanWorld) => Promise<string>;

const STEPS: Record<string, PlanStep> = {
  requestPlan: (world) => world.request(),
  requestTwice: async (world) => {
    const both = await Promise.allSettled([world.request(), world.request()]);
    const failed = both.find((each) => each.status === 'rejected');
    if (failed) throw failed.reason;
    return 'at once';
  },
  finishPlan: async (world) => ((await world.changes.finish(USER)) ? 'closed' : 'nothing closed'),
  hearOfPlan: async (world) => {
    await world.follow.execute(new FollowSubscription(USER, 'sub_1', METADATA));
    return 'heard';
  },
  withdrawPlan: (world) => world.changes.withdraw(USER),
  payForPlan: async (world) => (world.provider.pay() ? 'paid late' : 'nothing to pay'),
  wait: async (world) => {
    const long = world.random(3) === 0;
    world.now += (1 + world.random(long ? 30 * 60 : 20)) * 60_000;
    const before = world.provider.awaits;
    world.provider.forgetOld();
    return before && !world.provider.awaits ? 'until it expired' : 'a while';
  },
};

/** Compares the charges of each change with the events of the stream. */
function checkPlans({ log, provider }: PlanWorld, atEnd: boolean): void {
  for (const [key, times] of provider.charges)
    if (times > 1) throw new Error(`${key} was charged ${times} times`);
  const told = new Map<string, string>();
  for (const event of log) {
    if (event.type === 'PlanChangeRequested') {
      if ([...told.values()].some((fate) => fate === 'open')) throw new Error('two changes are open');
      told.set(event.data.changeId, 'open');
      continue;
    }
    if (event.type !== 'PlanChangeCompleted' && event.type !== 'PlanChangeFailed') continue;
    if (told.get(event.data.changeId) !== 'open') throw new Error(`${event.data.changeId} ends twice`);
    told.set(event.data.changeId, event.type === 'PlanChangeCompleted' ? 'completed' : event.data.reason);
  }
  for (const event of log) {
    if (event.type !== 'PlanChangeRequested' || event.data.kind !== 'upgrade') continue;
    const { changeId, plan } = event.data;
    const charged = provider.charges.has(`${changeId}-${plan}`);
    const fate = told.get(changeId);
    if (fate === 'open' ? atEnd : charged !== (fate === 'completed'))
      throw new Error(`${changeId} is ${fate}, and was ${charged ? '' : 'not '}charged`);
  }
  const upgrades = log.filter(({ type }) => type === 'SubscriptionUpgraded').length;
  if (atEnd && upgrades !== provider.charges.size)
    throw new Error(`${provider.charges.size} plans were charged, the stream tells ${upgrades}`);
}

/** Runs one history of plan changes, whose process ends sometimes. */
export async function runPlanHistory(
  name: string,
  steps: number,
  counts: Map<string, number>,
): Promise<void> {
  const world = new PlanWorld(`plans ${name}`);
  const names = Object.keys(STEPS);
  const path: string[] = [];
  try {
    for (let n = 0; n < steps; n += 1) {
      const step = names[world.random(names.length)] as string;
      const did = await (STEPS[step] as PlanStep)(world).catch((error: unknown) => {
        if (error instanceof Killed) return 'killed';
        if (error instanceof PaymentGatewayUnavailable) return 'provider silent';
        throw error;
      });
      path.push(`${step} ${did}`);
      counts.set(`${step} ${did}`, (counts.get(`${step} ${did}`) ?? 0) + 1);
      checkPlans(world, false);
    }
    world.provider.trouble = false;
    world.now += 24 * 3_600_000;
    await world.changes.finish(USER);
    await STEPS['hearOfPlan']?.(world);
    checkPlans(world, true);
  } catch (error) {
    throw new Error(`SEED=${name}, after ${path.join(', ')}: ${(error as Error).message}`, { cause: error });
  }
}
