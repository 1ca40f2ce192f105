import { Module } from '@nestjs/common';
import { MailingList, MailingListStore } from '../../application/mailing-list/mailing-list.js';
import { MailingListController } from '../http/mailing-list.controller.js';
import { Database } from '../postgres/database.js';
import { PostgresMailingListStore } from '../postgres/tables/mailing-list.js';

@Module({
  controllers: [MailingListController],
  providers: [
    MailingList,
    {
      provide: MailingListStore,
      useFactory: (database: Database) => new PostgresMailingListStore(database),
      inject: [Database],
    },
  ],
})
export class MailingListModule {}
