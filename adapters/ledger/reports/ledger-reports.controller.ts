import { Controller, StreamableFile } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { EXPORT_TYPES } from '../../../application/ledger/export.js';
import { Posting } from '../../../application/ledger/posting.js';
import {
  ChangeAccountMap,
  MonthJournal,
  ReportQueries,
  type MonthJournalResult,
} from '../../../application/ledger/reports/month-journal.js';
import {
  MonthlyStatements,
  StatementPrinter,
} from '../../../application/ledger/reports/monthly-statement.js';
import * as endpoints from '../../../application/ledger/reports/report-endpoints.js';
import { SetVatRate, TaxReports, VatReturns } from '../../../application/ledger/tax/vat-return.js';
import { MAPPED_ACCOUNTS } from '../../../domain/ledger/account-map.js';
import { Clock } from '../../../application/shared/clock.js';
import { refuse } from '../../platform/http/request.js';
import { Route, type Call } from '../../platform/http/route.js';

@Controller()
export class LedgerReportsController {
  constructor(
    private readonly reports: ReportQueries,
    private readonly statements: MonthlyStatements,
    private readonly printer: StatementPrinter,
    private readonly journal: MonthJournal,
    private readonly tax: TaxReports,
    private readonly vat: VatReturns,
    private readonly commands: CommandBus,
    private readonly posting: Posting,
    private readonly clock: Clock,
  ) {}

  @Route(endpoints.reportDeferred)
  async deferred({ query }: Call<typeof endpoints.reportDeferred>) {
    await this.posting.allPosted();
    return this.reports.deferred(this.clock.now(), query);
  }

  @Route(endpoints.reportMargin)
  async margin({ query }: Call<typeof endpoints.reportMargin>) {
    await this.posting.allPosted();
    return this.reports.margin(query);
  }

  @Route(endpoints.readFinancialStatement)
  async statement({ query: { month } }: Call<typeof endpoints.readFinancialStatement>) {
    await this.posting.allPosted();
    return this.statements.of(month);
  }

  @Route(endpoints.printStatement)
  async statementPdf({ query: { month } }: Call<typeof endpoints.printStatement>) {
    await this.posting.allPosted();
    return new StreamableFile(await this.printer.printStatement(await this.statements.of(month)), {
      type: 'application/pdf',
      disposition: `attachment; filename="offcut-statement-${month}.pdf"`,
    });
  }

  @Route(endpoints.reportAgeing)
  async ageing({ query: { asOf = this.clock.now() } }: Call<typeof endpoints.reportAgeing>) {
    await this.posting.allPosted();
    return this.reports.ageing(asOf);
  }

  @Route(endpoints.readTaxReport)
  async taxReport({ query }: Call<typeof endpoints.readTaxReport>) {
    await this.posting.allPosted();
    return this.tax.report(query);
  }

  @Route(endpoints.exportReverseCharges)
  async reverseCharges({ params: { quarter } }: Call<typeof endpoints.exportReverseCharges>) {
    await this.posting.allPosted();
    return new StreamableFile(Buffer.from(await this.vat.firms(quarter)), {
      type: EXPORT_TYPES.csv.contentType,
      disposition: `attachment; filename="reverse-charge-${quarter}.csv"`,
    });
  }

  @Route(endpoints.readVatReturn)
  async vatReturn({ params: { quarter } }: Call<typeof endpoints.readVatReturn>) {
    await this.posting.allPosted();
    return this.vat.of(quarter);
  }

  @Route(endpoints.setVatRate)
  async setVatRate({ actor, params: { quarter }, body }: Call<typeof endpoints.setVatRate>) {
    const outcome = await this.commands.execute(new SetVatRate(quarter, body.usdPerEur, actor.userId));
    return outcome.accepted ? this.vat.of(quarter) : refuse(outcome.rejection);
  }

  @Route(endpoints.exportMonth)
  async month({ params: { month }, query }: Call<typeof endpoints.exportMonth>) {
    await this.posting.allPosted();
    const found = await this.journal.of(month, query.format, query.draft === 'true');
    if (!found.accepted) return refuse({ ...found.rejection, ...explanationOf(found.rejection) });
    return new StreamableFile(Buffer.from(found.text), {
      type: EXPORT_TYPES.csv.contentType,
      disposition: `attachment; filename="${found.name}.csv"`,
    });
  }

  @Route(endpoints.readAccountMap)
  async accountMap() {
    const accounts = [...(await this.journal.accountMap())];
    const mapped = new Set(accounts.map(({ account }) => account));
    return { accounts, unmapped: MAPPED_ACCOUNTS.filter((account) => !mapped.has(account)) };
  }

  @Route(endpoints.changeAccountMap)
  async changeAccountMap({ actor, body }: Call<typeof endpoints.changeAccountMap>) {
    await this.commands.execute(new ChangeAccountMap(body.accounts, actor.userId));
    return this.accountMap();
  }
}

const explanationOf = (
  rejection: Extract<MonthJournalResult, { accepted: false }>['rejection'],
): { detail?: string } =>
  rejection.code === 'AccountsUnmapped' ? { detail: `They are ${rejection.accounts.join(', ')}.` } : {};
