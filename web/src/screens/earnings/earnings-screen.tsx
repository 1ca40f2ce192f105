import './earnings.css';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { User } from '../../../../application/accounts/contract.js';
import type { SalesPeriod } from '../../../../application/payouts/contract.js';
import { salesQuery } from '../../api/creator.js';
import { ChartPanel } from '../../charts/chart-panel.js';
import { chartOfDays } from '../../charts/days.js';
import { Download } from 'lucide-react';
import { apiAddress } from '../../api/transport/backend.js';
import { CreatorFrame } from '../../creators/creator-frame.js';
import { PageTitle } from '../../shell/page-frame.js';
import { buttonClass } from '../../ui/button.js';
import { formatMicroUsd } from '../../ui/format.js';
import { Skeleton } from '../../ui/states.js';
import { Segmented } from '../../ui/tabs.js';
import { FreeDownloads } from './free-downloads.js';
import { EarningsPanel } from './earnings-panel.js';
import { RecentSales } from './recent-sales.js';
import { Months, MonthsLink } from './months.js';
import { SharedPacks } from './shared-packs.js';
import { Statements } from './statements.js';
import { TaxDetailsPanel } from './tax-details.js';
import { WayToSale } from './way-to-sale.js';
import { WhatSells } from './what-sells.js';
import { useLogged } from './use-logged.js';

const PERIODS = [
  { value: 'week', label: 'Week' },
  { value: 'month', label: 'Month' },
  { value: '3months', label: '3 Months' },
  { value: 'year', label: 'Year' },
] as const satisfies readonly { value: SalesPeriod; label: string }[];

function SalesOverview() {
  const [period, setPeriod] = useState<SalesPeriod>('week');
  const { data, error } = useQuery(salesQuery(period));
  useLogged('Your sales', error);
  if (!data && !error) return <Skeleton className="h-75" text="Loading your sales..." />;
  const points = data?.points ?? [];
  const { chart, table, empty } = chartOfDays(points, 'revenue');
  const sum = points.reduce((total, { revenueMicroUsd }) => total + revenueMicroUsd, 0);
  return (
    <ChartPanel
      title="Sales Overview"
      note={
        points.length > 0 && (
          <>
            <b className="text-text">{formatMicroUsd(sum)}</b> in the last {points.length} days
          </>
        )
      }
      choice={<Segmented options={PERIODS} value={period} onChange={setPeriod} label="Period" />}
      chart={chart}
      table={table}
      empty={
        empty && <p className="grid h-20 place-items-center text-muted">No sales data for this period</p>
      }
    />
  );
}

/** The sales and earnings of creators, suspended ones included. */
export default function EarningsScreen({ user }: { user: User }) {
  return (
    <CreatorFrame user={user} current="sales">
      <PageTitle />
      <div className="grid min-w-0 content-start gap-4 px-(--gutter) pt-6 pb-16">
        <header className="mb-1 flex flex-wrap items-end justify-between gap-3">
          <div>
            <h1 className="display text-5xl">Sales</h1>
            <p className="mt-2 text-md text-muted">Track your sales and revenue from downloads</p>
          </div>
          <div className="flex gap-2">
            <MonthsLink />
            <a href={apiAddress('/api/creator/sales.csv')} download className={buttonClass({})}>
              <Download size={16} /> All sales as CSV
            </a>
          </div>
        </header>
        <EarningsPanel userId={user.id} suspended={!user.isCreator} />
        <SharedPacks userId={user.id} />
        <SalesOverview />
        <WhatSells />
        <WayToSale />
        <RecentSales />
        <FreeDownloads />
        <Months />
        <Statements />
        <TaxDetailsPanel />
      </div>
    </CreatorFrame>
  );
}
