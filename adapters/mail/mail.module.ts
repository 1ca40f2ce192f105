import { Module } from '@nestjs/common';
import { FactMails, ReceiptBook } from '../../application/mail/fact-mails.js';
import { Notices } from '../../application/mail/notices.js';
import { SentMails } from '../../application/mail/sent-mails.js';
import { PostgresReceiptBook } from './postgres-mails.js';
import { PostgresNotices } from './postgres-notices.js';

@Module({
  providers: [
    FactMails,
    SentMails,
    { provide: ReceiptBook, useClass: PostgresReceiptBook },
    { provide: Notices, useClass: PostgresNotices },
  ],
  exports: [FactMails, Notices, SentMails],
})
export class MailModule {}
