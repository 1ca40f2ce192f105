import { Module } from '@nestjs/common';
import { FactMails, ReceiptBook } from '../../application/mail/fact-mails.js';
import { PostgresReceiptBook } from './postgres-mails.js';

/** Sends each mail about an event once. */
@Module({
  providers: [FactMails, { provide: ReceiptBook, useClass: PostgresReceiptBook }],
  exports: [FactMails],
})
export class MailModule {}
