import { useQuery } from '@tanstack/react-query';
import type { DeferredMonth } from '../../../../../application/ledger/reports/report-contract.js';
import { deferredQuery } from '../../../api/finance.js';
import { Awaited } from '../../../staff/awaited.js';
import { Badge } from '../../../ui/badge.js';
import { type Column, DataTable } from '../parts/data-table.js';
import { monthName } from '../parts/dates.js';

type Step = Exclude<keyof DeferredMonth, 'month'>;

/** Decreases are negative, so that a row adds up. */
const MOVES: readonly [step: Step, label: string, sign: 1 | -1][] = [
  ['invoicedMicroUsd', 'Invoiced', 1],
  ['promotionsMicroUsd', 'Promotions', 1],
  ['returnedMicroUsd', 'Returned', 1],
  ['recognisedMicroUsd', 'Recognised', -1],
  ['refundedMicroUsd', 'Refunded', -1],
  ['chargedBackMicroUsd', 'Charged back', -1],
  ['forfeitedMicroUsd', 'Forfeited', -1],
  ['adjustedMicroUsd', 'Adjusted', 1],
];

const moved = (month: DeferredMonth): number =>
  MOVES.reduce((sum, [step, , sign]) => sum + sign * month[step], 0);

/** Whether every month adds up, and opens with the closing of the month before. */
export const ties = (months: readonly DeferredMonth[]): boolean =>
  months.every(
    (month, at) =>
      month.openingMicroUsd + moved(month) === month.closingMicroUsd &&
      month.openingMicroUsd === (months[at - 1]?.closingMicroUsd ?? 0),
  );

function columnsOf(months: readonly DeferredMonth[]): Column<DeferredMonth>[] {
  const amount = (
    label: string,
    microUsd: (month: DeferredMonth) => number,
    total: number,
  ): Column<DeferredMonth> => ({
    label,
    value: (month) => ({ microUsd: microUsd(month) || 0 }),
    total: { microUsd: total || 0 },
  });
  return [
    {
      label: 'Month',
      value: ({ month }) => month,
      cell: ({ month }) => <span className="whitespace-nowrap">{monthName(month)}</span>,
      total: 'Total',
    },
    amount('Opening', ({ openingMicroUsd }) => openingMicroUsd, 0),
    ...MOVES.map(([step, label, sign]) =>
      amount(
        label,
        (month) => sign * month[step],
        months.reduce((sum, month) => sum + sign * month[step], 0),
      ),
    ),
    amount('Closing', ({ closingMicroUsd }) => closingMicroUsd, months.at(-1)?.closingMicroUsd ?? 0),
  ];
}

export function Deferred() {
  const query = useQuery(deferredQuery);
  if (!query.data)
    return (
      <Awaited
        query={query}
        failure="Deferred revenue could not be loaded"
        loading="Loading deferred revenue..."
        height={320}
      />
    );
  const months = query.data.items;
  return (
    <DataTable
      title="Deferred revenue"
      note={
        months.length > 0 && (
          <Badge tone={ties(months) ? 'ok' : 'danger'}>
            {ties(months) ? 'Every month ties' : 'A month does not tie'}
          </Badge>
        )
      }
      file="deferred-revenue"
      className="fin-sticky"
      columns={columnsOf(months)}
      rows={[...months].reverse()}
      keyOf={({ month }) => month}
      empty="No credits were ever worth anything."
    />
  );
}
