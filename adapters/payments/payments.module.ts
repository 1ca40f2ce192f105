import { Module } from '@nestjs/common';
import {
  BalanceTransactions,
  RecordMovementHandler,
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
import { PaymentRecordsModule } from './payment-records.module.js';
import { PostgresInvoiceLots } from './postgres-invoice-lots.js';
import { PostgresPayersToForget } from './postgres-payers-to-forget.js';

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
  exports: [BalanceTransactions, BankPayouts, ForgetPayers, InvoiceLots, MoneyBackFacts, SendRefunds],
})
export class PaymentsModule {}
