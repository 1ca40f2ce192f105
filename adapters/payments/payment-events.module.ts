import { Module } from '@nestjs/common';
import { PaymentEvents } from '../../application/payments/payment-events.js';
import { PaymentRecords } from '../../application/payments/payment-records.js';
import { PaymentsController } from './payments.controller.js';
import { PostgresPaymentRecords } from './postgres-payment-records.js';

/** The payment provider's events, and what we know of payments before their facts are in the log. */
@Module({
  controllers: [PaymentsController],
  providers: [PaymentEvents, { provide: PaymentRecords, useClass: PostgresPaymentRecords }],
  exports: [PaymentEvents, PaymentRecords],
})
export class PaymentEventsModule {}
