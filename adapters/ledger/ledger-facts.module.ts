import { Module } from '@nestjs/common';
import { CashFactQueries } from '../../application/ledger/queries.js';
import { RecordedMovements } from '../../application/payments/balance-cursors.js';
import { PostgresCashFactQueries } from './postgres-cash-facts.js';
import { PostgresRecordedMovements } from './postgres-recorded-movements.js';

@Module({
  providers: [
    { provide: CashFactQueries, useClass: PostgresCashFactQueries },
    { provide: RecordedMovements, useClass: PostgresRecordedMovements },
  ],
  exports: [CashFactQueries, RecordedMovements],
})
export class LedgerFactsModule {}
