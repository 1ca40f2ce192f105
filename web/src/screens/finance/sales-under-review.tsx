import { Link } from 'react-router-dom';
import type { SaleUnderReview } from '../../../../application/payouts/contract.js';
import { releaseSale, salesUnderReviewQuery } from '../../api/finance.js';
import { usePages } from '../../staff/list/paged-list.js';
import { staffPaths } from '../../../../application/pages/staff-paths.js';
import { askReason, type Decision } from '../../staff/ask-reason.js';
import { reportWaiting } from '../../staff/failure.js';
import { Button } from '../../ui/button.js';
import { countOf, formatMicroUsd } from '../../ui/format.js';
import { type Column, kinds } from '../../staff/list/column.js';
import { listPage } from '../../staff/list/list-page.js';
import { tracedId } from './trace/explained-id.js';

const releasing = ({ purchaseId, creatorName, shareMicroUsd }: SaleUnderReview): Decision => ({
  title: `Release ${formatMicroUsd(shareMicroUsd)}?`,
  consequence: `A second person has to agree. ${creatorName} can then withdraw it like any other share.`,
  confirmLabel: 'Ask for approval',
  tone: 'primary',
  key: 'POST /api/finance/sales-under-review/:purchaseId/release',
  decide: async (reason) => {
    await releaseSale(purchaseId, reason);
    reportWaiting('The creator cannot withdraw the share until then.');
  },
});

const columnsOf = (totalMicroUsd: number): Column<SaleUnderReview>[] => [
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
        <Button
          size="small"
          aria-label={`Release ${sale.purchaseId}`}
          onClick={() => askReason(releasing(sale))}
        >
          Release
        </Button>
      ),
  },
  { label: 'Sale', value: ({ purchaseId }) => purchaseId, kind: tracedId(8) },
  { label: 'A credit', value: ({ perCreditMicroUsd }) => ({ microUsd: perCreditMicroUsd }) },
  { label: 'Credits', value: ({ credits }) => credits },
  {
    label: 'Why',
    value: ({ reason }) => reason,
    cell: ({ reason }) => <span className="block md:min-w-44">{reason}</span>,
  },
  {
    label: 'Listener',
    value: ({ buyerName }) => buyerName,
    kind: kinds.unbroken,
    to: ({ buyerId }) => staffPaths.financeProof(buyerId),
  },
  {
    label: 'Sample',
    value: ({ sampleTitle, sampleId }) => sampleTitle ?? sampleId,
    cell: ({ sampleTitle, sampleId }) => (
      <span className="block md:min-w-30 wrap-anywhere">{sampleTitle ?? sampleId}</span>
    ),
  },
  { label: 'Sold (UTC)', value: ({ soldAt }) => soldAt, kind: kinds.time },
];

/** Sales that brought more per credit than any plan charges. */
export const SalesUnderReviewPage = listPage({
  heading: 'Sales under review',
  about:
    'Sales whose price per credit is above every plan. Their shares cannot be withdrawn, however old they are, until two people have released them.',
  useRows: () => usePages(salesUnderReviewQuery),
  list: ({ first }) => ({
    what: 'sales',
    title: 'Sales under review',
    note: `${countOf(first?.total ?? 0, 'sale')}; no plan asks more than ${(first?.items[0]?.dearestMicroUsd ?? 0) / 1_000_000} USD a credit`,
    file: 'sales-under-review',
    columns: columnsOf(first?.shareMicroUsd ?? 0),
    more: 'More sales',
    keyOf: ({ purchaseId }) => purchaseId,
    empty: {
      title: 'No sale is under review',
      text: 'No credit of any sale was worth more than it costs in the dearest plan.',
    },
    after: (
      <p className="mt-4 max-w-prose text-muted">
        Each sale leads to who gave the credits, who agreed and why. If it is right, release it. If it should
        not stand, ask an administrator to take its sound down: the sale is undone, and the share with it.
      </p>
    ),
  }),
});
