import { Module } from '@nestjs/common';
import {
  FollowSubscriptionHandler,
  PaymentSweep,
  SettleInvoiceHandler,
  SubscriptionFacts,
} from '../../application/subscriptions/follow-subscription.js';
import {
  ChangeSubscriptionHandler,
  WithdrawPendingChangeHandler,
  PaymentDetails,
  StartCheckoutHandler,
} from '../../application/subscriptions/change-subscription.js';
import { FinishPlanChangeHandler, PlanChanges } from '../../application/subscriptions/plan-changes.js';
import { SubscriptionQueries } from '../../application/subscriptions/queries.js';
import { Receipts, RenewalMails } from '../../application/subscriptions/payment-mails.js';
import { MailModule } from '../mail/mail.module.js';
import { PaymentRecordsModule } from '../payments/payments.module.js';
import { PostgresSubscriptionQueries } from './postgres-subscriptions.js';
import { SubscriptionsController } from './subscriptions.controller.js';

@Module({
  imports: [MailModule, PaymentRecordsModule],
  controllers: [SubscriptionsController],
  providers: [
    ChangeSubscriptionHandler,
    FinishPlanChangeHandler,
    FollowSubscriptionHandler,
    PaymentDetails,
    PaymentSweep,
    PlanChanges,
    Receipts,
    RenewalMails,
    SettleInvoiceHandler,
    StartCheckoutHandler,
    SubscriptionFacts,
    WithdrawPendingChangeHandler,
    { provide: SubscriptionQueries, useClass: PostgresSubscriptionQueries },
  ],
  exports: [SubscriptionFacts, SubscriptionQueries],
})
export class SubscriptionsModule {}
