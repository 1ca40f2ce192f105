import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { Adjustments } from '../../application/administration/adjustments.js';
import { AdminLists, StandingPurchases } from '../../application/administration/readers.js';
import { ReturnPurchases } from '../../application/administration/return-purchases.js';
import { Takedowns } from '../../application/administration/takedowns.js';
import { AdminController } from '../http/admin.controller.js';
import { Database } from '../postgres/database.js';
import { PostgresAdminLists, PostgresStandingPurchases } from '../postgres/read-models/admin-lists.js';
import { PublishingModule } from './publishing.module.js';

@Module({
  imports: [CqrsModule, PublishingModule],
  controllers: [AdminController],
  providers: [
    Adjustments,
    ReturnPurchases,
    Takedowns,
    {
      provide: AdminLists,
      useFactory: (database: Database) => new PostgresAdminLists(database),
      inject: [Database],
    },
    {
      provide: StandingPurchases,
      useFactory: (database: Database) => new PostgresStandingPurchases(database),
      inject: [Database],
    },
  ],
})
export class AdministrationModule {}
