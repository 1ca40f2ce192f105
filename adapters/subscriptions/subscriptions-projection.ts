import { Injectable } from '@nestjs/common';
import type { ExpressionBuilder, UpdateObject } from 'kysely';
import type { Subscription } from '../../application/subscriptions/contract.js';
import { SubscriptionQueries } from '../../application/subscriptions/queries.js';
import { unreachable } from '../../domain/shared/decision.js';
import type { SubscriptionEvent } from '../../domain/subscriptions/subscription.js';
import { Database, queries, type Queries } from '../platform/database/database.js';
import type { DB } from '../platform/database/schema.js';
import type { InlineProjection, Projected } from '../platform/projections/projection.js';

const TYPES = [
  'SubscriptionStarted',
  'SubscriptionRenewed',
  'SubscriptionUpgraded',
  'PaymentFailed',
  'CancellationScheduled',
  'CancellationWithdrawn',
  'DowngradeScheduled',
  'DowngradeWithdrawn',
  'SubscriptionEnded',
  'PlanChangeRequested',
  'PlanChangeAwaitsPayer',
  'PlanChangeCompleted',
  'PlanChangeFailed',
] as const satisfies ReadonlyArray<SubscriptionEvent['type']>;

/** The present subscription of each listener. */
export const subscriptions: InlineProjection<SubscriptionEvent> = {
  name: 'subscriptions',
  version: 2,
  // A listener who just changed the plan must see the change.
  lifecycle: 'inline',
  types: TYPES,
  tables: ['subscription'],
  async apply(client, events) {
    const db = queries(client);
    for (const event of events) await applyOne(db, event);
  },
};

const UNSCHEDULED = { scheduled_kind: null, scheduled_plan: null, scheduled_at: null };
const UNCHANGING = {
  change_kind: null,
  change_plan: null,
  change_requested_at: null,
  change_needs: null,
  change_expires_at: null,
};

/** Compares versions, so that an old event changes nothing. */
async function applyOne(db: Queries, fact: Projected<SubscriptionEvent>): Promise<void> {
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
    .set((columns) => ({ ...changeBy(fact, columns), version }))
    .where('user_id', '=', userId)
    .where('version', '<', version)
    .execute();
}

function changeBy(
  fact: Exclude<SubscriptionEvent, { type: 'SubscriptionStarted' }>,
  { eb }: ExpressionBuilder<DB, 'subscription'>,
): UpdateObject<DB, 'subscription'> {
  switch (fact.type) {
    case 'SubscriptionRenewed': {
      const { plan, periodEnd, periodStart } = fact.data;
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
    }
    case 'SubscriptionUpgraded': {
      const { plan, periodEnd } = fact.data;
      return { plan, status: 'active', current_period_end: periodEnd, ...UNSCHEDULED };
    }
    case 'PaymentFailed':
      return { status: 'past_due' };
    case 'CancellationScheduled':
      return { scheduled_kind: 'cancel', scheduled_plan: null, scheduled_at: fact.data.effectiveAt };
    case 'DowngradeScheduled': {
      const { plan, effectiveAt } = fact.data;
      return { scheduled_kind: 'downgrade', scheduled_plan: plan, scheduled_at: effectiveAt };
    }
    case 'CancellationWithdrawn':
    case 'DowngradeWithdrawn':
      return UNSCHEDULED;
    case 'SubscriptionEnded': {
      const { plan } = fact.data;
      return { plan, status: 'canceled', current_period_end: null, ...UNSCHEDULED, ...UNCHANGING };
    }
    case 'PlanChangeRequested': {
      const { kind, plan, at } = fact.data;
      return { change_kind: kind, change_plan: plan, change_requested_at: at };
    }
    case 'PlanChangeAwaitsPayer': {
      const { needs, expiresAt } = fact.data;
      return { change_needs: needs, change_expires_at: expiresAt };
    }
    case 'PlanChangeCompleted':
    case 'PlanChangeFailed':
      return UNCHANGING;
    default:
      return unreachable(fact);
  }
}

const NONE: Subscription = {
  plan: null,
  status: 'none',
  currentPeriodEnd: null,
  scheduledChange: null,
  pendingChange: null,
};

@Injectable()
export class PostgresSubscriptionQueries implements SubscriptionQueries {
  constructor(private readonly database: Database) {}

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
