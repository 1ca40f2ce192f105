import { Module } from '@nestjs/common';
import { DecideAlertHandler } from '../../application/alerts/decide-alert.js';
import {
  ExplainItemHandler,
  PostAdjustingEntryHandler,
  RequestAdjustingEntryHandler,
} from '../../application/ledger/closing/adjusting-entries.js';
import {
  BeginBooksHandler,
  ReopenPeriodHandler,
  RequestBeginningHandler,
  RequestReopeningHandler,
} from '../../application/ledger/closing/begin-and-reopen.js';
import { ClosePeriodHandler, ClosingChecklist } from '../../application/ledger/closing/close-period.js';
import { ClosePackages } from '../../application/ledger/closing/close-package.js';
import { SignPeriodHandler } from '../../application/ledger/closing/sign-period.js';
import { MonthlyStatements } from '../../application/ledger/reports/monthly-statement.js';
import { BookChecks, NightlyCheck } from '../../application/ledger/nightly-check.js';
import { BookProofs, ProofLimits } from '../../application/ledger/book-proofs.js';
import { EarlierEvents } from '../../application/ledger/earlier-events.js';
import { WholeProof } from '../../application/ledger/whole-proof.js';
import { Posting } from '../../application/ledger/posting.js';
import { ProveBalance } from '../../application/ledger/prove-balance.js';
import { FilesOnSale, PublishedFiles } from '../../application/ledger/published-files.js';
import { AlertQueries, BookQueries, OpenBookQueries } from '../../application/ledger/queries.js';
import { EventQueries } from './event-browser.js';
import { MonthlyBookQueries } from './monthly-books.js';
import { SetVatRateHandler, TaxReports, VatReturns } from '../../application/ledger/tax/vat-return.js';
import { CreatorTaxReports, ExportCreatorTaxesHandler } from '../../application/ledger/tax/creator-taxes.js';
import { CreatorTaxesController } from './tax/creator-taxes.controller.js';
import { PostgresTaxReports } from './tax/postgres-tax-reports.js';
import { CreatorAccountQueries } from './creator-accounts.js';
import { Reconcile } from '../../application/ledger/reconcile.js';
import { DoTieOutHandler, TieOutStripe } from '../../application/ledger/tie-outs/do-tie-out.js';
import { FetchTieOut, ReportFetches } from '../../application/ledger/tie-outs/fetch-tie-out.js';
import { Materiality, SetMaterialityHandler } from '../../application/ledger/materiality.js';
import { TieOuts } from '../../application/ledger/tie-outs/tie-outs.js';
import { PublicKeysController } from './public-keys.controller.js';
import {
  ChangeAccountMapHandler,
  MonthJournal,
  ReportQueries,
} from '../../application/ledger/reports/month-journal.js';
import { RetryFactHandler, SeeCauseHandler } from '../../application/ledger/alert-commands.js';
import { ReviewAlerts, SuspenseAlerts } from '../../application/ledger/renew-alerts.js';
import { RuleMails } from '../../application/ledger/rule-mails.js';
import { Explain } from '../../application/ledger/trace/explain.js';
import { FindInBooks } from '../../application/ledger/trace/find-in-books.js';
import { TracedEvents, TracedSearch } from '../../application/ledger/trace/traced-events.js';
import { SignedLogProofs } from '../../application/operations/signed-log-proofs.js';
import { SignedHeads } from '../../application/operations/signed-heads.js';
import { LogProofs } from '../../application/purchases/dispute-evidence.js';
import { ApprovalsModule } from '../approvals/approvals.module.js';
import { CreditsModule } from '../credits/credits.module.js';
import { MailModule } from '../mail/mail.module.js';
import { PaymentRecordsModule, PaymentsModule } from '../payments/payments.module.js';
import { PayoutsModule } from '../payouts/payouts.module.js';
import { PostgresAlerts } from './postgres-alerts.js';
import { PostgresBookQueries } from './postgres-books.js';
import { ClosingController } from './closing.controller.js';
import { FinanceMonthsController } from './finance-months.controller.js';
import { FinancePeopleController } from './finance-people.controller.js';
import { FinanceController, TraceController } from './finance.controller.js';
import { PostgresOpenBookQueries } from './postgres-open-books.js';
import {
  PostgresBookChecks,
  PostgresBookProofs,
  PostgresEarlierEvents,
} from './proof/postgres-book-proofs.js';
import { PostgresFilesOnSale } from './proof/postgres-files-on-sale.js';
import { MarginMonths } from './reports/margin-months.js';
import { PostgresLedgerReports } from './reports/postgres-ledger-reports.js';
import { LedgerReportsController } from './reports/ledger-reports.controller.js';
import { PostgresReportFetches } from './tie-outs/postgres-report-fetches.js';
import { PostgresTieOuts } from './tie-outs/postgres-tie-outs.js';
import { TieOutsController } from './tie-outs/tie-outs.controller.js';
import { PostgresTracedEvents } from './trace/postgres-traced-events.js';

@Module({
  imports: [ApprovalsModule, CreditsModule, MailModule, PaymentRecordsModule, PaymentsModule, PayoutsModule],
  controllers: [
    ClosingController,
    CreatorTaxesController,
    FinanceMonthsController,
    FinancePeopleController,
    FinanceController,
    PublicKeysController,
    LedgerReportsController,
    TieOutsController,
    TraceController,
  ],
  providers: [
    BeginBooksHandler,
    ChangeAccountMapHandler,
    ClosePeriodHandler,
    ClosingChecklist,
    CreatorTaxReports,
    ExportCreatorTaxesHandler,
    DecideAlertHandler,
    SeeCauseHandler,
    DoTieOutHandler,
    Explain,
    ExplainItemHandler,
    FetchTieOut,
    FindInBooks,
    Materiality,
    MonthJournal,
    MonthlyStatements,
    ClosePackages,
    SignPeriodHandler,
    NightlyCheck,
    PostAdjustingEntryHandler,
    PostgresTracedEvents,
    Posting,
    ProofLimits,
    ProveBalance,
    PublishedFiles,
    Reconcile,
    ReopenPeriodHandler,
    RequestAdjustingEntryHandler,
    RequestBeginningHandler,
    RequestReopeningHandler,
    RetryFactHandler,
    ReviewAlerts,
    RuleMails,
    SignedHeads,
    SuspenseAlerts,
    TieOutStripe,
    WholeProof,
    { provide: AlertQueries, useClass: PostgresAlerts },
    { provide: BookChecks, useClass: PostgresBookChecks },
    { provide: BookProofs, useClass: PostgresBookProofs },
    { provide: EarlierEvents, useClass: PostgresEarlierEvents },
    { provide: BookQueries, useClass: PostgresBookQueries },
    MonthlyBookQueries,
    { provide: OpenBookQueries, useClass: PostgresOpenBookQueries },
    CreatorAccountQueries,
    EventQueries,
    { provide: FilesOnSale, useClass: PostgresFilesOnSale },
    SetMaterialityHandler,
    SetVatRateHandler,
    VatReturns,
    { provide: TaxReports, useClass: PostgresTaxReports },
    { provide: LogProofs, useClass: SignedLogProofs },
    { provide: ReportQueries, useClass: PostgresLedgerReports },
    MarginMonths,
    { provide: ReportFetches, useClass: PostgresReportFetches },
    { provide: TieOuts, useClass: PostgresTieOuts },
    { provide: TracedEvents, useExisting: PostgresTracedEvents },
    { provide: TracedSearch, useExisting: PostgresTracedEvents },
  ],
  exports: [BookQueries, LogProofs, Posting, SignedHeads],
})
export class LedgerModule {}
