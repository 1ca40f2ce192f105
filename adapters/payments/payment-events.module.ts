import { Module, Controller, Injectable } from '@nestjs/common';
import { Counter } from 'prom-client';
import { Backfill } from '../../application/ledger/backfill.js';
import { BalanceTransactions } from '../../application/payments/balance-transactions.js';
import { BankPayouts } from '../../application/payments/record-bank-payout.js';
import { MoneyBackFacts } from '../../application/payments/money-back.js';
import {
  PaymentEvents,
  WebhookCounter,
  type PaymentListener,
  PaymentListeners,
  type WebhookOutcome,
} from '../../application/payments/payment-events.js';
import { TransferFacts } from '../../application/payouts/transfer-facts.js';
import { SubscriptionFacts } from '../../application/subscriptions/follow-subscription.js';
import { PayoutsModule } from '../payouts/payouts.module.js';
import { SubscriptionsModule } from '../subscriptions/subscriptions.module.js';
import { PaymentRecordsModule, PaymentsModule } from './payments.module.js';
import { receiveEvent } from '../../application/payments/endpoints.js';
import { Route, type Call } from '../platform/http/route.js';
import { Metrics } from '../platform/observability/metrics.js';

@Injectable()
class WebhookMetrics implements WebhookCounter {
  private readonly received: Counter;

  constructor({ registry }: Metrics) {
    this.received = new Counter({
      name: 'webhooks_total',
      help: "The payment provider's webhooks, by type and by what became of them",
      labelNames: ['type', 'outcome'],
      registers: [registry],
    });
  }

  count(type: string, outcome: WebhookOutcome): void {
    this.received.inc({ type, outcome });
  }
}

@Controller()
export class PaymentsController {
  constructor(private readonly events: PaymentEvents) {}

  @Route(receiveEvent)
  async webhook({ body, request }: Call<typeof receiveEvent>) {
    const signature = request.headers['stripe-signature'] ?? '';
    const outcome = await this.events.receive(Buffer.from(body ?? ''), String(signature));
    return { received: true as const, outcome };
  }
}

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
