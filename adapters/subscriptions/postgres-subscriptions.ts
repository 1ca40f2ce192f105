import type { ExpressionBuilder, UpdateObject } from 'kysely';
import type { Subscription } from '../../application/subscriptions/contract.js';
import { SubscriptionQueries } from '../../application/subscriptions/queries.js';
import { byType } from '../../domain/shared/by-type.js';
import type { SubscriptionEvent } from '../../domain/subscriptions/subscription-messages.js';
import { DatabaseAdapter, type Queries } from '../platform/database/database.js';
import type { DB } from '../platform/database/schema.js';
import { oneByOne } from '../platform/projections/one-by-one.js';
import type { InlineProjection, Projected } from '../platform/projections/projection.js';

const UNSCHEDULED = { scheduled_kind: null, scheduled_plan: null, scheduled_at: null };
const UNCHANGING = {
  change_kind: null,
  change_plan: null,
  change_requested_at: null,
  change_needs: null,
  change_expires_at: null,
};

type Changing = Exclude<SubscriptionEvent, { type: 'SubscriptionStarted' }>;

const changes = byType<
  Changing,
  [columns: ExpressionBuilder<DB, 'subscription'>],
  UpdateObject<DB, 'subscription'>
>({
  SubscriptionRenewed: ({ data: { plan, periodEnd, periodStart } }, { eb }) => {
    // A renewal keeps changes that are scheduled for a later period.
    const later = <Column extends keyof typeof UNSCHEDULED>(column: Column) =>
      eb.case().when('scheduled_at', '>', new Date(periodStart)).then(eb.ref(column)).else(null).end();
    return {
      plan,
      status: 'active',
      current_period_end: periodEnd,
      scheduled_kind: later('scheduled_kind'),
      scheduled_plan: later('scheduled_plan'),
      scheduled_at: later('scheduled_at'),
    };
  },
  SubscriptionUpgraded: ({ data: { plan, periodEnd } }) => ({
    plan,
    status: 'active',
    current_period_end: periodEnd,
    ...UNSCHEDULED,
  }),
  PaymentFailed: () => ({ status: 'past_due' }),
  CancellationScheduled: ({ data }) => ({
    scheduled_kind: 'cancel',
    scheduled_plan: null,
    scheduled_at: data.effectiveAt,
  }),
  DowngradeScheduled: ({ data }) => ({
    scheduled_kind: 'downgrade',
    scheduled_plan: data.plan,
    scheduled_at: data.effectiveAt,
  }),
  CancellationWithdrawn: () => UNSCHEDULED,
  DowngradeWithdrawn: () => UNSCHEDULED,
  SubscriptionEnded: ({ data: { plan } }) => ({
    plan,
    status: 'canceled',
    current_period_end: null,
    ...UNSCHEDULED,
    ...UNCHANGING,
  }),
  PlanChangeRequested: ({ data }) => ({
    change_kind: data.kind,
    change_plan: data.plan,
    change_requested_at: data.at,
  }),
  PlanChangeAwaitsPayer: ({ data }) => ({ change_needs: data.needs, change_expires_at: data.expiresAt }),
  PlanChangeCompleted: () => UNCHANGING,
  PlanChangeFailed: () => UNCHANGING,
});

export const subscriptions: InlineProjection<SubscriptionEvent> = {
  name: 'subscriptions',
  version: 2,
  // A listener who just changed the plan must see the change.
  lifecycle: 'inline',
  types: ['SubscriptionStarted', ...changes.types],
  tables: ['subscription'],
  ...oneByOne(applyOne),
};

/** Compares versions, so that an old event changes nothing. */
async function applyOne(fact: Projected<SubscriptionEvent>, db: Queries): Promise<void> {
  const { version } = fact;
  const { userId } = fact.data;
  if (fact.type === 'SubscriptionStarted') {
    const { subscriptionId, plan, periodEnd } = fact.data;
    const begun = { subscription_id: subscriptionId, plan, status: 'active', current_period_end: periodEnd };
    await db
      .insertInto('subscription')
      .values({ user_id: userId, version, ...begun })
      .onConflict((conflict) =>
        conflict
          .column('user_id')
          .doUpdateSet({ ...begun, ...UNSCHEDULED, ...UNCHANGING, version })
          .where('subscription.version', '<', version),
      )
      .execute();
    return;
  }
  await db
    .updateTable('subscription')
    .set((columns) => ({ ...changes.of(fact, columns), version }))
    .where('user_id', '=', userId)
    .where('version', '<', version)
    .execute();
}

const NONE: Subscription = {
  plan: null,
  status: 'none',
  currentPeriodEnd: null,
  scheduledChange: null,
  pendingChange: null,
};

export class PostgresSubscriptionQueries extends DatabaseAdapter implements SubscriptionQueries {
  async current(userId: string): Promise<Subscription> {
    const row = await this.database.db
      .selectFrom('subscription')
      .selectAll()
      .where('user_id', '=', userId)
      .executeTakeFirst();
    if (!row) return NONE;
    return {
      plan: row.plan,
      status: row.status,
      currentPeriodEnd: row.current_period_end?.toISOString() ?? null,
      scheduledChange:
        row.scheduled_kind && row.scheduled_at
          ? {
              kind: row.scheduled_kind,
              plan: row.scheduled_plan,
              effectiveAt: row.scheduled_at.toISOString(),
            }
          : null,
      pendingChange:
        row.change_kind && row.change_requested_at
          ? {
              kind: row.change_kind,
              plan: row.change_plan,
              requestedAt: row.change_requested_at.toISOString(),
              needs: row.change_needs,
              expiresAt: row.change_expires_at?.toISOString() ?? null,
            }
          : null,
    };
  }
}
