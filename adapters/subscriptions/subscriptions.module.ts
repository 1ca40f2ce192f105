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
import {
  ExpireGifts,
  GiftCodes,
  GiftOrders,
  Gifts,
  OwnGifts,
  RedeemGiftHandler,
} from '../../application/subscriptions/gifts.js';
import { GiftMails } from '../../application/subscriptions/gift-mails.js';
import { SubscriptionQueries } from '../../application/subscriptions/queries.js';
import { Receipts, RenewalMails } from '../../application/subscriptions/payment-mails.js';
import { MailModule } from '../mail/mail.module.js';
import { PaymentRecordsModule, PaymentsModule } from '../payments/payments.module.js';
import { PostgresContractQueries } from './postgres-contracts.js';
import { PostgresGifts } from './postgres-gifts.js';
import { PostgresSubscriptionQueries } from './postgres-subscriptions.js';
import { SubscriptionsController } from './subscriptions.controller.js';

@Module({
  imports: [MailModule, PaymentRecordsModule, PaymentsModule],
  controllers: [SubscriptionsController],
  providers: [
    CarryOutWithdrawals,
    ChangeSubscriptionHandler,
    ExpireGifts,
    FinishPlanChangeHandler,
    FollowSubscriptionHandler,
    GiftCodes,
    GiftMails,
    GiftOrders,
    GiveConsentHandler,
    OwnContracts,
    OwnGifts,
    PaymentDetails,
    PaymentSweep,
    PlanChanges,
    Receipts,
    RedeemGiftHandler,
    RenewalMails,
    SettleInvoiceHandler,
    StartCheckoutHandler,
    SubscriptionFacts,
    WithdrawalMails,
    WithdrawFromContractHandler,
    WithdrawPendingChangeHandler,
    { provide: ContractQueries, useClass: PostgresContractQueries },
    { provide: Gifts, useClass: PostgresGifts },
    { provide: SubscriptionQueries, useClass: PostgresSubscriptionQueries },
  ],
  exports: [SubscriptionFacts, SubscriptionQueries],
})
export class SubscriptionsModule {}
