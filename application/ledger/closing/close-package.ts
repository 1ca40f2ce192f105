import { Injectable } from '@nestjs/common';
import { endOf, periodDecider } from '../../../domain/ledger/period.js';
import { tieOutDecider } from '../../../domain/ledger/kept-tie-out.js';
import { reject, type Outcome } from '../../../domain/shared/decision.js';
import { Clock } from '../../shared/clock.js';
import { csvOf } from '../../shared/csv.js';
import { Streams } from '../../shared/streams.js';
import { Archiver, type Archive } from '../../storage/archive.js';
import { BookQueries, OpenBookQueries } from '../queries.js';
import { Reconcile } from '../reconcile.js';
import { MonthlyStatements, StatementPrinter, statementCsv } from '../reports/monthly-statement.js';
import { TieOuts } from '../tie-outs/tie-outs.js';
import { accountLabel } from '../values.js';

export type ClosePackageResult = Outcome<{ filename: string; archive: Archive }, { code: 'PeriodIsOpen' }>;

/**
 * Builds the archive of documents that an accountant keeps for a closed
 * month. Each file is a view of the books; nothing is stored.
 */
@Injectable()
export class ClosePackages {
  constructor(
    private readonly streams: Streams,
    private readonly books: BookQueries,
    private readonly open: OpenBookQueries,
    private readonly tieOuts: TieOuts,
    private readonly reconcile: Reconcile,
    private readonly statements: MonthlyStatements,
    private readonly printer: StatementPrinter,
    private readonly archiver: Archiver,
    private readonly clock: Clock,
  ) {}

  /** @throws TooBusy before any part of the archive is sent */
  async of(month: string): Promise<ClosePackageResult> {
    const period = await this.streams.load(periodDecider, month);
    const closing = (await this.books.closedPeriods()).items.find((each) => each.month === month);
    if (period.status !== 'closed' || !closing) return reject({ code: 'PeriodIsOpen' });
    const modifiedAt = this.clock.now();
    const statement = await this.statements.of(month);
    const { items } = await this.open.clearable(modifiedAt, endOf(month));
    const { checkedAt, invariants } = await this.reconcile.run();
    const texts: [name: string, text: string][] = [
      ['closing.json', `${JSON.stringify({ ...closing, packedAt: modifiedAt.toISOString() }, null, 2)}\n`],
      ['profit-and-loss.csv', statementCsv(statement.profitAndLoss, statement)],
      ['balance-sheet.csv', statementCsv(statement.balanceSheet, statement)],
      [
        'balances.csv',
        csvOf(
          ['account', 'name', 'commodity', 'balance'],
          period.balances.map(({ account, commodity, balance }) => [
            account,
            accountLabel(account),
            commodity,
            commodity === 'credits' ? balance : { microUsd: balance },
          ]),
        ),
      ],
      [
        'open-items.csv',
        csvOf(
          ['account', 'about', 'since', 'age in days', 'currency', 'amount', 'reason', 'explanation'],
          items.map(({ account, about, since, ageDays, currency, amountMicro, reason, note }) => [
            account,
            about,
            since,
            ageDays,
            currency,
            { microUsd: amountMicro },
            reason,
            note?.text ?? '',
          ]),
        ),
      ],
      ['tie-out.csv', await this.tieOutOf(month)],
      [
        'rules.csv',
        csvOf(
          ['number', 'rule', 'holds', 'checked at'],
          invariants.map(({ number, name, holds }) => [number, name, holds ? 'yes' : 'NO', checkedAt]),
        ),
      ],
    ];
    const archive = await this.archiver.pack([
      ...texts.map(([name, text]) => ({ name, modifiedAt, bytes: Buffer.from(text) })),
      { name: 'statements.pdf', modifiedAt, bytes: await this.printer.printStatement(statement) },
    ]);
    return { accepted: true, filename: `Offcut ${month}.zip`, archive };
  }

  /**
   * Returns as CSV the newest comparison with a provider's report that covers the month; only the headings if there
   * is no such comparison.
   */
  private async tieOutOf(month: string): Promise<string> {
    const covering = await this.tieOuts.covering(month);
    const found = covering && (await this.streams.load(tieOutDecider, covering.id));
    const rows = found
      ? [
          ['matched', String(found.matched), '', '', { microUsd: found.booksMicroUsd }],
          ...found.open.map(({ side, id, what, at, amountMicroUsd }) => [
            side === 'stripe' ? 'only at Stripe' : 'only in the books',
            id,
            what,
            at,
            { microUsd: amountMicroUsd },
          ]),
        ]
      : [];
    return csvOf(['side', 'id', 'what', 'at', 'amount'], rows);
  }
}
