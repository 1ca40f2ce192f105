import { useQuery } from '@tanstack/react-query';
import { query } from '../../../api/api.js';
import type { Margin } from '../../../../../application/ledger/reports/margin-contract.js';
import type { DeferredMonth } from '../../../../../application/ledger/reports/report-contract.js';
import type { Answer } from '../../../api/endpoints.js';
import { ageingQuery } from '../../../api/finance.js';
import { utcTime } from '../../../staff/dates.js';
import { type Column, CUT_OFF, kinds } from '../../../staff/list/column.js';
import { type Filters, FilterFields, useFilters } from '../../../staff/list/list-page.js';
import { List, rowsOf } from '../../../staff/list/list.js';
import { PageHead } from '../../../staff/page-parts.js';
import { Badge } from '../../../ui/badge.js';
import { MonthJournal } from './month-journal.js';

type Ageing = Answer<'GET /api/finance/reports/ageing'>['items'][number];

const PLANS: Record<Margin['plan'], string> = {
  starter: 'Starter',
  premium: 'Premium',
  studio: 'Studio',
  'top-up-25': 'Top-up of 25',
  'top-up-50': 'Top-up of 50',
  'top-up-100': 'Top-up of 100',
  given: 'Given away',
  none: 'No product',
};

type Step = Exclude<keyof DeferredMonth, 'month'>;

/** The movements of a month with their signs. Decreases are negative, so that each row adds up to its closing. */
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
const ties = (months: readonly DeferredMonth[]): boolean =>
  months.every(
    (month, at) =>
      month.openingMicroUsd + moved(month) === month.closingMicroUsd &&
      month.openingMicroUsd === (months[at - 1]?.closingMicroUsd ?? 0),
  );

function columnsOf(months: readonly DeferredMonth[]): Column<DeferredMonth>[] {
  const amount = (label: string, of: (month: DeferredMonth) => number): Column<DeferredMonth> => ({
    label,
    value: (month) => ({ microUsd: of(month) || 0 }),
  });
  return [
    { label: 'Month', value: ({ month }) => month, total: 'Total', kind: kinds.month },
    { ...amount('Opening', ({ openingMicroUsd }) => openingMicroUsd), total: { microUsd: 0 } },
    ...MOVES.map(([step, label, sign]) => ({ ...amount(label, (month) => sign * month[step]), sum: true })),
    {
      ...amount('Closing', ({ closingMicroUsd }) => closingMicroUsd),
      total: { microUsd: months.at(-1)?.closingMicroUsd ?? 0 },
    },
  ];
}

function Deferred() {
  const answer = useQuery(query('GET /api/finance/reports/deferred'));
  const months = answer.data?.items ?? [];
  return (
    <List
      of={rowsOf(answer, ({ items }) => items.toReversed())}
      what="deferred revenue"
      title="Deferred revenue"
      note={
        months.length > 0 && (
          <Badge tone={ties(months) ? 'ok' : 'danger'}>
            {ties(months) ? 'Every month ties' : 'A month does not tie'}
          </Badge>
        )
      }
      file="deferred-revenue"
      sideways
      columns={columnsOf(months)}
      keyOf={({ month }) => month}
      empty="No credits were ever worth anything."
    />
  );
}

const AGES: Column<Ageing>[] = [
  { label: 'Days', value: ({ age }) => age, total: 'Total', kind: kinds.unbroken },
  { label: 'Lots', value: ({ lots }) => lots, sum: true },
  { label: 'Paid', value: ({ paidMicroUsd }) => ({ microUsd: paidMicroUsd }), sum: true },
  {
    label: 'Promotional',
    value: ({ promotionalMicroUsd }) => ({ microUsd: promotionalMicroUsd }),
    sum: true,
  },
  { label: 'Together', value: ({ totalMicroUsd }) => ({ microUsd: totalMicroUsd }), sum: true },
];

/** The value of unspent credits by age. @param asOf at the end of this day; if empty, now */
function AgesOfDeferred({ asOf }: { asOf: string }) {
  const answer = useQuery(ageingQuery(asOf));
  return (
    <List
      of={answer}
      what="ages"
      title="Age of what is deferred"
      note={`${answer.data && utcTime(answer.data.asOf)} UTC. Credits that came back keep their first date.`}
      file={asOf ? `ageing-${asOf}` : 'ageing'}
      sideways
      columns={AGES}
      keyOf={({ age }) => age}
      empty="Nothing is deferred."
    />
  );
}

const PARTS = [
  ['recognisedMicroUsd', 'Credits spent'],
  ['forfeitedMicroUsd', 'Forfeited'],
  ['refundsMicroUsd', 'Refunds'],
  ['sharesMicroUsd', "Creators' shares"],
  ['feesMicroUsd', "Stripe's fees"],
  ['chargebacksMicroUsd', 'Chargebacks'],
  ['goodwillMicroUsd', 'Goodwill'],
  ['lossesMicroUsd', 'Creator losses'],
  ['marginMicroUsd', 'Margin'],
] as const;

const percentOf = ({ recognisedMicroUsd, forfeitedMicroUsd, marginMicroUsd }: Margin): string => {
  const earned = recognisedMicroUsd + forfeitedMicroUsd;
  return earned > 0 ? `${((100 * marginMicroUsd) / earned).toFixed(1).replace('-', '\u2212')} %` : '';
};

const MARGIN: Column<Margin>[] = [
  { label: 'Month', value: ({ month }) => month, total: 'Total', kind: kinds.month },
  { label: 'Plan', value: ({ plan }) => PLANS[plan] },
  ...PARTS.map(([part, label]): Column<Margin> => ({
    label,
    value: (row) => ({ microUsd: row[part] }),
    sum: true,
  })),
  { label: 'Of earned', value: percentOf, align: 'right' },
];

function Margins() {
  return (
    <List
      of={rowsOf(useQuery(query('GET /api/finance/reports/margin')), ({ items }) =>
        items.toSorted((a, b) => b.month.localeCompare(a.month)),
      )}
      what="margin"
      title="Gross margin by plan"
      note="Costs are negative. Each purchase counts for the plans that paid for its credits."
      file="margin-by-plan"
      sideways
      columns={MARGIN}
      keyOf={({ month, plan }) => `${month} ${plan}`}
      empty="Nothing was earned and nothing spent."
    />
  );
}

const FILTERS = { asOf: { type: 'date', label: 'Ages at the end of (UTC)' } } satisfies Filters;

export function ReportsPage() {
  const { asOf } = useFilters(FILTERS);
  return (
    <>
      <PageHead title="Reports" note={`USD. Months are by UTC. ${CUT_OFF}`}>
        <FilterFields filters={FILTERS} />
      </PageHead>
      <div className="grid gap-4">
        <Deferred />
        <AgesOfDeferred asOf={asOf} />
        <Margins />
        <MonthJournal />
      </div>
    </>
  );
}
