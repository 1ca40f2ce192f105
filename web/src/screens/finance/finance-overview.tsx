import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link } from 'react-router-dom';
import { query } from '../../api/api.js';
import type { OpenItems, TrialBalance } from '../../../../application/ledger/contract.js';
import { eventsQuery, rollforwardQuery, trialBalanceQuery } from '../../api/finance.js';
import { staffPaths } from '../../../../application/pages/staff-paths.js';
import { Badge } from '../../ui/badge.js';
import { Alerts } from './alerts.js';
import { Balances } from './balances.js';
import { Health } from './health.js';
import { type Column, kinds, Money } from '../../staff/list/column.js';
import { List } from '../../staff/list/list.js';
import { ageSince, monthName, thisMonth, utcTime } from '../../staff/dates.js';
import { Missing, PageHead, Panel } from '../../staff/page-parts.js';
import { Stream } from './parts/named.js';
import { ProviderPanel } from './parts/provider-panel.js';
import { grown, isOnWrongSide, pathOfAccount } from './parts/chart-of-accounts.js';
import { Waterfall } from './parts/waterfall.js';

const NEWEST_SHOWN = 8;

const GROUPS = [
  ['Cash at Stripe', 'stripe:balance'],
  ['Deferred', 'deferred:*'],
  ['Owed to creators', 'creator:*'],
  ['Income from credits', 'credits'],
] as const;

const debitOf = ({ debitMicroUsd, creditMicroUsd }: TrialBalance['accounts'][number]): number =>
  debitMicroUsd - creditMicroUsd;

function Figures({ balance }: { balance: TrialBalance | undefined }) {
  return (
    <dl className="panel fin-figures mb-4 p-5 max-md:p-4">
      {GROUPS.map(([label, account]) => {
        const row = balance?.accounts.find((each) => each.account === account);
        return (
          <div key={account}>
            <dt>
              <Link className="hover:underline" to={pathOfAccount(account)}>
                {label}
              </Link>
            </dt>
            <dd className={row && isOnWrongSide(row, debitOf(row)) ? 'text-danger' : undefined}>
              {row ? (
                <Money microUsd={grown(row.kind, debitOf(row))} />
              ) : (
                <span className="text-faint">–</span>
              )}
            </dd>
          </div>
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
    kind: kinds.code,
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
                {type}
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
        note={`USD, to the micro-dollar${data ? `, to event ${data.position.toLocaleString('en')}` : ''}. Times are UTC.`}
      />
      <Alerts />
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
