import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { PaymentGateway } from '../../application/ports/payment-gateway.js';
import { PaymentRecords } from '../../application/ports/payment-records.js';
import { FollowSubscription } from '../../application/subscriptions/follow-subscription.js';
import { ChangeSubscriptionHandler } from '../../application/subscriptions/handlers.js';
import { PaymentDetails } from '../../application/subscriptions/payment-details.js';
import { PaymentEvents } from '../../application/subscriptions/payment-events.js';
import { PaymentSweep } from '../../application/subscriptions/payment-sweep.js';
import { SubscriptionReader } from '../../application/subscriptions/readers.js';
import { SettleInvoice } from '../../application/subscriptions/settle-invoice.js';
import { CheckoutReturn, StartCheckout } from '../../application/subscriptions/start-checkout.js';
import { DevInfo, DevInfoController } from '../http/dev-info.controller.js';
import { SubscriptionsController } from '../http/subscriptions.controller.js';
import { Database } from '../postgres/database.js';
import { PostgresSubscriptionReader } from '../postgres/read-models/subscription.js';
import { PostgresPaymentRecords } from '../postgres/tables/payment-records.js';
import { StripePaymentGateway } from '../stripe/stripe-payment-gateway.js';
import { CONFIG, type Config } from './config.js';

@Module({
  imports: [CqrsModule],
  controllers: [SubscriptionsController, DevInfoController],
  providers: [
    FollowSubscription,
    SettleInvoice,
    PaymentEvents,
    PaymentSweep,
    StartCheckout,
    PaymentDetails,
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
    {
      provide: DevInfo,
      useFactory: (config: Config, payments: PaymentGateway) =>
        new DevInfo(config.production ? undefined : { stripeApiBase: apiBaseOf(payments) }),
      inject: [CONFIG, PaymentGateway],
    },
  ],
  exports: [PaymentSweep, SubscriptionReader],
})
export class SubscriptionsModule {}

const apiBaseOf = (payments: PaymentGateway): string | null =>
  payments instanceof StripePaymentGateway ? (payments.apiBase ?? null) : null;
