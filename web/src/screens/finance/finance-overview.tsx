import { useQuery, useInfiniteQuery } from '@tanstack/react-query';
import { ChartColumn, Table2 } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { query } from '../../api/api.js';
import type { BalancesOverTime, OpenItems, TrialBalance } from '../../../../application/ledger/contract.js';
import { LineChart } from '../../charts/line-chart.js';
import { IconButton } from '../../ui/button.js';
import { formatMicroUsd, MICRO_PER_CENT } from '../../ui/format.js';
import { type Column, kinds, Money } from '../../staff/list/column.js';
import { List } from '../../staff/list/list.js';
import { monthName, shortMonthName, thisMonth, ageSince, utcTime } from '../../staff/dates.js';
import { BarPanel, Missing, Panel, Figure, PageHead } from '../../staff/page-parts.js';
import { eventsQuery, rollforwardQuery, trialBalanceQuery } from '../../api/finance.js';
import { staffPaths } from '../../../../application/pages/staff-paths.js';
import { Badge } from '../../ui/badge.js';
import { Alerts } from './alerts.js';
import { Health } from './reconciliation.js';
import { accountName, EventName, Stream } from './parts/named.js';
import { MaterialityNote } from './parts/materiality.js';
import { ProviderPanel } from './parts/provider-panel.js';
import { grown, isOnWrongSide, pathOfAccount } from './parts/chart-of-accounts.js';
import { Waterfall } from './parts/waterfall.js';

type Month = BalancesOverTime['items'][number];
const LINES = [
  ['Cash', 'cashMicroUsd', 'var(--c1)'],
  ['Deferred', 'deferredMicroUsd', 'var(--c2)'],
  ['Creators', 'creatorsMicroUsd', 'var(--c3)'],
] as const;
const BALANCE_COLUMNS: Column<Month>[] = [
  { label: 'End of', value: ({ month }) => month, kind: kinds.month },
  ...LINES.map(([label, name]) => ({ label, value: (row: Month) => ({ microUsd: row[name] }) })),
];

function tickOf(microUsd: number): string {
  const dollars = Math.abs(microUsd) / 1_000_000;
  const text =
    dollars >= 1_000 ? `${Number((dollars / 1_000).toFixed(1))}k` : String(Number(dollars.toFixed(2)));
  return `${microUsd < 0 ? '\u2212' : ''}$${text}`;
}

/** Cash, unspent credits and debts to creators at the end of each month, as a chart or as a table. */
function Balances() {
  const { data, error } = useQuery(query('GET /api/finance/balances-over-time'));
  const [asTable, setAsTable] = useState(false);
  const title = 'Cash, deferred and creators';
  const months = data?.items ?? [];
  const moved = months.some((month) => LINES.some(([, of]) => month[of] !== 0));
  if (!moved)
    return (
      <Panel title={title}>
        {data ? (
          <p className="text-muted">No money has moved yet.</p>
        ) : (
          <Missing error={error} loading="Loading balances..." height={286} />
        )}
      </Panel>
    );
  const Icon = asTable ? ChartColumn : Table2;
  const toggle = (
    <IconButton
      label={`Show ${title} as a ${asTable ? 'chart' : 'table'}`}
      onClick={() => setAsTable(!asTable)}
    >
      <Icon size={17} />
    </IconButton>
  );
  if (asTable)
    return (
      <List
        title={title}
        file="balances-over-time"
        actions={toggle}
        columns={BALANCE_COLUMNS}
        of={months.toReversed()}
        keyOf={({ month }) => month}
      />
    );
  return (
    <BarPanel title={title} note="At the end of each month" actions={toggle}>
      <div className="border-t border-line p-5 max-md:p-4">
        <LineChart
          title={title}
          unit={MICRO_PER_CENT}
          formatTick={tickOf}
          formatValue={formatMicroUsd}
          points={months.map(({ month }) => ({
            id: month,
            label: shortMonthName(month),
            when: month === thisMonth() ? 'Today' : `End of ${monthName(month)}`,
          }))}
          lines={LINES.map(([name, of, colour]) => ({
            name,
            colour,
            values: months.map((month) => month[of]),
          }))}
        />
      </div>
    </BarPanel>
  );
}

const NEWEST_SHOWN = 8;

const GROUPS = [
  ['Cash at Stripe', 'stripe:balance'],
  ['Credits sold, not yet spent', 'deferred:*'],
  ['Owed to creators', 'creator:*'],
  ['Income from credits', 'credits'],
] as const;

const debitOf = ({ debitMicroUsd, creditMicroUsd }: TrialBalance['accounts'][number]): number =>
  debitMicroUsd - creditMicroUsd;

