import { useQuery } from '@tanstack/react-query';
import { ArrowDownRight, ArrowUpRight, Minus } from 'lucide-react';
import { useState } from 'react';
import type { CreatorDashboard, Sale, SalesPoint } from '../../../../application/payouts/contract.js';
import { DASHBOARD_DAYS } from '../../../../application/payouts/values.js';
import { query } from '../../api/api.js';
import { ChartPanel } from '../../charts/chart-panel.js';
import { type Measure, chartOfDays } from '../../charts/days.js';
import { Avatar } from '../../ui/avatar.js';
import { formatAgo, formatDay, formatMicroUsd, formatTime } from '../../ui/format.js';
import { QuietCents } from '../../ui/money.js';
import { Section } from '../../ui/section.js';
import { QueryFailure, Skeleton } from '../../ui/states.js';
import { Segmented } from '../../ui/tabs.js';

/** The change in percent; "No change", or the earlier value if it is zero or negative. */
function changeOf({ current, previous }: CreatorDashboard['downloads'], write: (value: number) => string) {
  if (current === previous) return { direction: 0, text: 'No change' };
  const direction = Math.sign(current - previous);
  if (previous <= 0) return { direction, text: `${write(previous)} in the ${DASHBOARD_DAYS} days before` };
  const percent = (Math.abs(current - previous) / previous) * 100;
  // A smaller change would be rounded to "0%", as if nothing had changed.
  const written = percent < 0.1 ? 'Under 0.1' : percent.toLocaleString('en', { maximumFractionDigits: 1 });
  return { direction, text: `${written}% on the ${DASHBOARD_DAYS} days before` };
}

function Change({ direction, text }: { direction: number; text: string }) {
  const Icon = direction > 0 ? ArrowUpRight : direction < 0 ? ArrowDownRight : Minus;
  const tone = direction > 0 ? 'text-ok' : direction < 0 ? 'text-danger' : 'text-muted';
  return (
    <dd className={`mt-2 flex items-center gap-1.5 text-sm ${tone}`}>
      <Icon size={15} />
      {direction !== 0 && <span className="sr-only">{direction > 0 ? 'Up: ' : 'Down: '}</span>}
      {text}
    </dd>
  );
}

/** The last 30 days, compared with the 30 days before. */
function StatCards({ figures }: { figures: CreatorDashboard }) {
  const { salesMicroUsd, downloads, activePacks, creditsUsed } = figures;
  const counted = (value: number) => value.toLocaleString('en');
  const stats = [
    { label: 'Total Sales', compared: salesMicroUsd, write: formatMicroUsd },
    { label: 'Downloads', compared: downloads, write: counted },
    { label: 'Active Packs', compared: activePacks, write: counted },
    { label: 'Total Credits', compared: creditsUsed, write: counted },
  ];
  return (
    <dl className="panel grid grid-cols-2 lg:grid-cols-4">
      {stats.map(({ label, compared, write }) => (
        <div
          key={label}
          className="border-line px-5 pt-3.5 pb-3.75 not-first:border-l max-lg:nth-3:border-l-0 max-lg:nth-[n+3]:border-t"
        >
          <dt className="flex flex-wrap justify-between gap-x-2 text-muted">
            {label} <span className="text-sm text-faint">Last {DASHBOARD_DAYS} days</span>
          </dt>
          <dd className="display mt-3.5 text-6xl">
            {compared === salesMicroUsd ? (
              <QuietCents microUsd={salesMicroUsd.current} />
            ) : (
              counted(compared.current)
            )}
          </dd>
          <Change {...changeOf(compared, write)} />
        </div>
      ))}
    </dl>
  );
}

function RecentActivity({ activity }: { activity: readonly Sale[] }) {
  return (
    <Section
      title="Recent Activity"
      heading="mb-2 text-lg font-semibold" // The chart beside it sets the height of the row.
      className="panel flex min-h-full min-w-0 flex-col px-5 pt-4.5 pb-3 xl:h-0"
    >
      {activity.length === 0 ? (
        <p className="grid min-h-40 place-items-center text-muted">No activity yet</p>
      ) : (
        // Beside the chart, the list shows as many whole rows as fit the chart's height. Keys can scroll the list, too.
        <div className="relative -mx-5 min-h-0 flex-1">
          <div
            role="group"
            aria-label="Latest downloads"
            tabIndex={0}
            className="overflow-y-auto px-5 [scrollbar-width:thin] xl:absolute xl:inset-x-0 xl:top-0 xl:max-h-[round(down,100%,38px)]"
          >
            <ul>
              {activity.slice(0, 10).map(({ id, buyerName, createdAt, sampleTitle, packTitle }) => (
                <li key={id} className="flex min-h-9.5 items-center gap-3" title={packTitle ?? undefined}>
                  <Avatar name={buyerName} size={28} />
                  <p className="min-w-0 flex-1 truncate">
                    <b>{buyerName}</b> downloaded {sampleTitle ?? 'a sample'}
                  </p>
                  <time
                    dateTime={createdAt}
                    title={`${formatDay(createdAt)}, ${formatTime(createdAt)}`}
                    className="text-sm text-faint"
                  >
                    {formatAgo(createdAt)}
                  </time>
                </li>
              ))}
            </ul>
          </div>
        </div>
      )}
    </Section>
  );
}

const MEASURES = [
  { value: 'downloads', label: 'Downloads' },
  { value: 'revenue', label: 'Revenue' },
] as const;
/** The chart's height, low enough that a laptop's first screen includes the payouts below. */
const HEIGHT = 208;

function Performance({ points }: { points: readonly SalesPoint[] }) {
  const [measure, setMeasure] = useState<Measure>('downloads');
  const { chart, table, empty } = chartOfDays(points.slice(-DASHBOARD_DAYS), measure);
  return (
    <ChartPanel
      title="Performance Analytics"
      note={`Last ${DASHBOARD_DAYS} days`}
      choice={<Segmented options={MEASURES} value={measure} onChange={setMeasure} label="Shown" />}
      chart={{ ...chart, height: HEIGHT }}
      table={table}
      empty={empty && <p className="grid h-20 place-items-center text-muted">No sales data yet</p>}
    />
  );
}

export function Figures() {
  const answer = useQuery(query('GET /api/creator/dashboard'));
  const { data, error } = answer;
  if (error && !data) return <QueryFailure of={answer} title="Your figures could not be loaded" />;
  if (!data) {
    return (
      <>
        <Skeleton className="h-32.5" text="Loading your figures..." />
        <Skeleton className="h-75" />
      </>
    );
  }
  return (
    <>
      <StatCards figures={data} />
      <div className="grid grid-cols-1 gap-4 xl:grid-cols-[minmax(0,1fr)_360px]">
        <Performance points={data.points} />
        <RecentActivity activity={data.activity} />
      </div>
    </>
  );
}
