import { Module } from '@nestjs/common';
import { MailingList, MailingListStore } from '../../application/mailing-list/mailing-list.js';
import { MailingListController } from './mailing-list.controller.js';
import { Database } from '../platform/database/database.js';
import { PostgresMailingListStore } from './postgres-mailing-list.js';

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
