import { Module } from '@nestjs/common';
import { PayoutAccounts, OnboardingReturn } from '../../application/earnings/payout-accounts.js';
import { PayoutClaims } from '../../application/earnings/payout-claims.js';
import { PayoutScheduleStore, PayoutSchedules } from '../../application/earnings/payout-schedules.js';
import { PayoutStreams } from '../../application/earnings/payout-streams.js';
import { PayoutSweep } from '../../application/earnings/payout-sweep.js';
import {
  CreatorSales,
  EarningsReader,
  PayoutClaimReader,
  PayoutReader,
} from '../../application/earnings/readers.js';
import { SettleWithdrawal } from '../../application/earnings/settle-withdrawal.js';
import { TransferFacts } from '../../application/earnings/transfer-facts.js';
import { Withdrawals } from '../../application/earnings/withdrawals.js';
import { WriteOffDebts } from '../../application/earnings/write-off-debts.js';
import { ConnectedAccounts } from '../../application/ports/connected-accounts.js';
import { PaymentEvents } from '../../application/subscriptions/payment-events.js';
import { BalanceTransactions } from '../../application/treasury/balance-transactions.js';
import { BankPayouts } from '../../application/treasury/bank-payouts.js';
import { RecordedMovements } from '../../application/treasury/readers.js';
import { PayoutsController } from '../http/payouts.controller.js';
import { SalesController } from '../http/sales.controller.js';
import { Database } from '../postgres/database.js';
import { PostgresCreatorSales } from '../postgres/read-models/creator-sales.js';
import { PostgresEarningsReader } from '../postgres/read-models/earnings.js';
import { PostgresPayoutClaims } from '../postgres/read-models/payout-claims.js';
import { PostgresPayoutReader } from '../postgres/read-models/payouts.js';
import { PostgresRecordedMovements } from '../postgres/tables/balance-sweep.js';
import { PostgresConnectedAccounts } from '../postgres/tables/connected-accounts.js';
import { PostgresPayoutSchedules } from '../postgres/tables/payout-schedules.js';
import { CONFIG, type Config } from './config.js';
import { SubscriptionsModule } from './subscriptions.module.js';

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
    PayoutClaims,
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
    PayoutClaims,
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
