import { Module } from '@nestjs/common';
import { MailingList, MailingListStore } from '../../application/mailing-list/mailing-list.js';
import { MailingListController } from './mailing-list.controller.js';
import { PostgresMailingListStore } from './postgres-mailing-list.js';

@Module({
  controllers: [MailingListController],
  providers: [MailingList, { provide: MailingListStore, useClass: PostgresMailingListStore }],
})
export class MailingListModule {}
