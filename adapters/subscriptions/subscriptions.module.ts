import { Module } from '@nestjs/common';
import { PaymentRecords } from '../../application/payments/payment-records.js';
import { FollowSubscription } from '../../application/subscriptions/follow-subscription.js';
import { ChangeSubscriptionHandler } from '../../application/subscriptions/handlers.js';
import { PaymentDetails } from '../../application/subscriptions/payment-details.js';
import { PaymentEvents } from '../../application/payments/payment-events.js';
import { PaymentSweep } from '../../application/subscriptions/payment-sweep.js';
import { SubscriptionReader } from '../../application/subscriptions/readers.js';
import { PlanChanges } from '../../application/subscriptions/plan-changes.js';
import { Receipts } from '../../application/subscriptions/receipts.js';
import { SettleInvoice } from '../../application/subscriptions/settle-invoice.js';
import { CheckoutReturn, StartCheckoutHandler } from '../../application/subscriptions/start-checkout.js';
import { SubscriptionsController } from './subscriptions.controller.js';
import { Database } from '../platform/database/database.js';
import { PostgresSubscriptionReader } from './subscriptions-projection.js';
import { PostgresPaymentRecords } from '../payments/postgres-payment-records.js';
import { CONFIG, type Config } from '../../bootstrap/config.js';

@Module({
  controllers: [SubscriptionsController],
  providers: [
    FollowSubscription,
    SettleInvoice,
    PaymentEvents,
    PaymentSweep,
    PlanChanges,
    StartCheckoutHandler,
    PaymentDetails,
    Receipts,
    ChangeSubscriptionHandler,
    {
      provide: CheckoutReturn,
      useFactory: (config: Config) => CheckoutReturn.on(config.publicUrl),
      inject: [CONFIG],
    },
    {
      provide: PaymentRecords,
      useFactory: (database: Database) => new PostgresPaymentRecords(database),
      inject: [Database],
    },
    {
      provide: SubscriptionReader,
      useFactory: (database: Database) => new PostgresSubscriptionReader(database),
      inject: [Database],
    },
  ],
  exports: [PaymentEvents, PaymentRecords, PaymentSweep, PlanChanges, SettleInvoice, SubscriptionReader],
})
export class SubscriptionsModule {}
