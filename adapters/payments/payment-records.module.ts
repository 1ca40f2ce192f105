import { Module } from '@nestjs/common';
import { BackfillCursors } from '../../application/payments/balance-cursors.js';
import { PaymentRecords } from '../../application/payments/payment-records.js';
import { PostgresBackfillCursors } from './postgres-backfill-cursors.js';
import { PostgresPaymentRecords } from './postgres-payment-records.js';

@Module({
  providers: [
    { provide: BackfillCursors, useClass: PostgresBackfillCursors },
    { provide: PaymentRecords, useClass: PostgresPaymentRecords },
  ],
  exports: [BackfillCursors, PaymentRecords],
})
export class PaymentRecordsModule {}
