import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  PostgresSubscriptionQueries,
  subscriptions,
} from '../../adapters/subscriptions/postgres-subscriptions.js';
import type { RecordedEvent } from '../../application/shared/event-store.js';
import { Subscription } from '../../application/subscriptions/contract.js';
import type { SubscriptionEvent } from '../../domain/subscriptions/subscription-messages.js';
import { startTestDatabase, type TestDatabase } from '../support/postgres.js';
import type { Projection } from '../../adapters/platform/projections/projection.js';

const NOVEMBER = { periodStart: '2026-11-20T12:00:00.000Z', periodEnd: '2026-12-20T12:00:00.000Z' };
const DECEMBER = { periodStart: '2026-12-20T12:00:00.000Z', periodEnd: '2027-01-20T12:00:00.000Z' };
const subject = { userId: 'ada', subscriptionId: 'sub_1', at: NOVEMBER.periodStart };

const started: SubscriptionEvent = {
  type: 'SubscriptionStarted',
  data: { ...subject, plan: 'premium', invoiceId: 'in_1', ...NOVEMBER },
};
const renewed: SubscriptionEvent = {
  type: 'SubscriptionRenewed',
  data: { ...subject, plan: 'premium', invoiceId: 'in_2', ...DECEMBER },
};
const upgraded: SubscriptionEvent = {
  type: 'SubscriptionUpgraded',
  data: { ...subject, plan: 'studio', fromPlan: 'premium', ...DECEMBER },
};
const failed: SubscriptionEvent = { type: 'PaymentFailed', data: subject };
const cancelling: SubscriptionEvent = {
  type: 'CancellationScheduled',
  data: { ...subject, effectiveAt: NOVEMBER.periodEnd },
};
const cancellingLater: SubscriptionEvent = {
  type: 'CancellationScheduled',
  data: { ...subject, effectiveAt: DECEMBER.periodEnd },
};
const resumed: SubscriptionEvent = { type: 'CancellationWithdrawn', data: subject };
const downgrading: SubscriptionEvent = {
  type: 'DowngradeScheduled',
  data: { ...subject, plan: 'starter', effectiveAt: NOVEMBER.periodEnd },
};
const kept: SubscriptionEvent = { type: 'DowngradeWithdrawn', data: subject };
const change = { ...subject, changeId: 'sub_1-2' };
const requested: SubscriptionEvent = {
  type: 'PlanChangeRequested',
  data: { ...change, kind: 'upgrade', plan: 'studio', requestKey: 'key-1' },
};
const awaiting: SubscriptionEvent = {
  type: 'PlanChangeAwaitsPayer',
  data: { ...change, invoiceId: 'in_3', needs: 'confirmation', expiresAt: NOVEMBER.periodEnd },
};
const completed: SubscriptionEvent = { type: 'PlanChangeCompleted', data: change };
const declined: SubscriptionEvent = {
  type: 'PlanChangeFailed',
  data: { ...change, reason: 'PaymentDeclined' },
};
const ended: SubscriptionEvent = {
  type: 'SubscriptionEnded',
  data: { ...subject, plan: 'premium', periodStart: NOVEMBER.periodStart },
};

let test: TestDatabase;
beforeAll(async () => {
  test = await startTestDatabase();
});
afterAll(() => test?.close());
beforeEach(() => test.database.pool.query('truncate subscription'));

/** Applies each event twice, then the whole list once more. @returns the subscription as shown */
async function given(...facts: SubscriptionEvent[]): Promise<Subscription> {
  const events = facts.map(
    (fact, index) =>
      ({
        ...fact,
        stream: 'subscription-ada',
        version: index + 1,
        position: index + 1,
      }) as unknown as RecordedEvent,
  );
  const apply = (some: RecordedEvent[]) =>
    test.database.transaction((client) => (subscriptions as Projection).apply(client, some));
  for (const event of events) for (const _ of 'ab') await apply([event]);
  const row = await test.database.pool.query('select * from subscription');
  await apply(events);
  expect((await test.database.pool.query('select * from subscription')).rows).toEqual(row.rows);
  return Subscription.parse(await new PostgresSubscriptionQueries(test.database).current('ada'));
}

const active = (plan: string, currentPeriodEnd: string, scheduledChange: object | null = null) => ({
  plan,
  status: 'active',
  currentPeriodEnd,
  scheduledChange,
  pendingChange: null,
});

describe('[CRED-04] what GET /api/subscription answers', () => {
  const CASES: Array<[string, SubscriptionEvent[], object]> = [
    [
      'nothing yet',
      [],
      { plan: null, status: 'none', currentPeriodEnd: null, scheduledChange: null, pendingChange: null },
    ],
    ['started', [started], active('premium', NOVEMBER.periodEnd)],
    ['renewed', [started, renewed], active('premium', DECEMBER.periodEnd)],
    ['upgraded', [started, downgrading, upgraded], active('studio', DECEMBER.periodEnd)],
    ['past due', [started, failed], { ...active('premium', NOVEMBER.periodEnd), status: 'past_due' }],
    ['paid after all', [started, failed, renewed], active('premium', DECEMBER.periodEnd)],
    [
      'cancelling',
      [started, cancelling],
      active('premium', NOVEMBER.periodEnd, { kind: 'cancel', plan: null, effectiveAt: NOVEMBER.periodEnd }),
    ],
    ['not cancelling after all', [started, cancelling, resumed], active('premium', NOVEMBER.periodEnd)],
    [
      'downgrading',
      [started, downgrading],
      active('premium', NOVEMBER.periodEnd, {
        kind: 'downgrade',
        plan: 'starter',
        effectiveAt: NOVEMBER.periodEnd,
      }),
    ],
    ['not downgrading after all', [started, downgrading, kept], active('premium', NOVEMBER.periodEnd)],
    ['renewed into a downgrade', [started, downgrading, renewed], active('premium', DECEMBER.periodEnd)],
    [
      'renewed with a later cancellation',
      [started, cancellingLater, renewed],
      active('premium', DECEMBER.periodEnd, { kind: 'cancel', plan: null, effectiveAt: DECEMBER.periodEnd }),
    ],
    [
      'ended',
      [started, cancelling, ended],
      {
        plan: 'premium',
        status: 'canceled',
        currentPeriodEnd: null,
        scheduledChange: null,
        pendingChange: null,
      },
    ],
    [
      'changing',
      [started, requested],
      {
        ...active('premium', NOVEMBER.periodEnd),
        pendingChange: {
          kind: 'upgrade',
          plan: 'studio',
          requestedAt: NOVEMBER.periodStart,
          needs: null,
          expiresAt: null,
        },
      },
    ],
    [
      'changing once it is confirmed',
      [started, requested, awaiting],
      {
        ...active('premium', NOVEMBER.periodEnd),
        pendingChange: {
          kind: 'upgrade',
          plan: 'studio',
          requestedAt: NOVEMBER.periodStart,
          needs: 'confirmation',
          expiresAt: NOVEMBER.periodEnd,
        },
      },
    ],
    ['not confirmed', [started, requested, awaiting, declined], active('premium', NOVEMBER.periodEnd)],
    ['changed', [started, requested, upgraded, completed], active('studio', DECEMBER.periodEnd)],
    ['not changed', [started, requested, declined], active('premium', NOVEMBER.periodEnd)],
    ['started again', [started, cancelling, ended, started], active('premium', NOVEMBER.periodEnd)],
  ];
  it.each(CASES)('%s', async (_, facts, shown) => {
    expect(await given(...facts)).toEqual(shown);
  });
});
