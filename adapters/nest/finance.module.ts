import { Module } from '@nestjs/common';
import { ClosePeriod } from '../../application/finance/close-period.js';
import { CreatorAccountReader } from '../../application/earnings/readers.js';
import { BookChecks, NightlyCheck } from '../../application/finance/nightly-check.js';
import { Posting } from '../../application/finance/posting.js';
import { ProveBalance } from '../../application/finance/prove-balance.js';
import { PublishedFiles } from '../../application/finance/published-files.js';
import { TieOutStripe } from '../../application/finance/tie-out-stripe.js';
import {
  Books,
  CashFacts,
  EventBrowser,
  FilesOnSale,
  MonthlyBooks,
  OpenBooks,
  StoredBooks,
} from '../../application/finance/readers.js';
import { Reconcile } from '../../application/finance/reconcile.js';
import { SignedHeads } from '../../application/operations/signed-heads.js';
import { EventStore } from '../../application/ports/event-store.js';
import { FinanceMonthsController } from '../http/finance-months.controller.js';
import { FinancePeopleController } from '../http/finance-people.controller.js';
import { FinanceController } from '../http/finance.controller.js';
import { Database } from '../postgres/database.js';
import type { PostgresEventStore } from '../postgres/event-store.js';
import { Projector } from '../postgres/projector.js';
import { PostgresBooks } from '../postgres/read-models/books.js';
import { PostgresCashFacts } from '../postgres/read-models/cash-facts.js';
import { PostgresEventBrowser } from '../postgres/read-models/event-browser.js';
import { PostgresCreatorAccounts } from '../postgres/read-models/creator-accounts.js';
import { PostgresMonthlyBooks } from '../postgres/read-models/monthly-books.js';
import { PostgresOpenBooks } from '../postgres/read-models/open-books.js';
import { PostgresFilesOnSale, PostgresStoredBooks } from '../postgres/read-models/stored-books.js';
import { PostgresBookChecks } from '../postgres/tables/book-checks.js';
import { PROJECTIONS } from './projections.js';
import { AdministrationModule } from './administration.module.js';
import { PayoutsModule } from './payouts.module.js';
import { PurchasesModule } from './purchases.module.js';

@Module({
  imports: [AdministrationModule, PayoutsModule, PurchasesModule],
  controllers: [FinanceMonthsController, FinancePeopleController, FinanceController],
  providers: [
    ClosePeriod,
    NightlyCheck,
    Posting,
    ProveBalance,
    PublishedFiles,
    Reconcile,
    SignedHeads,
    TieOutStripe,
    {
      provide: CashFacts,
      useFactory: (database: Database) => new PostgresCashFacts(database),
      inject: [Database],
    },
    {
      provide: BookChecks,
      useFactory: (database: Database) => new PostgresBookChecks(database),
      inject: [Database],
    },
    { provide: Books, useFactory: (database: Database) => new PostgresBooks(database), inject: [Database] },
    {
      provide: MonthlyBooks,
      useFactory: (database: Database) => new PostgresMonthlyBooks(database),
      inject: [Database],
    },
    {
      provide: OpenBooks,
      useFactory: (database: Database) => new PostgresOpenBooks(database),
      inject: [Database],
    },
    {
      provide: CreatorAccountReader,
      useFactory: (database: Database) => new PostgresCreatorAccounts(database),
      inject: [Database],
    },
    {
      provide: EventBrowser,
      useFactory: (database: Database) => new PostgresEventBrowser(database),
      inject: [Database],
    },
    {
      provide: FilesOnSale,
      useFactory: (database: Database) => new PostgresFilesOnSale(database),
      inject: [Database],
    },
    {
      provide: StoredBooks,
      useFactory: (database: Database, log: PostgresEventStore) =>
        new PostgresStoredBooks(database, new Projector(database, log), PROJECTIONS.all),
      inject: [Database, EventStore],
    },
  ],
})
export class FinanceModule {}
