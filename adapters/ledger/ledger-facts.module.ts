import { Module } from '@nestjs/common';
import { CashFacts } from '../../application/ledger/readers.js';
import { RecordedMovements } from '../../application/payments/balance-cursors.js';
import { PostgresCashFacts } from './cash-facts.js';
import { PostgresRecordedMovements } from './recorded-movements.js';

/** What the ledger knows of cash. */
@Module({
  providers: [
    { provide: CashFacts, useClass: PostgresCashFacts },
    { provide: RecordedMovements, useClass: PostgresRecordedMovements },
  ],
  exports: [CashFacts, RecordedMovements],
})
export class LedgerFactsModule {}
