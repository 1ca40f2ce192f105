import { Module } from '@nestjs/common';
import { MakePayoutClaimHandler, RedeemPayoutClaimHandler } from '../../application/payouts/payout-claims.js';
import { RecordSettlementHandler } from '../../application/payouts/record-settlement.js';
import { RequestReleaseHandler } from '../../application/payouts/request-release.js';
import { RequestWithdrawalHandler } from '../../application/payouts/request-withdrawal.js';
import { WriteOffDebtHandler, WriteOffDebts } from '../../application/payouts/write-off-debt.js';
import { ConnectedAccounts, PayoutAccounts } from '../../application/payouts/payout-accounts.js';
import { PayoutNotices } from '../../application/payouts/payout-notices.js';
import { PayoutScheduleStore, PayoutSchedules } from '../../application/payouts/payout-schedules.js';
import { PayoutSweep } from '../../application/payouts/payout-sweep.js';
import {
  EarningsQueries,
  PayoutClaimQueries,
  PayoutQueries,
  SalesUnderReviewQueries,
  SplitQueries,
} from '../../application/payouts/queries.js';
import { EarningsYears } from '../../application/payouts/earnings-years.js';
import { EarningsMonthQueries } from './earnings-months.js';
import { CreatorReachQueries } from './creator-reach.js';
import { CreatorSalesQueries } from './creator-sales.js';
import { SettleWithdrawal } from '../../application/payouts/settle-withdrawal.js';
import { TransferFacts } from '../../application/payouts/transfer-facts.js';
import { Withdrawals } from '../../application/payouts/withdrawals.js';
import { MailModule } from '../mail/mail.module.js';
import { PostgresEarningsQueries } from './postgres-earnings.js';
import { PostgresPayoutQueries } from './postgres-payouts.js';
import { PayoutsController, SalesController } from './payouts.controller.js';
import { CreatorTaxDetails, TaxDetailStore } from '../../application/payouts/tax-details.js';
import { PostgresTaxDetails } from './postgres-tax-details.js';
import { TaxDetailsController } from './tax-details.controller.js';
import { YearsController } from './years.controller.js';
import {
  PostgresConnectedAccounts,
  PostgresPayoutClaims,
  PostgresPayoutSchedules,
} from './postgres-payees.js';
import { PostgresSplits } from './postgres-splits.js';
import { SplitsController } from './splits.controller.js';
import { SplitNotices } from '../../application/payouts/split-notices.js';
import { AnswerSplitHandler, OfferSplitHandler } from '../../application/payouts/splits.js';
import { PostgresSalesUnderReview } from './postgres-sales-under-review.js';

@Module({
  imports: [MailModule],
  controllers: [PayoutsController, SalesController, SplitsController, TaxDetailsController, YearsController],
  providers: [
    AnswerSplitHandler,
    CreatorTaxDetails,
    MakePayoutClaimHandler,
    OfferSplitHandler,
    PayoutAccounts,
    PayoutNotices,
    PayoutSchedules,
    PayoutSweep,
    RecordSettlementHandler,
    RedeemPayoutClaimHandler,
    RequestReleaseHandler,
    RequestWithdrawalHandler,
    SettleWithdrawal,
    SplitNotices,
    TransferFacts,
    Withdrawals,
    WriteOffDebtHandler,
    WriteOffDebts,
    { provide: ConnectedAccounts, useClass: PostgresConnectedAccounts },
    CreatorReachQueries,
    CreatorSalesQueries,
    EarningsMonthQueries,
    { provide: EarningsYears, useExisting: EarningsMonthQueries },
    { provide: EarningsQueries, useClass: PostgresEarningsQueries },
    { provide: PayoutQueries, useClass: PostgresPayoutQueries },
    { provide: PayoutClaimQueries, useClass: PostgresPayoutClaims },
    { provide: SalesUnderReviewQueries, useClass: PostgresSalesUnderReview },
    { provide: SplitQueries, useClass: PostgresSplits },
    { provide: PayoutScheduleStore, useClass: PostgresPayoutSchedules },
    { provide: TaxDetailStore, useClass: PostgresTaxDetails },
  ],
  exports: [
    CreatorTaxDetails,
    EarningsYears,
    PayoutClaimQueries,
    PayoutQueries,
    SalesUnderReviewQueries,
    TransferFacts,
    Withdrawals,
    WriteOffDebts,
  ],
})
export class PayoutsModule {}