function Figures({ balance }: { balance: TrialBalance | undefined }) {
  return (
    <dl className="panel mb-4 grid gap-5 fit-130 p-5 max-md:p-4">
      {GROUPS.map(([label, account]) => {
        const row = balance?.accounts.find((each) => each.account === account);
        const name = (
          <Link className="hover:underline" to={pathOfAccount(account)}>
            {label}
          </Link>
        );
        return (
          <Figure key={account} name={name}>
            {row ? (
              <span className={isOnWrongSide(row, debitOf(row)) ? 'text-danger' : undefined}>
                <Money microUsd={grown(row.kind, debitOf(row))} />
              </span>
            ) : (
              <span className="text-faint">–</span>
            )}
          </Figure>
        );
      })}
    </dl>
  );
}

function Credits() {
  const month = thisMonth();
  const { data, error } = useQuery(rollforwardQuery(`${month}-01`));
  return (
    <Panel
      title={`Credits in ${monthName(month)}`}
      link={{ to: staffPaths.financeRollforward(), label: 'Every month' }}
    >
      {data ? (
        <Waterfall forward={data} label="Credits of this month" />
      ) : (
        <Missing error={error} loading="Loading credits..." height={210} />
      )}
    </Panel>
  );
}

const OPEN_COLUMNS: Column<OpenItems['items'][number]>[] = [
  {
    label: 'Account',
    value: ({ account }) => account,
    kind: accountName,
    to: ({ account }) => staffPaths.financeAccount(account),
  },
  {
    label: 'About',
    value: ({ about }) => about,
    cell: ({ about, position }) => (
      <Link className="mono underlined" title={about} to={staffPaths.financeTrace(position)}>
        {about.length > 16 ? `${about.slice(0, 12)}…` : about}
      </Link>
    ),
  },
  {
    label: 'Age in days',
    value: ({ ageDays }) => ageDays,
    cell: ({ since, aged }) => <Badge tone={aged ? 'warn' : 'neutral'}>{ageSince(since)}</Badge>,
  },
  { label: 'Amount', value: ({ amountMicroUsd }) => ({ microUsd: amountMicroUsd }) },
  { label: 'Why', value: ({ reason }) => reason },
];

function Open() {
  const { data, error } = useQuery(query('GET /api/finance/open-items'));
  if (!data)
    return (
      <Panel title="Open items">
        <Missing error={error} loading="Loading open items..." height={80} />
      </Panel>
    );
  const aged = data.items.filter((item) => item.aged).length;
  return (
    <List
      title="Open items"
      note={
        data.items.length > 0 && (
          <Badge tone={aged === 0 ? 'ok' : 'warn'}>{aged === 0 ? 'none aged' : `${aged} aged`}</Badge>
        )
      }
      file="open-items"
      columns={OPEN_COLUMNS}
      of={data.items}
      keyOf={({ account, about }) => `${account} ${about}`}
      empty="Nothing is in transit, held, owed or in suspense."
    />
  );
}

function Newest() {
  const { data, error } = useInfiniteQuery(eventsQuery({ stream: '', type: '', from: '' }));
  const events = data?.pages[0]?.items.slice(0, NEWEST_SHOWN);
  return (
    <Panel title="Newest events" link={{ to: staffPaths.financeEvents, label: 'All events' }}>
      {!events && <Missing error={error} loading="Loading events..." height={240} />}
      {events?.length === 0 && <p className="text-muted">The log is empty.</p>}
      {events && events.length > 0 && (
        <ul className="-mb-2">
          {events.map(({ position, type, stream, recordedAt }) => (
            <li key={position} className="flex flex-wrap items-baseline gap-x-3 border-t border-line py-1.5">
              <Link className="underlined" to={staffPaths.financeTrace(position)}>
                <EventName type={type} />
              </Link>
              <span className="min-w-0 flex-1 truncate text-faint" title={stream}>
                <Stream stream={stream} />
              </span>
              <span className="text-sm whitespace-nowrap text-muted">{utcTime(recordedAt)}</span>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}

export function OverviewPage() {
  const { data, error } = useQuery(trialBalanceQuery('', true));
  return (
    <>
      <PageHead
        title="The books"
        note={`USD${data ? `, to event ${data.position.toLocaleString('en')}` : ''}. Times are UTC.`}
      />
      <Alerts />
      <MaterialityNote />
      <Figures balance={data} />
      <div className="fin-columns">
        <div className="grid min-w-0 content-start gap-4">
          <Balances />
          <Credits />
        </div>
        <div className="grid min-w-0 content-start gap-4">
          <ProviderPanel />
          <Health position={data?.position ?? (error ? Number.POSITIVE_INFINITY : undefined)} />
          <Open />
          <Newest />
        </div>
      </div>
    </>
  );
}
