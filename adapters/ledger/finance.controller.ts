import { Readable } from 'node:stream';
import { Body, Controller, Get, HttpCode, Param, Post, Query, Res, StreamableFile } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiResponse, ApiTags } from '@nestjs/swagger';
import * as z from 'zod';
import {
  AccountStatement,
  BalanceProof,
  BookCheckList,
  ClosedPeriods,
  EventPage,
  EventsQuery,
  ExportQuery,
  Month,
  PeriodSummary,
  Reconciliation,
  Rollforward,
  RollforwardQuery,
  SpanQuery,
  StatementQuery,
  TrialBalance,
  StripeReportBody,
  StripeTieOut,
  TrialBalanceQuery,
} from '../../application/ledger/contract.js';
import { ClosePeriod, type CloseOutcome } from '../../application/ledger/commands.js';
import { EXPORT_TYPES, exportJournal } from '../../application/ledger/export.js';
import { BookChecks } from '../../application/ledger/nightly-check.js';
import { Posting } from '../../application/ledger/posting.js';
import { ProveBalance } from '../../application/ledger/prove-balance.js';
import { Reconcile } from '../../application/ledger/reconcile.js';
import { ReportUnreadable } from '../../application/ledger/stripe-report.js';
import { TieOutStripe } from '../../application/ledger/tie-out-stripe.js';
import { Books, EventBrowser } from '../../application/ledger/readers.js';
import { Clock } from '../../application/shared/clock.js';
import { Id } from '../../application/shared/contract.js';
import { chartedAccount } from '../../domain/ledger/accounts.js';
import { AccessFor, CurrentActor, type Actor } from '../platform/http/access.js';
import { Takes } from '../platform/http/bodies/body.js';
import { ProblemException, refuse } from '../platform/http/problems.js';
import type { HttpResponse } from '../platform/http/request.js';

const NIGHTS_SHOWN = 30;
/** A year of the payment provider's balance report. */
const REPORT_LIMIT_BYTES = 32 * 1024 * 1024;

const AccountName = z
  .string()
  .max(200)
  .regex(/^[\w:.-]+$/, 'not an account');

/** The books, for people who check them. */
@ApiTags('Finance')
@Controller('api/finance')
@AccessFor('finance')
export class FinanceController {
  constructor(
    private readonly books: Books,
    private readonly browser: EventBrowser,
    private readonly prove: ProveBalance,
    private readonly reconcile: Reconcile,
    private readonly checks: BookChecks,
    private readonly commands: CommandBus,
    private readonly stripe: TieOutStripe,
    private readonly posting: Posting,
    private readonly clock: Clock,
  ) {}

  @Get('trial-balance')
  @ApiResponse({ status: 200, standardSchema: TrialBalance })
  async trialBalance(
    @Query({ schema: TrialBalanceQuery }) query: z.infer<typeof TrialBalanceQuery>,
  ): Promise<TrialBalance> {
    const { asOf = this.clock.now(), grouped } = query;
    await this.posting.allPosted();
    return this.books.trialBalance({ asOf, grouped: grouped === 'true' });
  }

  @Get('accounts/:account')
  @ApiResponse({ status: 200, standardSchema: AccountStatement })
  async statement(
    @Param('account', { schema: AccountName }) account: string,
    @Query({ schema: StatementQuery }) query: z.infer<typeof StatementQuery>,
  ): Promise<AccountStatement> {
    if (!chartedAccount(account)) throw new ProblemException('NotFound');
    await this.posting.allPosted();
    return this.books.statement(account, query);
  }

  @Get('credit-rollforward')
  @ApiResponse({ status: 200, standardSchema: Rollforward })
  async rollforward(
    @Query({ schema: RollforwardQuery }) query: z.infer<typeof RollforwardQuery>,
  ): Promise<Rollforward> {
    await this.posting.allPosted();
    return this.books.rollforward(query);
  }

  @Get('events')
  @ApiResponse({ status: 200, standardSchema: EventPage })
  async events(@Query({ schema: EventsQuery }) query: EventsQuery): Promise<EventPage> {
    return this.browser.list(query);
  }

