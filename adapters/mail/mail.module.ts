import { Module } from '@nestjs/common';
import { FactMails, ReceiptBook } from '../../application/mail/fact-mails.js';
import { PostgresReceiptBook } from './postgres-mails.js';

/** Mails about events, each sent once. */
@Module({
  providers: [FactMails, { provide: ReceiptBook, useClass: PostgresReceiptBook }],
  exports: [FactMails],
})
export class MailModule {}
