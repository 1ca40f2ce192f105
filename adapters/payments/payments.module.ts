import { Module } from '@nestjs/common';
import {
  BalanceTransactions,
  RecordMovementHandler,
  RecordedMovements,
} from '../../application/payments/balance-transactions.js';
import { BankPayouts, RecordBankPayoutHandler } from '../../application/payments/record-bank-payout.js';
import { ForgetPayers, PayersToForget } from '../../application/payments/forget-payers.js';
import { InvoiceLots } from '../../application/payments/invoice-lots.js';
import {
  MoneyBackFacts,
  RecordDisputeHandler,
  RecordRefundHandler,
} from '../../application/payments/money-back.js';
import { RefundInvoiceHandler } from '../../application/payments/refund-invoice.js';
import { SendRefundHandler, SendRefunds } from '../../application/payments/send-refund.js';
import { PostgresInvoiceLots } from './postgres-invoice-lots.js';
import { PostgresPayersToForget } from './postgres-payers-to-forget.js';
import { CashFactQueries } from '../../application/ledger/queries.js';
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

@Module({
  imports: [PaymentRecordsModule],
  providers: [
    BalanceTransactions,
    BankPayouts,
    ForgetPayers,
    MoneyBackFacts,
    RecordBankPayoutHandler,
    RecordDisputeHandler,
    RecordMovementHandler,
    RecordRefundHandler,
    RefundInvoiceHandler,
    SendRefundHandler,
    SendRefunds,
    { provide: InvoiceLots, useClass: PostgresInvoiceLots },
    { provide: PayersToForget, useClass: PostgresPayersToForget },
  ],
  exports: [BalanceTransactions, BankPayouts, ForgetPayers, InvoiceLots, MoneyBackFacts],
})
export class PaymentsModule {}
