import { Injectable } from '@nestjs/common';
import type { ClientBase } from 'pg';
import type { Subscription } from '../../application/subscriptions/contract.js';
import { SubscriptionReader } from '../../application/subscriptions/readers.js';
import { unreachable } from '../../domain/shared/decision.js';
import type { SubscriptionEvent } from '../../domain/subscriptions/subscription.js';
import { Database } from '../platform/database/database.js';
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
  'PlanChangeCompleted',
  'PlanChangeFailed',
] as const satisfies ReadonlyArray<SubscriptionEvent['type']>;

/** What a listener subscribes to now. */
export const subscriptions: InlineProjection<SubscriptionEvent> = {
  name: 'subscriptions',
  version: 1,
  // Who just changed a plan must see the change.
  lifecycle: 'inline',
  types: TYPES,
  tables: ['subscription'],
  async apply(client, events) {
    for (const event of events) await applyOne(client, event);
  },
};

const UNCHANGING = 'change_kind = null, change_plan = null, change_requested_at = null';

async function applyOne(client: ClientBase, fact: Projected<SubscriptionEvent>): Promise<void> {
  const { version } = fact;
  if (fact.type === 'SubscriptionStarted') {
    const { userId, subscriptionId, plan, periodEnd } = fact.data;
    await client.query(
      `insert into subscription (user_id, subscription_id, plan, status, current_period_end, version)
       values ($1, $2, $3, 'active', $4, $5)
       on conflict (user_id) do update
          set subscription_id = excluded.subscription_id, plan = excluded.plan, status = 'active',
              current_period_end = excluded.current_period_end, scheduled_kind = null, scheduled_plan = null,
              scheduled_at = null, ${UNCHANGING}, version = excluded.version
        where subscription.version < excluded.version`,
      [userId, subscriptionId, plan, periodEnd, version],
    );
    return;
  }
  const { assignments, values } = changeBy(fact);
  // The row's version says whether it has seen this event: an older one changes nothing.
  await client.query(
    `update subscription set ${assignments}, version = $2 where user_id = $1 and version < $2`,
    [fact.data.userId, version, ...values],
  );
}

function changeBy(fact: Exclude<SubscriptionEvent, { type: 'SubscriptionStarted' }>): {
  assignments: string;
  values: unknown[];
} {
  const unscheduled = 'scheduled_kind = null, scheduled_plan = null, scheduled_at = null';
  switch (fact.type) {
    case 'SubscriptionRenewed':
      // What was scheduled for a later end stays.
      return {
        assignments: `plan = $3, status = 'active', current_period_end = $4,
          scheduled_kind = case when scheduled_at > $5 then scheduled_kind end,
          scheduled_plan = case when scheduled_at > $5 then scheduled_plan end,
          scheduled_at = case when scheduled_at > $5 then scheduled_at end`,
        values: [fact.data.plan, fact.data.periodEnd, fact.data.periodStart],
      };
    case 'SubscriptionUpgraded':
      return {
        assignments: `plan = $3, status = 'active', current_period_end = $4, ${unscheduled}`,
        values: [fact.data.plan, fact.data.periodEnd],
      };
    case 'PaymentFailed':
      return { assignments: `status = 'past_due'`, values: [] };
    case 'CancellationScheduled':
      return {
        assignments: `scheduled_kind = 'cancel', scheduled_plan = null, scheduled_at = $3`,
        values: [fact.data.effectiveAt],
      };
    case 'DowngradeScheduled':
      return {
        assignments: `scheduled_kind = 'downgrade', scheduled_plan = $3, scheduled_at = $4`,
        values: [fact.data.plan, fact.data.effectiveAt],
      };
    case 'CancellationWithdrawn':
    case 'DowngradeWithdrawn':
      return { assignments: unscheduled, values: [] };
    case 'SubscriptionEnded':
      return {
        assignments: `plan = $3, status = 'canceled', current_period_end = null, ${unscheduled}, ${UNCHANGING}`,
        values: [fact.data.plan],
      };
    case 'PlanChangeRequested':
      return {
        assignments: 'change_kind = $3, change_plan = $4, change_requested_at = $5',
        values: [fact.data.kind, fact.data.plan, fact.data.at],
      };
    case 'PlanChangeCompleted':
    case 'PlanChangeFailed':
      return { assignments: UNCHANGING, values: [] };
    default:
      return unreachable(fact);
  }
}

interface Row {
  plan: Subscription['plan'];
  status: string;
  current_period_end: Date | null;
  scheduled_kind: 'cancel' | 'downgrade' | null;
  scheduled_plan: Subscription['plan'];
  scheduled_at: Date | null;
  change_kind: NonNullable<Subscription['pendingChange']>['kind'] | null;
  change_plan: Subscription['plan'];
  change_requested_at: Date | null;
}

const NONE: Subscription = {
  plan: null,
  status: 'none',
  currentPeriodEnd: null,
  scheduledChange: null,
  pendingChange: null,
};

@Injectable()
export class PostgresSubscriptionReader extends SubscriptionReader {
  constructor(private readonly database: Database) {
    super();
  }

  async current(userId: string): Promise<Subscription> {
    const { rows } = await this.database.pool.query({
      name: 'subscription-current',
      text: `select plan, status, current_period_end, scheduled_kind, scheduled_plan, scheduled_at,
                    change_kind, change_plan, change_requested_at
               from subscription where user_id = $1`,
      values: [userId],
    });
    const row = rows[0] as Row | undefined;
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
            }
          : null,
    };
  }
}
