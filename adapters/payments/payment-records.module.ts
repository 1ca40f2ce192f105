import { Module } from '@nestjs/common';
import { CashFactQueries } from '../../application/ledger/queries.js';
import { RecordedMovements } from '../../application/payments/balance-transactions.js';
import { BackfillCursors, PaymentRecords } from '../../application/payments/payment-records.js';
import { PostgresCashFactQueries, PostgresRecordedMovements } from '../ledger/postgres-recorded-movements.js';
import { PostgresBackfillCursors, PostgresPaymentRecords } from './postgres-payment-records.js';

@Module({
  providers: [
    { provide: BackfillCursors, useClass: PostgresBackfillCursors },
    { provide: CashFactQueries, useClass: PostgresCashFactQueries },
    { provide: PaymentRecords, useClass: PostgresPaymentRecords },
    { provide: RecordedMovements, useClass: PostgresRecordedMovements },
  ],
  exports: [BackfillCursors, CashFactQueries, PaymentRecords, RecordedMovements],
})
export class PaymentRecordsModule {}
