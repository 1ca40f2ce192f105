import { Module } from '@nestjs/common';
import { FollowSubscriptionHandler } from '../../application/subscriptions/follow-subscription.js';
import {
  ChangeSubscriptionHandler,
  WithdrawPendingChangeHandler,
} from '../../application/subscriptions/change-subscription.js';
import { FinishPlanChangeHandler, PlanChanges } from '../../application/subscriptions/plan-changes.js';
import { PaymentDetails } from '../../application/subscriptions/payment-details.js';
import { PaymentSweep } from '../../application/subscriptions/payment-sweep.js';
import { SubscriptionQueries } from '../../application/subscriptions/queries.js';
import { Receipts } from '../../application/subscriptions/receipts.js';
import { RenewalMails } from '../../application/subscriptions/renewal-mails.js';
import { SettleInvoiceHandler } from '../../application/subscriptions/settle-invoice.js';
import { SubscriptionFacts } from '../../application/subscriptions/subscription-facts.js';
import { StartCheckoutHandler } from '../../application/subscriptions/start-checkout.js';
import { MailModule } from '../mail/mail.module.js';
import { PaymentRecordsModule } from '../payments/payment-records.module.js';
import { PostgresSubscriptionQueries } from './postgres-subscriptions.js';
import { SubscriptionsController } from './subscriptions.controller.js';

/** Plans and subscriptions, as the payment provider reports them. */
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
  exports: [PaymentSweep, PlanChanges, Receipts, RenewalMails, SubscriptionFacts, SubscriptionQueries],
})
export class SubscriptionsModule {}
