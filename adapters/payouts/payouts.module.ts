import { Module } from '@nestjs/common';
import { ConnectedAccounts } from '../../application/payouts/connected-accounts.js';
import { PAYOUT_HANDLERS } from '../../application/payouts/handlers.js';
import { PayoutAccounts } from '../../application/payouts/payout-accounts.js';
import { PayoutScheduleStore, PayoutSchedules } from '../../application/payouts/payout-schedules.js';
import { PayoutSweep } from '../../application/payouts/payout-sweep.js';
import {
  CreatorSales,
  EarningsReader,
  PayoutClaimReader,
  PayoutReader,
} from '../../application/payouts/readers.js';
import { SettleWithdrawal } from '../../application/payouts/settle-withdrawal.js';
import { TransferFacts } from '../../application/payouts/transfer-facts.js';
import { Withdrawals } from '../../application/payouts/withdrawals.js';
import { WriteOffDebts } from '../../application/payouts/write-off-debts.js';
import { PostgresCreatorSales } from './creator-sales.js';
import { PostgresEarningsReader } from './earnings.js';
import { PostgresPayoutReader } from './payouts-projection.js';
import { PayoutsController } from './payouts.controller.js';
import { PostgresConnectedAccounts } from './postgres-connected-accounts.js';
import { PostgresPayoutClaims } from './postgres-payout-claims.js';
import { PostgresPayoutSchedules } from './postgres-payout-schedules.js';
import { SalesController } from './sales.controller.js';

/** What creators earned, and how it reaches them. */
@Module({
  controllers: [PayoutsController, SalesController],
  providers: [
    PayoutAccounts,
    ...PAYOUT_HANDLERS,
    PayoutSchedules,
    PayoutSweep,
    SettleWithdrawal,
    TransferFacts,
    Withdrawals,
    WriteOffDebts,
    { provide: ConnectedAccounts, useClass: PostgresConnectedAccounts },
    { provide: CreatorSales, useClass: PostgresCreatorSales },
    { provide: EarningsReader, useClass: PostgresEarningsReader },
    { provide: PayoutReader, useClass: PostgresPayoutReader },
    { provide: PayoutClaimReader, useClass: PostgresPayoutClaims },
    { provide: PayoutScheduleStore, useClass: PostgresPayoutSchedules },
  ],
  exports: [
    PayoutClaimReader,
    PayoutReader,
    PayoutSchedules,
    PayoutSweep,
    SettleWithdrawal,
    TransferFacts,
    Withdrawals,
    WriteOffDebts,
  ],
})
export class PayoutsModule {}
