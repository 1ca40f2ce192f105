import { Module } from '@nestjs/common';
import { FactMails } from '../../application/mail/fact-mails.js';
import { ReceiptBook } from '../../application/mail/receipt-book.js';
import { PostgresReceiptBook } from './postgres-receipts.js';

/** Mails about events, each sent once. */
@Module({
  providers: [FactMails, { provide: ReceiptBook, useClass: PostgresReceiptBook }],
  exports: [FactMails],
})
export class MailModule {}
