import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router-dom';
import type { TaxReport } from '../../../../application/ledger/tax/tax-contract.js';
import { staffPaths } from '../../../../application/pages/staff-paths.js';
import type {
  CreatorAccount,
  CreatorAccounts,
  SaleUnderReview,
} from '../../../../application/payouts/contract.js';
import { query } from '../../api/api.js';
import { creatorAccountsQuery, eventsQuery, releaseSale, salesUnderReviewQuery } from '../../api/finance.js';
import { askReason, type Decision, reportWaiting } from '../../staff/decisions.js';
import { daysOf } from '../../staff/dates.js';
import { type Column, kinds, Money } from '../../staff/list/column.js';
import { listPage } from '../../staff/list/list-page.js';
import { usePages } from '../../staff/list/paged-list.js';
import { Button } from '../../ui/button.js';
import { countOf, formatMicroUsd } from '../../ui/format.js';
import { MaterialityNote } from './parts/materiality.js';
import { actor, actorOf, eventName, Stream } from './parts/named.js';
import { EventDetail, tracedEvent, tracedId } from './trace/explained-id.js';

const WIDE = 'max-md:w-full';

export const EventsPage = listPage({
  heading: 'Events',
  filters: {
    stream: { label: 'Stream', placeholder: 'credits-… or credits-', className: WIDE },
    type: { label: 'Type', placeholder: 'CreditsSpent', className: WIDE },
    from: { label: 'From position or day', placeholder: '1 or 2026-11-20', className: WIDE },
  },
  useRows: (chosen) => usePages(eventsQuery(chosen)),
  list: (_, { stream, type, from }) => ({
    what: 'events',
    title: 'Events',
    note: from ? 'Oldest first' : 'Newest first',
    file: ['events', stream, type, from].filter(Boolean).join('-'),
    more: 'More events',
    keyOf: ({ position }) => String(position),
    detail: (event) => <EventDetail event={event} />,
    empty: { title: 'No events', text: 'No event in the log matches.' },
    columns: [
      { label: 'Position', value: ({ position }) => position, kind: tracedEvent },
      { label: 'Type', value: (event) => event.type, kind: eventName, opens: () => true },
      {
        label: 'Stream',
        value: (event) => `${event.stream} v${event.version}`,
        cell: (event) => (
          <span className="block min-w-50">
            <Stream stream={event.stream} /> <span className="mono text-faint">v{event.version}</span>
          </span>
        ),
      },
      { label: 'By', value: actorOf, kind: actor },
      { label: 'Recorded (UTC)', value: ({ recordedAt }) => recordedAt, kind: kinds.quietTime },
    ],
  }),
});

/** The amounts that add up to a creator's balance, with their signs. */
export const AMOUNTS = [
  ['Earned', 'earnedMicroUsd', 1],
  ['Taken back', 'takenBackMicroUsd', -1],
  ['In transit', 'inTransitMicroUsd', -1],
  ['Paid', 'paidMicroUsd', -1],
  ['Written off', 'writtenOffMicroUsd', 1],
] as const;

const creatorColumnsOf = (totals: CreatorAccounts['totals'] | undefined): Column<CreatorAccount>[] => [
  {
    label: 'Creator',
    value: ({ displayName }) => displayName,
    total: 'Total',
    cell: ({ creatorId, displayName, handle }) => (
      <>
        <Link className="font-semibold hover:underline" to={staffPaths.financeCreator(creatorId)}>
          {displayName}
        </Link>
        {handle && <span className="ml-2 text-xs text-faint max-md:block max-md:ml-0">{handle}</span>}
      </>
    ),
  },
  ...AMOUNTS.map(([label, name, sign]): Column<CreatorAccount> => {
    const signed = (account: CreatorAccounts['totals']) => ({ microUsd: account[name] * sign || 0 });
    return { label, value: signed, total: totals && signed(totals) };
  }),
  {
    label: 'Balance',
    value: ({ balanceMicroUsd }) => ({ microUsd: balanceMicroUsd }),
    // The balance is negative if we paid for sales that were taken back later. The creator then owes us the amount.
    cell: ({ balanceMicroUsd }) => (
      <span className={balanceMicroUsd < 0 ? 'text-danger' : undefined}>
        <Money microUsd={balanceMicroUsd} />
      </span>
    ),
    total: totals && { microUsd: totals.balanceMicroUsd },
  },
];

