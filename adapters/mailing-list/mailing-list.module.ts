import { Module } from '@nestjs/common';
import { MailingList, MailingListStore } from '../../application/mailing-list/mailing-list.js';
import { MailingListController } from './mailing-list.controller.js';
import { PostgresMailingListStore } from './postgres-mailing-list.js';

/** The subscribers of news by e-mail. */
@Module({
  controllers: [MailingListController],
  providers: [MailingList, { provide: MailingListStore, useClass: PostgresMailingListStore }],
})
export class MailingListModule {}
