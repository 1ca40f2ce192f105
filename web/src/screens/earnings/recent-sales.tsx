import { useInfiniteQuery } from '@tanstack/react-query';
import type { Sale } from '../../../../application/payouts/contract.js';
import { salesListQuery } from '../../api/creator.js';
import { Avatar } from '../../ui/avatar.js';
import { Badge } from '../../ui/badge.js';
import { countOf, formatShortDay } from '../../ui/format.js';
import { RoundedMoney } from '../../ui/money.js';
import { EmptyState, Skeleton } from '../../ui/states.js';
import { ShowMore } from './sales-parts.js';
import { useLogged } from './use-logged.js';

/** A date and time that is short enough for its column. */
const MOMENT = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
});

function Row({ sale }: { sale: Sale }) {
  const { buyerName, createdAt, sampleId, sampleTitle, packTitle, creditsUsed, amountMicroUsd, heldUntil } =
    sale;
  return (
    <tr>
      <th scope="row" className="font-semibold">
        <span className="flex items-center gap-3">
          <Avatar name={buyerName} size={28} />
          <span className="min-w-0 truncate">{buyerName}</span>
        </span>
      </th>
      <td className="sales-detail truncate text-muted">
        <time dateTime={createdAt}>{MOMENT.format(new Date(createdAt))}</time>
      </td>
      <td className="sales-detail truncate text-muted" title={sampleId}>
        {sampleTitle ?? 'Unknown sample'}
        {packTitle && <span className="text-faint"> · {packTitle}</span>}
      </td>
      <td className="sales-credits text-right">{countOf(creditsUsed, 'credit')}</td>
      <td className="sales-status text-right">
        {amountMicroUsd === 0 ? (
          <span title="Paid with promotional credits, which carry no share">
            <Badge>no share</Badge>
          </span>
        ) : heldUntil ? (
          <Badge tone="warn">held until {formatShortDay(heldUntil)}</Badge>
        ) : (
          <Badge tone="ok">released</Badge>
        )}
      </td>
      <td className="sales-share text-right">
        <RoundedMoney microUsd={amountMicroUsd} className="font-semibold" />
      </td>
    </tr>
  );
}

const COLUMNS = [
  ['Buyer', ''],
  ['Date and time', 'w-38'],
  ['Sample', 'w-68'],
  ['Credits', 'w-20 text-right'],
  ['Status', 'w-34 text-right'],
] as const;

export function RecentSales() {
  const answer = useInfiniteQuery(salesListQuery);
  const { data, error } = answer;
  useLogged('Your sales', error);
  const sales = data?.pages.flatMap(({ items }) => items) ?? [];
  const loading = !data && !error;
  return (
    <section aria-labelledby="recent-sales-title" className="panel @container/sales min-w-0">
      <div className="flex flex-wrap items-center justify-between gap-3 p-5 pb-3 max-md:px-4">
        <h2 id="recent-sales-title" className="text-lg font-semibold">
          Recent Sales
        </h2>
      </div>
      {loading && (
        <div className="p-5 pt-2">
          <Skeleton className="h-50" text="Loading recent sales..." />
        </div>
      )}
      {!loading && sales.length === 0 && (
        <EmptyState title="No sales yet">
          Your earnings will appear here when users download your samples
        </EmptyState>
      )}
      {sales.length > 0 && (
        <table className="sales w-full">
          <thead className="@max-[920px]/sales:sr-only">
            <tr>
              {COLUMNS.map(([label, className]) => (
                <th key={label} scope="col" className={className}>
                  {label}
                </th>
              ))}
              <th scope="col" className="w-32 text-right">
                Your share
              </th>
            </tr>
          </thead>
          <tbody>
            {sales.map((sale) => (
              <Row key={sale.id} sale={sale} />
            ))}
          </tbody>
        </table>
      )}
      <ShowMore of={answer} />
    </section>
  );
}
