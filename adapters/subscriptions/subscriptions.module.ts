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
import {
  CarryOutWithdrawals,
  ContractQueries,
  GiveConsentHandler,
  OwnContracts,
  WithdrawalMails,
  WithdrawFromContractHandler,
} from '../../application/subscriptions/contracts.js';
import { SubscriptionQueries } from '../../application/subscriptions/queries.js';
import { Receipts, RenewalMails } from '../../application/subscriptions/payment-mails.js';
import { MailModule } from '../mail/mail.module.js';
import { PaymentRecordsModule, PaymentsModule } from '../payments/payments.module.js';
import { PostgresContractQueries } from './postgres-contracts.js';
import { PostgresSubscriptionQueries } from './postgres-subscriptions.js';
import { SubscriptionsController } from './subscriptions.controller.js';

@Module({
  imports: [MailModule, PaymentRecordsModule, PaymentsModule],
  controllers: [SubscriptionsController],
  providers: [
    CarryOutWithdrawals,
    ChangeSubscriptionHandler,
    FinishPlanChangeHandler,
    FollowSubscriptionHandler,
    GiveConsentHandler,
    OwnContracts,
    PaymentDetails,
    PaymentSweep,
    PlanChanges,
    Receipts,
    RenewalMails,
    SettleInvoiceHandler,
    StartCheckoutHandler,
    SubscriptionFacts,
    WithdrawalMails,
    WithdrawFromContractHandler,
    WithdrawPendingChangeHandler,
    { provide: ContractQueries, useClass: PostgresContractQueries },
    { provide: SubscriptionQueries, useClass: PostgresSubscriptionQueries },
  ],
  exports: [SubscriptionFacts, SubscriptionQueries],
})
export class SubscriptionsModule {}