export const CreatorsPage = listPage({
  heading: 'Creators',
  about: 'What each creator earned, was paid and is owed. The amounts of a row add up to its balance.',
  filters: {
    search: {
      label: 'Name, handle or id',
      hideLabel: true,
      placeholder: 'Name, handle or id',
      className: 'w-65 max-md:w-0 max-md:flex-1',
    },
  },
  useRows: ({ search }) => usePages(creatorAccountsQuery(search)),
  list: ({ first }, { search }) => ({
    what: 'creators',
    title: 'Accounts of creators',
    note: `${countOf(first?.total ?? 0, 'creator')}${search && ` matching “${search}”`}, the highest balances first`,
    file: search ? `creators-${search}` : 'creators',
    sideways: true,
    columns: creatorColumnsOf(first?.totals),
    more: 'More creators',
    keyOf: ({ creatorId }) => creatorId,
    empty: {
      title: 'No creators',
      text: search ? `No creator with earnings matches “${search}”.` : 'No creator has earned anything yet.',
    },
  }),
});

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

const salesColumnsOf = (totalMicroUsd: number): Column<SaleUnderReview>[] => [
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

export const SalesUnderReviewPage = listPage({
  heading: 'Sales under review',
  about:
    'Sales whose price per credit is above every plan. Their shares cannot be withdrawn, however old they are, until two people have released them.',
  useRows: () => usePages(salesUnderReviewQuery),
  list: ({ first }) => ({
    what: 'sales',
    title: 'Sales under review',
    note: `${countOf(first?.total ?? 0, 'sale')}; no product asks more than ${(first?.items[0]?.dearestMicroUsd ?? 0) / 1_000_000} USD a credit`,
    file: 'sales-under-review',
    columns: salesColumnsOf(first?.shareMicroUsd ?? 0),
    more: 'More sales',
    keyOf: ({ purchaseId }) => purchaseId,
    empty: {
      title: 'No sale is under review',
      text: 'No credit of any sale was worth more than it costs in the dearest plan.',
    },
    after: (
      <>
        <p className="my-5 max-w-prose text-muted">
          Each sale leads to who gave the credits, who agreed and why. If it is right, release it. If it
          should not stand, ask an administrator to take its sound down: the sale is undone, and the share
          with it.
        </p>
        <MaterialityNote />
      </>
    ),
  }),
});

type TaxRow = TaxReport['items'][number];
type Amount = Extract<keyof TaxRow, `${string}MicroUsd`>;

const countries = new Intl.DisplayNames('en', { type: 'region' });

/** Names a place of taxation, such as "Germany (DE)" or "United States (US), NY". */
const placeName = ({ country, state }: Pick<TaxRow, 'country' | 'state'>): string =>
  country === null
    ? 'Unknown place'
    : `${countries.of(country) ?? country} (${country})${state === null ? '' : `, ${state}`}`;

const accountOf = ({ country, state }: TaxRow): string =>
  country === null ? 'tax' : `tax:${country}${state === null ? '' : `-${state}`}`;

const TAX_AMOUNTS: readonly [label: string, amount: Amount][] = [
  ['Sold, net', 'soldMicroUsd'],
  ['Given back, net', 'returnedMicroUsd'],
  ['Taxable', 'taxableMicroUsd'],
  ['Reverse charge', 'reverseChargeMicroUsd'],
  ['Tax collected', 'collectedMicroUsd'],
  ['Tax given back', 'givenBackMicroUsd'],
  ['Tax due', 'dueMicroUsd'],
];

const TAX_COLUMNS: Column<TaxRow>[] = [
  { label: 'Month', value: ({ month }) => month, total: 'Total', kind: kinds.month },
  { label: 'Place', value: placeName, to: (row) => staffPaths.financeAccount(accountOf(row)) },
  { label: 'Sales', value: ({ sales }) => sales, sum: true },
  ...TAX_AMOUNTS.map(([label, amount]): Column<TaxRow> => ({
    label,
    value: (row) => ({ microUsd: row[amount] }),
    sum: true,
  })),
];

export const TaxPage = listPage({
  heading: 'Tax',
  about: 'Value-added and sales tax by country, and by state of the United States. Months are by UTC.',
  filters: { from: { type: 'month', label: 'From' }, to: { type: 'month', label: 'To' } },
  useRows: ({ from, to }) =>
    useQuery(
      query('GET /api/finance/tax', {
        query: { from: from && daysOf(from).from, to: to && daysOf(to).to },
      }),
    ),
  list: (_, { from, to }) => ({
    what: 'report of tax',
    title: 'By month and place',
    file: ['tax', from, to].filter(Boolean).join('-'),
    sideways: true,
    columns: TAX_COLUMNS,
    keyOf: ({ month, country, state }) => `${month} ${country} ${state}`,
    searchable: true,
    empty: 'No sales whose tax is known.',
  }),
});
