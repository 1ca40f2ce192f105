import { Injectable } from '@nestjs/common';
import { CHART, chartLineOf } from '../../../domain/ledger/accounts.js';
import { boundsOf, periodDecider } from '../../../domain/ledger/period.js';
import { sumOf } from '../../../domain/shared/micro-usd.js';
import { csvOf } from '../../shared/csv.js';
import { Streams } from '../../shared/streams.js';
import { accountLabel } from '../values.js';
import { ReportQueries, type Turnover } from './month-journal.js';
import type { MonthlyStatement, StatementPart } from './report-contract.js';

/** Prints the profit and loss and the balance sheet of a month as a PDF. */
export abstract class StatementPrinter {
  /** @throws TooBusy */
  abstract printStatement(statement: MonthlyStatement): Promise<Buffer>;
}

type Line = StatementPart['lines'][number];

const ASSETS_AND_EXPENSES: readonly string[] = ['asset', 'expense'];
const OF_A_MONTH: readonly string[] = ['income', 'expense'];

@Injectable()
export class MonthlyStatements {
  constructor(
    private readonly reports: ReportQueries,
    private readonly streams: Streams,
  ) {}

  /** @param month by UTC, such as `2026-10`; an open month is summed up to the present time */
  async of(month: string): Promise<MonthlyStatement> {
    const span = boundsOf(month);
    const monthBefore = new Date(span.from.getTime() - 1).toISOString().slice(0, 7);
    const { status } = await this.streams.load(periodDecider, month);
    return {
      month,
      monthBefore,
      isClosed: status === 'closed',
      ...partsOf(await this.reports.turnover(span), await this.reports.turnover(boundsOf(monthBefore))),
    };
  }
}

/**
 * @param now the sums at the start and end of the month @param earlier the sums at the start and end of the month
 * before
 */
export function partsOf(
  now: readonly Turnover[],
  earlier: readonly Turnover[],
): Pick<MonthlyStatement, 'profitAndLoss' | 'balanceSheet'> {
  const atEnd = balancesOf(now, 'to');
  const atStart = balancesOf(now, 'from');
  const oneMonthEarlier = balancesOf(earlier, 'from');
  const lines = (
    kinds: (kind: string) => boolean,
    amount: (of: string) => number,
    before: (of: string) => number,
  ) =>
    CHART.flatMap(({ name: account, kind }): Line[] => {
      if (kind === 'credits' || !kinds(kind)) return [];
      const sign = ASSETS_AND_EXPENSES.includes(kind) ? 1 : -1;
      const line = {
        account,
        kind,
        amountMicroUsd: sign * amount(account) || 0,
        beforeMicroUsd: sign * before(account) || 0,
      };
      return line.amountMicroUsd === 0 && line.beforeMicroUsd === 0 ? [] : [line];
    });
  const isOfAMonth = (kind: string) => OF_A_MONTH.includes(kind);
  const moved = lines(
    isOfAMonth,
    (of) => atEnd(of) - atStart(of),
    (of) => atStart(of) - oneMonthEarlier(of),
  );
  return {
    profitAndLoss: { lines: moved, ...resultOf(moved) },
    balanceSheet: {
      lines: lines((kind) => !isOfAMonth(kind), atEnd, atStart),
      ...resultOf(lines(isOfAMonth, atEnd, atStart)),
    },
  };
}

/** @returns the balance of an account, positive for a debit */
function balancesOf(turnovers: readonly Turnover[], at: 'from' | 'to'): (account: string) => number {
  const balances = new Map<string, number>();
  for (const { account, debit, credit } of turnovers) {
    const line = chartLineOf(account);
    balances.set(line, (balances.get(line) ?? 0) + debit[at] - credit[at]);
  }
  return (account) => balances.get(account) ?? 0;
}

function resultOf(lines: readonly Line[]): Pick<StatementPart, 'resultMicroUsd' | 'resultBeforeMicroUsd'> {
  const sum = (of: 'amountMicroUsd' | 'beforeMicroUsd') =>
    sumOf(lines.map((line) => (line.kind === 'income' ? line[of] : -line[of]))) || 0;
  return { resultMicroUsd: sum('amountMicroUsd'), resultBeforeMicroUsd: sum('beforeMicroUsd') };
}

/** Returns a part as CSV, in dollars with six decimals. */
export const statementCsv = (part: StatementPart, { month, monthBefore }: MonthlyStatement): string =>
  csvOf(
    ['kind', 'account', 'name', month, monthBefore],
    [
      ...part.lines.map(({ kind, account, amountMicroUsd, beforeMicroUsd }) => [
        kind,
        account,
        accountLabel(account),
        { microUsd: amountMicroUsd },
        { microUsd: beforeMicroUsd },
      ]),
      ['result', '', '', { microUsd: part.resultMicroUsd }, { microUsd: part.resultBeforeMicroUsd }],
    ],
  );
