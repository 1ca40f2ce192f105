import { Module } from '@nestjs/common';
import { PaymentRecords } from '../../application/payments/payment-records.js';
import { PostgresPaymentRecords } from './postgres-payment-records.js';

/** What we know of payments before their facts are in the log. */
@Module({
  providers: [{ provide: PaymentRecords, useClass: PostgresPaymentRecords }],
  exports: [PaymentRecords],
})
export class PaymentRecordsModule {}
