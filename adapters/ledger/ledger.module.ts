import { Module } from '@nestjs/common';
import { ClosePeriodHandler } from '../../application/ledger/close-period.js';
import { CreatorAccountReader } from '../../application/payouts/readers.js';
import { BookChecks, NightlyCheck } from '../../application/ledger/nightly-check.js';
import { Posting } from '../../application/ledger/posting.js';
import { ProveBalance } from '../../application/ledger/prove-balance.js';
import { PublishedFiles } from '../../application/ledger/published-files.js';
import { TieOutStripe } from '../../application/ledger/tie-out-stripe.js';
import {
  Books,
  CashFacts,
  EventBrowser,
  FilesOnSale,
  MonthlyBooks,
  OpenBooks,
  StoredBooks,
} from '../../application/ledger/readers.js';
import { Reconcile } from '../../application/ledger/reconcile.js';
import { SignedHeads } from '../../application/operations/signed-heads.js';
import { EventStore } from '../../application/shared/event-store.js';
import { FinanceMonthsController } from './finance-months.controller.js';
import { FinancePeopleController } from './finance-people.controller.js';
import { FinanceController } from './finance.controller.js';
import { Database } from '../platform/database/database.js';
import type { PostgresEventStore } from '../platform/event-log/postgres-event-store.js';
import { Projector } from '../platform/projections/projector.js';
import { PostgresBooks } from './books.js';
import { PostgresCashFacts } from './cash-facts.js';
import { PostgresEventBrowser } from './event-browser.js';
import { PostgresCreatorAccounts } from './creator-accounts.js';
import { PostgresMonthlyBooks } from './monthly-books.js';
import { PostgresOpenBooks } from './open-books.js';
import { PostgresFilesOnSale, PostgresStoredBooks } from './stored-books.js';
import { PostgresBookChecks } from './postgres-book-checks.js';
import { PROJECTIONS } from '../../bootstrap/projections.js';
import { AdministrationModule } from '../administration/administration.module.js';
import { PayoutsModule } from '../payouts/payouts.module.js';
import { PurchasesModule } from '../purchases/purchases.module.js';

@Module({
  imports: [AdministrationModule, PayoutsModule, PurchasesModule],
  controllers: [FinanceMonthsController, FinancePeopleController, FinanceController],
  providers: [
    ClosePeriodHandler,
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