  @Get('proof/:userId')
  @ApiResponse({ status: 200, standardSchema: BalanceProof })
  async proof(@Param('userId', { schema: Id }) userId: string): Promise<BalanceProof> {
    return this.prove.of(userId);
  }

  @Get('reconciliation')
  @ApiResponse({ status: 200, standardSchema: Reconciliation })
  async reconciliation(): Promise<Reconciliation> {
    await this.posting.allPosted();
    return this.reconcile.run();
  }

  /** What was found each night. */
  @Get('checks')
  @ApiResponse({ status: 200, standardSchema: BookCheckList })
  async nightlyChecks(): Promise<BookCheckList> {
    return { items: await this.checks.list(NIGHTS_SHOWN) };
  }

  @Post('stripe-report')
  @HttpCode(200)
  @Takes(['csv', 'json'], REPORT_LIMIT_BYTES)
  @ApiResponse({ status: 200, standardSchema: StripeTieOut })
  async tieOut(@Body({ schema: StripeReportBody }) csv: string): Promise<StripeTieOut> {
    await this.posting.allPosted();
    try {
      return await this.stripe.run(csv);
    } catch (error) {
      if (error instanceof ReportUnreadable)
        throw new ProblemException('ReportUnreadable', { detail: error.message });
      throw error;
    }
  }

  @Get('periods')
  @ApiResponse({ status: 200, standardSchema: ClosedPeriods })
  async closedPeriods(): Promise<ClosedPeriods> {
    return this.books.closedPeriods();
  }

  /** 201 when it closes the month, 200 when it was closed before. */
  @Post('periods/:month/close')
  @ApiResponse({ status: 201, standardSchema: PeriodSummary })
  @ApiResponse({ status: 200, standardSchema: PeriodSummary })
  async closePeriod(
    @CurrentActor() { userId }: Actor,
    @Param('month', { schema: Month }) month: string,
    @Res({ passthrough: true }) response: HttpResponse,
  ): Promise<PeriodSummary> {
    const outcome = await this.commands.execute(new ClosePeriod(month, userId));
    if (!outcome.accepted) return refuse({ ...outcome.rejection, ...explanationOf(outcome.rejection) });
    if (!outcome.first) response.statusCode = 200;
    const { lastPosition, hash, balances, by, at } = outcome.period;
    const debits = balances.filter(({ commodity, balance }) => commodity === 'usd' && balance > 0);
    const totalDebitMicroUsd = debits.reduce((sum, { balance }) => sum + balance, 0);
    return { month, lastPosition, hash, closedBy: by, closedAt: at, totalDebitMicroUsd };
  }

  @Get('export')
  @ApiResponse({ status: 200, description: 'The journal as a file' })
  async export(@Query({ schema: ExportQuery }) query: z.infer<typeof ExportQuery>): Promise<StreamableFile> {
    await this.posting.allPosted();
    const { contentType, extension } = EXPORT_TYPES[query.format];
    return new StreamableFile(Readable.from(exportJournal(query.format, this.books.lines(query))), {
      type: contentType,
      disposition: `attachment; filename="${exportName(query)}.${extension}"`,
    });
  }
}

/** What the screen says of why a month stays open. */
function explanationOf(rejection: Extract<CloseOutcome, { accepted: false }>['rejection']): {
  detail?: string;
} {
  switch (rejection.code) {
    case 'BooksBroken':
      return {
        detail: rejection.broken
          .map(({ number, name, detail }) => `Rule ${number} (${name})${detail ? `: ${detail}` : ''}.`)
          .join(' '),
      };
    case 'PeriodOutOfOrder':
      return { detail: `${rejection.nextMonth} comes first.` };
    case 'PeriodBeforeBooks':
      return {
        detail: rejection.firstMonth
          ? `The books begin in ${rejection.firstMonth}.`
          : 'Nothing is posted yet.',
      };
    default:
      return {};
  }
}

function exportName({ from, to }: z.infer<typeof SpanQuery>): string {
  const days = [from, to].flatMap((date) => (date ? [date.toISOString().slice(0, 10)] : []));
  return ['journal', ...days].join('-');
}
