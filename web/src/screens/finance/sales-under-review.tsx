import { useState } from 'react';
import { Link } from 'react-router-dom';
import type { SaleUnderReview } from '../../../../application/payouts/contract.js';
import { releaseSale, salesUnderReviewQuery } from '../../api/finance.js';
import { usePages } from '../../staff/paged-list.js';
import { staffPaths } from '../../../../application/pages/staff-paths.js';
import { type Decision, ReasonDialog } from '../../staff/reason-dialog.js';
import { Button } from '../../ui/button.js';
import { countOf, formatMicroUsd } from '../../ui/format.js';
import { toast } from '../../ui/overlays/toast.js';
import { AwaitedRows } from './parts/awaited-rows.js';
import { type Column, DataTable } from './parts/data-table.js';
import { utcTime } from './parts/dates.js';
import { PageHead } from './parts/page.js';
import { ExplainedId } from './trace/explained-id.js';

const columnsOf = (
  totalMicroUsd: number,
  release: (sale: SaleUnderReview) => void,
): Column<SaleUnderReview>[] => [
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
  {
    label: 'Share held',
    value: ({ shareMicroUsd }) => ({ microUsd: shareMicroUsd }),
    total: { microUsd: totalMicroUsd },
  },
  {
    label: 'Release',
    value: ({ requestId }) => (requestId ? 'waits for a second person' : ''),
    cell: (sale) =>
      sale.requestId ? (
        <Link
          className="underlined text-sm whitespace-nowrap"
          to={staffPaths.approvals('finance', sale.requestId)}
        >
          Waits
        </Link>
      ) : (
        <Button size="small" aria-label={`Release ${sale.purchaseId}`} onClick={() => release(sale)}>
          Release
        </Button>
      ),
  },
  {
    label: 'Sale',
    value: ({ purchaseId }) => purchaseId,
    cell: ({ purchaseId }) => <ExplainedId id={purchaseId} short={8} />,
  },
  { label: 'A credit', value: ({ perCreditMicroUsd }) => ({ microUsd: perCreditMicroUsd }) },
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
];

const releasing = ({ purchaseId, creatorName, shareMicroUsd }: SaleUnderReview): Decision => ({
  title: `Release ${formatMicroUsd(shareMicroUsd)}?`,
  consequence: `A second person has to agree. ${creatorName} can then withdraw it like any other share.`,
  confirmLabel: 'Ask for approval',
  tone: 'primary',
  key: 'POST /api/finance/sales-under-review/:purchaseId/release',
  subject: {},
  decide: async (reason) => {
    await releaseSale(purchaseId, reason);
    toast({
      title: 'A second person must approve it',
      description: 'The creator cannot withdraw the share until then.',
      tone: 'info',
    });
  },
});

/** Sales that brought more per credit than any plan charges. */
export function SalesUnderReviewPage() {
  const [decision, setDecision] = useState<Decision>();
  const list = usePages(salesUnderReviewQuery);
  const rows = list.data?.items ?? [];
  const dearestMicroUsd = rows[0]?.dearestMicroUsd ?? 0;
  return (
    <>
      <PageHead
        title="Sales under review"
        note="Sales whose price per credit is above every plan. Their shares cannot be withdrawn, however old they are, until two people have released them."
      />
      <AwaitedRows
        query={list}
        what="sales"
        rows={rows}
        height={240}
        none={{
          title: 'No sale is under review',
          text: 'No credit of any sale was worth more than it costs in the dearest plan.',
        }}
      >
        <DataTable
          title="Sales under review"
          note={`${countOf(list.first?.total ?? 0, 'sale')}; no plan asks more than ${dearestMicroUsd / 1_000_000} USD a credit`}
          file="sales-under-review"
          className="fin-sticky"
          columns={columnsOf(list.first?.shareMicroUsd ?? 0, (sale) => setDecision(releasing(sale)))}
          rows={rows}
          pages={list}
          more="More sales"
          keyOf={({ purchaseId }) => purchaseId}
          empty=""
        />
        <p className="mt-4 max-w-prose text-muted">
          Each sale leads to who gave the credits, who agreed and why. If it is right, release it. If it
          should not stand, ask an administrator to take its sound down: the sale is undone, and the share
          with it.
        </p>
      </AwaitedRows>
      {decision && <ReasonDialog decision={decision} onClose={() => setDecision(undefined)} />}
    </>
  );
}
