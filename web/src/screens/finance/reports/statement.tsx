import { useQuery } from '@tanstack/react-query';
import { Check, Download } from 'lucide-react';
import { Fragment } from 'react';
import { Link, useSearchParams } from 'react-router-dom';
import type {
  MonthlyStatement,
  StatementPart,
} from '../../../../../application/ledger/reports/report-contract.js';
import { accountLabel } from '../../../../../application/ledger/values.js';
import { query } from '../../../api/api.js';
import { statementOfMonthQuery } from '../../../api/finance.js';
import { FileLink } from '../../../downloads/file-link.js';
import { monthName, thisMonth } from '../../../staff/dates.js';
import { CUT_OFF, Money } from '../../../staff/list/column.js';
import { type Sheet, SheetButtons } from '../../../staff/list/sheet.js';
import { Awaited, PageHead, PanelBar } from '../../../staff/page-parts.js';
import { Badge } from '../../../ui/badge.js';
import { buttonClass } from '../../../ui/button.js';
import { Select } from '../../../ui/forms/field.js';
import { pathOfAccount } from '../parts/chart-of-accounts.js';
import { AccountName } from '../parts/named.js';

const KINDS = [
  ['income', 'Income'],
  ['expense', 'Expenses'],
  ['asset', 'Assets'],
  ['liability', 'Liabilities'],
  ['equity', 'Equity'],
] as const;

const sheetOf = (part: StatementPart, { month, monthBefore }: MonthlyStatement): Sheet => ({
  columns: ['Account', 'Kind', month, monthBefore],
  rows: [
    ...part.lines.map(({ account, kind, amountMicroUsd, beforeMicroUsd }) => [
      accountLabel(account),
      kind,
      { microUsd: amountMicroUsd },
      { microUsd: beforeMicroUsd },
    ]),
    ['Result', '', { microUsd: part.resultMicroUsd }, { microUsd: part.resultBeforeMicroUsd }],
  ],
});

/** Whether assets equal liabilities, equity and the result, to the micro-dollar. */
const isBalanced = ({ lines, resultMicroUsd }: StatementPart): boolean =>
  lines.reduce((sum, { kind, amountMicroUsd }) => sum + (kind === 'asset' ? 1 : -1) * amountMicroUsd, 0) ===
  resultMicroUsd;

function Part(props: {
  title: string;
  result: string;
  part: StatementPart;
  statement: MonthlyStatement;
  /**
   * Returns the page of an account. For the profit and loss, the page of a single account shows only the entries of
   * the month.
   */
  pathOf: (account: string) => string;
}) {
  const { title, result, part, statement, pathOf } = props;
  const { month, monthBefore } = statement;
  return (
    <section className="panel min-w-0 self-start overflow-x-auto" aria-label={title}>
      <PanelBar
        title={title}
        actions={
          <SheetButtons
            title={title}
            file={`${title.toLowerCase().replaceAll(' ', '-')}-${month}`}
            sheet={() => sheetOf(part, statement)}
          />
        }
      />
      <table className="fin-table border-t border-line" aria-label={title}>
        <thead>
          <tr>
            <th scope="col">In US dollars</th>
            <th scope="col">{monthName(month)}</th>
            <th scope="col">{monthName(monthBefore)}</th>
          </tr>
        </thead>
        <tbody>
          {KINDS.map(([kind, label]) => {
            const lines = part.lines.filter((line) => line.kind === kind);
            if (lines.length === 0) return null;
            return (
              <Fragment key={kind}>
                <tr>
                  <th scope="rowgroup" colSpan={3} className="h-9 align-bottom font-semibold">
                    {label}
                  </th>
                </tr>
                {lines.map(({ account, amountMicroUsd, beforeMicroUsd }) => (
                  <tr key={account}>
                    <th scope="row" className="font-normal">
                      <Link to={pathOf(account)} className="hover:underline">
                        <AccountName account={account} />
                      </Link>
                    </th>
                    <td>
                      <Money microUsd={amountMicroUsd} />
                    </td>
                    <td>
                      <Money microUsd={beforeMicroUsd} />
                    </td>
                  </tr>
                ))}
              </Fragment>
            );
          })}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">{result}</th>
            <td>
              <Money microUsd={part.resultMicroUsd} />
            </td>
            <td>
              <Money microUsd={part.resultBeforeMicroUsd} />
            </td>
          </tr>
        </tfoot>
      </table>
    </section>
  );
}

export function StatementPage() {
  const [search, setSearch] = useSearchParams();
  const balances = useQuery(query('GET /api/finance/balances-over-time'));
  const months = balances.data?.items.map(({ month }) => month).toReversed() ?? [];
  // If the address names no month, shows the newest month that is over.
  const month = search.get('month') ?? months.find((each) => each < thisMonth()) ?? thisMonth();
  const answer = useQuery(statementOfMonthQuery(month));
  const { data } = answer;
  const monthOf = (account: string) =>
    account.endsWith(':*')
      ? pathOfAccount(account)
      : `${pathOfAccount(account)}?${new URLSearchParams({ month })}`;
  return (
    <>
      <PageHead
        title="Profit and loss"
        note={`Months are by UTC. An account opens its entries. Other currencies than dollars are left out. ${CUT_OFF}`}
      >
        <Select
          label="Month"
          value={month}
          options={(months.includes(month) ? months : [month, ...months]).map((each) => [
            each,
            monthName(each),
          ])}
          onChange={({ target }) => setSearch({ month: target.value }, { preventScrollReset: true })}
        />
        <FileLink
          path={`/api/finance/reports/statement.pdf?${new URLSearchParams({ month })}`}
          name={`offcut-statement-${month}.pdf`}
          type="application/pdf"
          className={buttonClass({}, 'min-h-11!')}
        >
          <Download size={16} />
          PDF
        </FileLink>
      </PageHead>
      {!data && <Awaited query={answer} what="statement" height={520} />}
      {data && (
        <>
          <p className="mb-4 flex gap-2">
            <Badge tone={data.isClosed ? 'ok' : 'warn'}>
              {data.isClosed ? 'Month closed' : 'Month open, figures may change'}
            </Badge>
            <Badge tone={isBalanced(data.balanceSheet) ? 'ok' : 'danger'}>
              {isBalanced(data.balanceSheet) ? <Check size={13} className="stroke-2" /> : null}
              {isBalanced(data.balanceSheet) ? 'Balanced' : 'Not balanced'}
            </Badge>
          </p>
          <div className="grid gap-4 lg:grid-cols-2">
            <Part
              title="Profit and loss"
              result="Result of the month"
              part={data.profitAndLoss}
              statement={data}
              pathOf={monthOf}
            />
            <Part
              title="Balance sheet"
              result="Result since the books began"
              part={data.balanceSheet}
              statement={data}
              pathOf={pathOfAccount}
            />
          </div>
        </>
      )}
    </>
  );
}
