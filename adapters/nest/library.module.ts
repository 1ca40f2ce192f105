import { Module } from '@nestjs/common';
import { Library } from '../../application/library/library.js';
import { LibraryStore } from '../../application/library/readers.js';
import { Reports } from '../../application/reports/readers.js';
import { LibraryController } from '../http/library.controller.js';
import { ReportsController } from '../http/reports.controller.js';
import { Database } from '../postgres/database.js';
import { PostgresLibraryStore } from '../postgres/tables/library.js';
import { PostgresReports } from '../postgres/tables/reports.js';

@Module({
  controllers: [LibraryController, ReportsController],
  providers: [
    Library,
    {
      provide: LibraryStore,
      useFactory: (database: Database) => new PostgresLibraryStore(database),
      inject: [Database],
    },
    {
      provide: Reports,
      useFactory: (database: Database) => new PostgresReports(database),
      inject: [Database],
    },
  ],
})
export class LibraryModule {}
