import type { Provider } from '@nestjs/common';
import { PROJECTIONS } from '../../bootstrap/projections.js';
import type { Database } from '../../adapters/platform/database/database.js';
import { PostgresCreditBatchStore } from '../../adapters/credits/postgres-credit-batch-store.js';
import { PostgresEventStore } from '../../adapters/platform/event-log/postgres-event-store.js';
import { PostgresSubscriptionQueries } from '../../adapters/subscriptions/postgres-subscriptions.js';
import { PostgresPaymentRecords } from '../../adapters/payments/postgres-payment-records.js';
import { SystemClock, type Clock } from '../../application/shared/clock.js';
import { CreditExecutor } from '../../application/credits/credit-executor.js';
import { EventStore } from '../../application/shared/event-store.js';
import { BalanceGateway } from '../../application/payments/balance-gateway.js';
import { PayerGateway } from '../../application/payments/forget-payers.js';
import { PayoutGateway } from '../../application/payments/payout-gateway.js';
import { RefundGateway } from '../../application/payments/refund-gateway.js';
import { PaymentGateway } from '../../application/payments/payment-gateway.js';
import {
  FollowSubscriptionHandler,
  SubscriptionFacts,
  PaymentSweep,
  SettleInvoiceHandler,
} from '../../application/subscriptions/follow-subscription.js';
import { FinishPlanChangeHandler, PlanChanges } from '../../application/subscriptions/plan-changes.js';
import { PaymentEvents } from '../../application/payments/payment-events.js';
import { TaxTerms } from '../../application/subscriptions/tax.js';
import type { GiftOrders } from '../../application/subscriptions/gifts.js';
import { CheckoutReturn, StartCheckoutHandler } from '../../application/subscriptions/change-subscription.js';
import { Streams } from '../../application/shared/streams.js';
import { subscriptionDecider } from '../../domain/subscriptions/subscription.js';
import { busTo } from './command-bus.js';

/** Metrics that ignore webhooks. */
export const UNCOUNTED = { count: () => undefined };

/** Creates all services of subscriptions on a real database, with the given gateway. */
export function subscriptionsOn(
  database: Database,
  gateway: PaymentGateway,
  clock: Clock = new SystemClock(),
) {
  const eventStore = new PostgresEventStore(database, clock, PROJECTIONS.appendedInline);
  const executor = new CreditExecutor(new PostgresCreditBatchStore(database, eventStore, clock));
  const records = new PostgresPaymentRecords(database);
  const streams = new Streams(eventStore);
  let changes!: PlanChanges;
  const commands = busTo(
    (bus) => new FollowSubscriptionHandler(streams, gateway, bus, clock),
    (bus) => new SettleInvoiceHandler(executor, gateway, records, bus, new TaxTerms(false, ''), clock),
    (bus) => new FinishPlanChangeHandler((changes = new PlanChanges(streams, gateway, records, bus, clock))),
  );
  const webhooks = new PaymentEvents(
    gateway,
    records,
    clock,
    { all: [new SubscriptionFacts(gateway, records, commands)] },
    UNCOUNTED,
  );
  const providers: Provider[] = [
    { provide: PaymentEvents, useValue: webhooks },
    { provide: EventStore, useValue: eventStore },
    { provide: CreditExecutor, useValue: executor },
    { provide: PaymentGateway, useValue: gateway },
    // No test of subscriptions moves money back, or reads balances, payouts and payers.
    ...[BalanceGateway, PayerGateway, PayoutGateway, RefundGateway].map((provide) => ({
      provide,
      useValue: {},
    })),
  ];
  return {
    eventStore,
    records,
    load: (userId: string) => streams.load(subscriptionDecider, userId),
    providers,
    webhooks,
    sweep: new PaymentSweep(gateway, records, commands, clock),
    checkouts: new StartCheckoutHandler(
      streams,
      gateway,
      records,
      // No test of subscriptions buys a gift.
      {} as GiftOrders,
      CheckoutReturn.on('http://127.0.0.1:9'),
      clock,
    ),
    changes,
    reader: new PostgresSubscriptionQueries(database),
  };
}

/** Returns the balance that the batched executor keeps and its grants, oldest first. */
export async function creditsOf(
  database: Database,
  userId: string,
): Promise<{ balance: number; grants: Array<{ lotId: string; credits: number; valueMicroUsd: number }> }> {
  const account = await database.pool.query('select balance from credit_account where user_id = $1', [
    userId,
  ]);
  const grants = await database.pool.query(
    `select lot_id as "lotId", credits, value_micro_usd as "valueMicroUsd"
       from credit_grant where user_id = $1 order by position`,
    [userId],
  );
  return { balance: account.rows[0]?.balance ?? 0, grants: grants.rows };
}
