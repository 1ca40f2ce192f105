import { Readable } from 'node:stream';
import { Controller, StreamableFile } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import * as endpoints from '../../application/ledger/endpoints.js';
import { ClosePeriod, type CloseOutcome } from '../../application/ledger/closing/close-period.js';
import { EXPORT_TYPES, exportJournal, journalName } from '../../application/ledger/export.js';
import { BookChecks } from '../../application/ledger/nightly-check.js';
import { Posting } from '../../application/ledger/posting.js';
import { ProveBalance } from '../../application/ledger/prove-balance.js';
import { Reconcile } from '../../application/ledger/reconcile.js';
import { BookQueries } from '../../application/ledger/queries.js';
import { EventQueries } from './event-browser.js';
import { Clock } from '../../application/shared/clock.js';
import { chartedAccount } from '../../domain/ledger/accounts.js';
import { refuse as refuseAny } from '../platform/http/request.js';
import { Route, type Call } from '../platform/http/route.js';
import { Explain } from '../../application/ledger/trace/explain.js';
import { FindInBooks } from '../../application/ledger/trace/find-in-books.js';

const NIGHTS_SHOWN = 30;

@Controller()
export class FinanceController {
  constructor(
    private readonly books: BookQueries,
    private readonly browser: EventQueries,
    private readonly prove: ProveBalance,
    private readonly reconcile: Reconcile,
    private readonly checks: BookChecks,
    private readonly commands: CommandBus,
    private readonly posting: Posting,
    private readonly clock: Clock,
  ) {}

  @Route(endpoints.readTrialBalance)
  async trialBalance({ query }: Call<typeof endpoints.readTrialBalance>) {
    const { asOf = this.clock.now(), grouped } = query;
    await this.posting.allPosted();
    return this.books.trialBalance({ asOf, grouped: grouped === 'true' });
  }

  @Route(endpoints.readAccount)
  async statement({ params: { account }, query, refuse }: Call<typeof endpoints.readAccount>) {
    if (!chartedAccount(account)) return refuse({ code: 'NotFound' });
    await this.posting.allPosted();
    return this.books.statement(account, query);
  }

  @Route(endpoints.readRollforward)
  async rollforward({ query }: Call<typeof endpoints.readRollforward>) {
    await this.posting.allPosted();
    return this.books.rollforward(query);
  }

  @Route(endpoints.listEvents)
  events({ query }: Call<typeof endpoints.listEvents>) {
    return this.browser.list(query);
  }

  @Route(endpoints.proveBalance)
  async proof({ params, refuse }: Call<typeof endpoints.proveBalance>) {
    return (await this.prove.of(params.userId)) ?? refuse({ code: 'NotFound' });
  }

  @Route(endpoints.reconcile)
  async reconciliation() {
    await this.posting.allPosted();
    return this.reconcile.run();
  }

  @Route(endpoints.listChecks)
  async nightlyChecks() {
    return { items: await this.checks.list(NIGHTS_SHOWN) };
  }

  @Route(endpoints.listPeriods)
  closedPeriods() {
    return this.books.closedPeriods();
  }

  @Route(endpoints.closePeriod)
  async closePeriod({ actor, params: { month }, response, refuse }: Call<typeof endpoints.closePeriod>) {
    const outcome = await this.commands.execute(new ClosePeriod(month, actor.userId));
    if (!outcome.accepted) {
      const detail = detailOf(outcome.rejection);
      return refuseAny({ ...outcome.rejection, ...(detail !== undefined && { detail }) });
    }
    if (!outcome.first) response.statusCode = 200;
    const { items } = await this.books.closedPeriods();
    return items.find((period) => period.month === month) ?? refuse({ code: 'PeriodIsOpen' });
  }

  @Route(endpoints.exportJournal)
  async export({ query }: Call<typeof endpoints.exportJournal>) {
    await this.posting.allPosted();
    const { contentType, extension } = EXPORT_TYPES[query.format];
    return new StreamableFile(Readable.from(exportJournal(query.format, this.books, query)), {
      type: contentType,
      disposition: `attachment; filename="${journalName(query)}.${extension}"`,
    });
  }
}

/** Returns the text with which the screen explains why a month cannot be closed. */
function detailOf(rejection: Extract<CloseOutcome, { accepted: false }>['rejection']): string | undefined {
  switch (rejection.code) {
    case 'BooksBroken':
      return rejection.broken
        .map(({ number, name, detail }) => `Rule ${number} (${name})${detail ? `: ${detail}` : ''}.`)
        .join(' ');
    case 'PeriodNotReady':
      return rejection.undone.map(({ text }) => `${text}.`).join(' ');
    case 'PeriodOutOfOrder':
      return `${rejection.nextMonth} comes first.`;
    case 'PeriodBeforeBooks':
      return rejection.firstMonth ? `The books begin in ${rejection.firstMonth}.` : 'Nothing is posted yet.';
    default:
      return undefined;
  }
}

@Controller()
export class TraceController {
  constructor(
    private readonly explaining: Explain,
    private readonly finding: FindInBooks,
    private readonly posting: Posting,
  ) {}

  @Route(endpoints.findInBooks)
  async find({ query }: Call<typeof endpoints.findInBooks>) {
    return { items: await this.finding.find(query.q) };
  }

  @Route(endpoints.traceMoney)
  async explain({ params, query, refuse }: Call<typeof endpoints.traceMoney>) {
    await this.posting.allPosted();
    return (await this.explaining.of(params.id, query)) ?? refuse({ code: 'NotFound' });
  }
}
