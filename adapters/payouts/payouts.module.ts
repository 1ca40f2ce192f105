import { Module } from '@nestjs/common';
import { PayoutAccounts, OnboardingReturn } from '../../application/payouts/payout-accounts.js';
import { PAYOUT_HANDLERS } from '../../application/payouts/handlers.js';
import { PayoutScheduleStore, PayoutSchedules } from '../../application/payouts/payout-schedules.js';
import { PayoutStreams } from '../../application/payouts/payout-streams.js';
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
import { ConnectedAccounts } from '../../application/payouts/connected-accounts.js';
import { PaymentEvents } from '../../application/payments/payment-events.js';
import { BalanceTransactions } from '../../application/payments/balance-transactions.js';
import { BankPayouts } from '../../application/payments/bank-payouts.js';
import { RecordedMovements } from '../../application/payments/balance-cursors.js';
import { PayoutsController } from './payouts.controller.js';
import { SalesController } from './sales.controller.js';
import { Database } from '../platform/database/database.js';
import { PostgresCreatorSales } from './creator-sales.js';
import { PostgresEarningsReader } from './earnings.js';
import { PostgresPayoutClaims } from './postgres-payout-claims.js';
import { PostgresPayoutReader } from './payouts-projection.js';
import { PostgresRecordedMovements } from '../ledger/recorded-movements.js';
import { PostgresConnectedAccounts } from './postgres-connected-accounts.js';
import { PostgresPayoutSchedules } from './postgres-payout-schedules.js';
import { CONFIG, type Config } from '../../bootstrap/config.js';
import { SubscriptionsModule } from '../subscriptions/subscriptions.module.js';

const fromDatabase = (provide: unknown, Adapter: new (database: Database) => object) => ({
  provide: provide as symbol,
  useFactory: (database: Database) => new Adapter(database),
  inject: [Database],
});

/** Money that leaves: to creators what they earned, to our bank what is ours. */
@Module({
  imports: [SubscriptionsModule],
  controllers: [PayoutsController, SalesController],
  providers: [
    PayoutAccounts,
    PayoutSchedules,
    WriteOffDebts,
    PayoutStreams,
    Withdrawals,
    SettleWithdrawal,
    TransferFacts,
    PayoutSweep,
    BankPayouts,
    BalanceTransactions,
    fromDatabase(RecordedMovements, PostgresRecordedMovements),
    fromDatabase(ConnectedAccounts, PostgresConnectedAccounts),
    fromDatabase(CreatorSales, PostgresCreatorSales),
    fromDatabase(EarningsReader, PostgresEarningsReader),
    fromDatabase(PayoutReader, PostgresPayoutReader),
    fromDatabase(PayoutClaimReader, PostgresPayoutClaims),
    ...PAYOUT_HANDLERS,
    fromDatabase(PayoutScheduleStore, PostgresPayoutSchedules),
    {
      provide: OnboardingReturn,
      useFactory: (config: Config) => OnboardingReturn.on(config.publicUrl),
      inject: [CONFIG],
    },
  ],
  exports: [
    BalanceTransactions,
    BankPayouts,
    EarningsReader,
    PayoutClaimReader,
    PayoutReader,
    PayoutSweep,
    SettleWithdrawal,
    Withdrawals,
  ],
})
export class PayoutsModule {
  constructor(
    events: PaymentEvents,
    transfers: TransferFacts,
    bankPayouts: BankPayouts,
    balance: BalanceTransactions,
  ) {
    events.listen((event) => transfers.handle(event));
    events.listen((event) => bankPayouts.handle(event));
    events.listen((event) => balance.handle(event));
  }
}
