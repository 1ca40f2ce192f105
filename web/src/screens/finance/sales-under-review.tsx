import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from 'react-router-dom';
import type { SaleUnderReview } from '../../../../application/payouts/contract.js';
import { salesUnderReviewQuery } from '../../api/finance.js';
import { staffPaths } from '../../staff/paths.js';
import { Awaited } from '../../staff/awaited.js';
import { Button } from '../../ui/button.js';
import { countOf } from '../../ui/format.js';
import { EmptyState } from '../../ui/states.js';
import { amountsOf } from './parts/amounts.js';
import { type Column, DataTable } from './parts/data-table.js';
import { utcTime } from './parts/dates.js';
import { PageHead } from './parts/page.js';
import { ExplainedId } from './trace/explained-id.js';

const columnsOf = (rows: readonly SaleUnderReview[]): Column<SaleUnderReview>[] => [
  {
    label: 'Creator',
    value: ({ creatorName }) => creatorName,
    total: 'Total',
    cell: ({ creatorId, creatorName }) => (
      <Link
        className="font-semibold hover:underline md:whitespace-nowrap"
        to={staffPaths.financeCreator(creatorId)}
      >
        {creatorName}
      </Link>
    ),
  },
  amountsOf(rows)('Share held', ({ shareMicroUsd }) => shareMicroUsd),
  { label: 'A credit', value: ({ perCreditMicroUsd }) => ({ microUsd: perCreditMicroUsd }) },
  { label: 'Highest plan', value: ({ dearestMicroUsd }) => ({ microUsd: dearestMicroUsd }) },
  { label: 'Credits', value: ({ credits }) => credits },
  {
    label: 'Why',
    value: ({ reason }) => reason,
    cell: ({ reason }) => <span className="block min-w-44">{reason}</span>,
  },
  {
    label: 'Listener',
    value: ({ buyerName }) => buyerName,
    cell: ({ buyerId, buyerName }) => (
      <Link className="whitespace-nowrap hover:underline" to={staffPaths.financeProof(buyerId)}>
        {buyerName}
      </Link>
    ),
  },
  {
    label: 'Sample',
    value: ({ sampleTitle, sampleId }) => sampleTitle ?? sampleId,
    cell: ({ sampleTitle, sampleId }) => (
      <span className="block min-w-30 wrap-anywhere">{sampleTitle ?? sampleId}</span>
    ),
  },
  {
    label: 'Sold (UTC)',
    value: ({ soldAt }) => soldAt,
    cell: ({ soldAt }) => <span className="whitespace-nowrap">{utcTime(soldAt)}</span>,
  },
  {
    label: 'Sale',
    value: ({ purchaseId }) => purchaseId,
    cell: ({ purchaseId }) => <ExplainedId id={purchaseId} short={8} />,
  },
];

/** Sales that brought more for a credit than any plan asks. */
export function SalesUnderReviewPage() {
  const query = useInfiniteQuery(salesUnderReviewQuery);
  const { data, hasNextPage, fetchNextPage, isFetchingNextPage } = query;
  const rows = data?.pages.flatMap(({ items }) => items) ?? [];
  return (
    <>
      <PageHead
        title="Sales under review"
        note="Sales that brought more for a credit than any plan asks. Nobody withdraws their shares, however old they are."
      />
      {!data && (
        <Awaited
          query={query}
          failure="The sales could not be loaded"
          loading="Loading the sales..."
          height={240}
        />
      )}
      {data && rows.length === 0 && (
        <EmptyState title="No sale is under review">
          No credit of any sale was worth more than it costs in the dearest plan.
        </EmptyState>
      )}
      {rows.length > 0 && (
        <>
          <DataTable
            title="Sales under review"
            note={hasNextPage ? 'The newest ones. More follow.' : countOf(rows.length, 'sale')}
            file="sales-under-review"
            className="fin-sticky"
            columns={columnsOf(rows)}
            rows={rows}
            keyOf={({ purchaseId }) => purchaseId}
            empty=""
          />
          <p className="mt-4 max-w-prose text-muted">
            Each sale leads to who gave the credits, who agreed and why. If a sale should not stand, ask an
            administrator to take its sound down: the sale is undone, and the share with it.
          </p>
        </>
      )}
      {hasNextPage && (
        <Button className="mt-4" busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          More sales
        </Button>
      )}
    </>
  );
}
