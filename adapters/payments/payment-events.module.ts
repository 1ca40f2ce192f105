import { Module } from '@nestjs/common';
import { Backfill } from '../../application/ledger/backfill.js';
import { BalanceTransactions } from '../../application/payments/balance-transactions.js';
import { BankPayouts } from '../../application/payments/record-bank-payout.js';
import { MoneyBackFacts } from '../../application/payments/money-back.js';
import {
  PaymentEvents,
  WebhookCounter,
  type PaymentListener,
  PaymentListeners,
} from '../../application/payments/payment-events.js';
import { TransferFacts } from '../../application/payouts/transfer-facts.js';
import { SubscriptionFacts } from '../../application/subscriptions/follow-subscription.js';
import { PayoutsModule } from '../payouts/payouts.module.js';
import { SubscriptionsModule } from '../subscriptions/subscriptions.module.js';
import { PaymentRecordsModule } from './payment-records.module.js';
import { PaymentsController } from './payments.controller.js';
import { PaymentsModule } from './payments.module.js';
import { WebhookMetrics } from './webhook-metrics.js';

@Module({
  imports: [PaymentRecordsModule, PaymentsModule, PayoutsModule, SubscriptionsModule],
  controllers: [PaymentsController],
  providers: [
    Backfill,
    PaymentEvents,
    { provide: WebhookCounter, useClass: WebhookMetrics },
    {
      provide: PaymentListeners,
      useFactory: (...all: PaymentListener[]): PaymentListeners => ({ all }),
      inject: [SubscriptionFacts, TransferFacts, BankPayouts, BalanceTransactions, MoneyBackFacts],
    },
  ],
})
export class PaymentEventsModule {}
