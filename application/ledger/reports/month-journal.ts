import { Injectable } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import {
  accountMapDecider,
  MAPPED_ACCOUNTS,
  ROUNDING,
  type MappedAccount,
} from '../../../domain/ledger/account-map.js';
import { chartLineOf } from '../../../domain/ledger/accounts.js';
import { boundsOf, endOf, periodDecider } from '../../../domain/ledger/period.js';
import { reject, type Outcome } from '../../../domain/shared/decision.js';
import { MICRO_USD_PER_CENT, sumOf } from '../../../domain/shared/micro-usd.js';
import { Clock } from '../../shared/clock.js';
import { Streams } from '../../shared/streams.js';
import type { MarginReport, MonthsQuery } from './margin-contract.js';
import type { AgeingReport, DeferredReport, JournalFormat } from './report-contract.js';
import { quickBooks, xero, type JournalEntry, type SummaryLine } from './bookkeeping-files.js';

/**
 * Total debits and credits of one line of the chart of accounts, or of the tax of one jurisdiction, before `from` and
 * before `to`, in micro-dollars.
 */
export interface Turnover {
  account: string;
  debit: { from: number; to: number };
  credit: { from: number; to: number };
}

export abstract class ReportQueries {
  /** @param months default: all months since the first posting */
  abstract deferred(now: Date, months?: MonthsQuery): Promise<DeferredReport>;
  abstract ageing(asOf: Date): Promise<AgeingReport>;
  abstract margin(months: MonthsQuery): Promise<MarginReport>;
  /** Returns dollar accounts only, without accounts that never moved. */
  abstract turnover(span: { from: Date; to: Date }): Promise<Turnover[]>;
}

export type MonthJournalResult = Outcome<
  { name: string; text: string },
  { code: 'PeriodIsOpen' } | { code: 'AccountsUnmapped'; accounts: string[] }
>;

const WRITERS = { quickbooks: quickBooks, xero } as const;

@Injectable()
export class MonthJournal {
  constructor(
    private readonly reports: ReportQueries,
    private readonly streams: Streams,
  ) {}

  accountMap(): Promise<readonly MappedAccount[]> {
    return this.streams.load(accountMapDecider, undefined);
  }

  /** @param isDraft accepts an open month, and marks the entry as a draft */
  async of(month: string, format: JournalFormat, isDraft: boolean): Promise<MonthJournalResult> {
    const period = await this.streams.history(periodDecider, month);
    const { status } = period.reduce(periodDecider.evolve, periodDecider.initialState);
    if (status !== 'closed' && !isDraft) return reject({ code: 'PeriodIsOpen' });
    const closings = period.filter(({ type }) => type === 'PeriodClosed').length;
    const amounts = summaryOf(await this.reports.turnover(boundsOf(month)));
    const map = new Map((await this.accountMap()).map((mapped) => [mapped.account, mapped]));
    const mappedOf = (account: string) => map.get(chartLineOf(account));
    const unmapped = amounts.flatMap(({ account }) => (mappedOf(account) ? [] : chartLineOf(account)));
    if (unmapped.length > 0) return reject({ code: 'AccountsUnmapped', accounts: [...new Set(unmapped)] });
    const entry: JournalEntry = {
      number: `OFFCUT-${month}${closings > 1 ? `-${closings}` : ''}`,
      date: endOf(month).toISOString().slice(0, 10),
      narration: `${status === 'closed' ? '' : 'DRAFT '}Offcut ${month}`,
      lines: amounts.map(({ account, cents }): SummaryLine => {
        const { name = account, code = '' } = mappedOf(account) ?? {};
        return { name, code, cents, about: account };
      }),
    };
    return { accepted: true, name: `${entry.number}-${format}`, text: WRITERS[format](entry) };
  }
}

/**
 * Returns a debit and a credit line per account, without lines of 0 cents, and a line for the rounding
 * difference. Rounds running totals, so that rounding errors do not add up.
 */
export function summaryOf(turnovers: readonly Turnover[]): { account: string; cents: number }[] {
  const lines = turnovers.flatMap(({ account, debit, credit }) => [
    { account, cents: centsOf(debit.to) - centsOf(debit.from) },
    { account, cents: centsOf(credit.from) - centsOf(credit.to) },
  ]);
  const rest = sumOf(lines.map(({ cents }) => cents));
  const order = (account: string) => MAPPED_ACCOUNTS.indexOf(chartLineOf(account));
  return [...lines, { account: ROUNDING, cents: -rest || 0 }]
    .filter(({ cents }) => cents !== 0)
    .toSorted((a, b) => order(a.account) - order(b.account) || a.account.localeCompare(b.account, 'en'));
}

/** Rounds a non-negative amount to the nearest cent. */
const centsOf = (microUsd: number): number =>
  Math.floor((microUsd + MICRO_USD_PER_CENT / 2) / MICRO_USD_PER_CENT);

/** Maps our accounts to those of another bookkeeping system. */
export class ChangeAccountMap extends Command<void> {
  constructor(
    readonly accounts: readonly MappedAccount[],
    readonly by: string,
  ) {
    super();
  }
}

@CommandHandler(ChangeAccountMap)
export class ChangeAccountMapHandler implements ICommandHandler<ChangeAccountMap> {
  constructor(
    private readonly streams: Streams,
    private readonly clock: Clock,
  ) {}

  async execute({ accounts, by }: ChangeAccountMap): Promise<void> {
    const now = this.clock.now().toISOString();
    await this.streams.execute(
      accountMapDecider,
      undefined,
      { type: 'ChangeAccountMap', accounts, by, now },
      { actor: by, correlationId: accountMapDecider.streamOf() },
    );
  }
}
