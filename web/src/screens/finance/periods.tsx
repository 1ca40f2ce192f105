import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query';
import { Link } from 'react-router-dom';
import type { LateFacts, PeriodSummary } from '../../../../application/ledger/contract.js';
import { balancesOverTimeQuery, closePeriod, lateFactsQuery, periodsQuery } from '../../api/finance.js';
import { ApiProblem, errorIdOf, messageOf } from '../../api/http.js';
import { paths } from '../../paths.js';
import { Awaited } from '../../staff/awaited.js';
import { askConfirm } from '../../ui/overlays/alerts.js';
import { Badge } from '../../ui/badge.js';
import { Button } from '../../ui/button.js';
import { countOf } from '../../ui/format.js';
import { EmptyState, ErrorPanel } from '../../ui/states.js';
import { toast } from '../../ui/overlays/toast.js';
import { CopyId, NamedId } from './parts/copy-id.js';
import { type Column, DataTable } from './parts/data-table.js';
import { daysOf, monthName, thisMonth, utcDay, utcTime } from './parts/dates.js';
import { PageHead } from './parts/page.js';
import { ExplainedId, ExplainedPosition } from './trace/explained-id.js';

interface Period {
  month: string;
  state: 'closed' | 'open' | 'runs';
  closed: PeriodSummary | undefined;
  late: number;
}

const STATES = {
  closed: { label: 'Closed', tone: 'ok' },
  open: { label: 'Open', tone: 'warn' },
  runs: { label: 'Running', tone: 'neutral' },
} as const;

/** Every month with postings or a closing, newest first. */
function periodsOf(months: readonly string[], closed: readonly PeriodSummary[], late: LateFacts['items']) {
  const known = new Set([...months, ...closed.map(({ month }) => month)]);
  return [...known]
    .sort()
    .reverse()
    .map((month): Period => {
      const summary = closed.find((each) => each.month === month);
      return {
        month,
        closed: summary,
        state: summary ? 'closed' : month >= thisMonth() ? 'runs' : 'open',
        late: late.filter((fact) => fact.month === month).length,
      };
    });
}

async function ask(month: string): Promise<boolean> {
  return askConfirm({
    title: `Close ${monthName(month)}?`,
    message: `Closing stores the balance of every account, the last event and its hash. Nothing can be posted to ${monthName(month)} afterwards. What is reported later is posted to the month that is open then, with its own date. This cannot be undone.`,
    confirmLabel: `Close ${monthName(month)}`,
  });
}

/** @param next months are closed in order: this one comes first */
function columnsOf(
  close: (month: string) => void,
  busy: string | undefined,
  next: string | undefined,
): Column<Period>[] {
  return [
    {
      label: 'Month',
      value: ({ month }) => month,
      cell: ({ month }) => (
        <Link
          className="whitespace-nowrap hover:underline"
          to={`${paths.financeTrialBalance}?${new URLSearchParams({ asOf: daysOf(month).to })}`}
        >
          {monthName(month)}
        </Link>
      ),
    },
    {
      label: 'State',
      value: ({ state }) => STATES[state].label,
      cell: ({ state, month }) => (
        <span className="flex items-center gap-3">
          <Badge tone={STATES[state].tone}>{STATES[state].label}</Badge>
          {state === 'open' && month !== next && next && (
            <span className="text-sm whitespace-nowrap text-faint">after {monthName(next)}</span>
          )}
          {state === 'open' && month === next && (
            <Button
              size="small"
              busy={busy === month}
              aria-label={`Close ${monthName(month)}`}
              onClick={() => close(month)}
            >
              Close
            </Button>
          )}
          {state === 'runs' && (
            <span className="text-sm whitespace-nowrap text-faint">until {utcDay(daysOf(month).to)}</span>
          )}
        </span>
      ),
    },
    {
      label: 'Last position',
      value: ({ closed }) => closed?.lastPosition ?? '',
      cell: ({ closed }) => closed && <ExplainedPosition position={closed.lastPosition} />,
      align: 'right',
    },
    {
      label: 'Hash',
      value: ({ closed }) => closed?.hash ?? '',
      cell: ({ closed, month }) => closed && <CopyId text={closed.hash} of={`hash of ${monthName(month)}`} />,
    },
    {
      label: 'Total',
      value: ({ closed }) => (closed ? { microUsd: closed.totalDebitMicroUsd } : ''),
      align: 'right',
    },
    { label: 'Late facts', value: ({ late }) => late, align: 'right' },
    {
      label: 'Closed at (UTC)',
      value: ({ closed }) => closed?.closedAt ?? '',
      cell: ({ closed }) => closed && <span className="whitespace-nowrap">{utcTime(closed.closedAt)}</span>,
    },
    {
      label: 'Closed by',
      value: ({ closed }) => closed?.closedBy ?? '',
      cell: ({ closed }) => closed && <NamedId id={closed.closedBy} of="id of who closed it" />,
    },
  ];
}

/** A link with more about the rule; none if the message says it all. */
function WhatToDo({ error }: { error: Error }) {
  if (!(error instanceof ApiProblem) || error.code !== 'BooksBroken') return null;
  return (
    <Link className="underlined" to={paths.financeReconciliation}>
      Open the reconciliation
    </Link>
  );
}

const LATE_COLUMNS: Column<LateFacts['items'][number]>[] = [
  { label: 'Belongs to', value: ({ month }) => month, cell: ({ month }) => monthName(month) },
  {
    label: 'Fact',
    value: ({ fact }) => fact,
    cell: ({ fact, position }) => (
      <Link className="underlined" to={paths.financeEventsOf({ from: String(position) })}>
        {fact}
      </Link>
    ),
  },
  { label: 'About', value: ({ about }) => about, cell: ({ about }) => <ExplainedId id={about} short={30} /> },
  { label: 'Its own date (UTC)', value: ({ at }) => at, cell: ({ at }) => utcTime(at) },
  { label: 'Posted (UTC)', value: ({ postedAt }) => postedAt, cell: ({ postedAt }) => utcTime(postedAt) },
  { label: 'Amount', value: ({ amountMicroUsd }) => ({ microUsd: amountMicroUsd }) },
];

/** The months of the books, which of them are closed, and what came after. */
export function PeriodsPage() {
  const balances = useQuery(balancesOverTimeQuery);
  const closed = useQuery(periodsQuery);
  const late = useInfiniteQuery(lateFactsQuery);
  const closing = useMutation({
    mutationFn: closePeriod,
    onSuccess: ({ month, lastPosition }) =>
      toast({
        title: `${monthName(month)} is closed`,
        description: `To position ${lastPosition.toLocaleString('en')}.`,
      }),
  });
  const close = (month: string) => void ask(month).then((sure) => sure && closing.mutate(month));
  const failed = [balances, closed].find(({ error, data }) => error && !data) ?? closed;
  const ready = balances.data && closed.data;
  const lateFacts = late.data?.pages.flatMap((page) => page.items) ?? [];
  const months = ready
    ? periodsOf(
        balances.data.items.map(({ month }) => month),
        closed.data.items,
        lateFacts,
      )
    : [];
  const waiting = months.filter(({ state }) => state === 'open').length;
  const next = months.findLast(({ state }) => state === 'open')?.month;
  return (
    <>
      <PageHead
        title="Periods"
        note={
          ready
            ? waiting === 0
              ? 'Every past month is closed.'
              : `${countOf(waiting, 'month')} not closed yet.`
            : 'Months by UTC.'
        }
      />
      {closing.error && (
        <div className="mb-4">
          <ErrorPanel
            title={`${monthName(closing.variables)} was not closed`}
            errorId={errorIdOf(closing.error)}
          >
            {messageOf(closing.error)} <WhatToDo error={closing.error} />
          </ErrorPanel>
        </div>
      )}
      {!ready && (
        <Awaited
          query={failed}
          failure="The periods could not be loaded"
          loading="Loading the periods..."
          height={320}
        />
      )}
      {ready && months.length === 0 && (
        <EmptyState title="No months yet">Nothing was posted, so there is nothing to close.</EmptyState>
      )}
      {months.length > 0 && (
        <div className="grid gap-4">
          <DataTable
            title="Months"
            file="periods"
            columns={columnsOf(close, closing.isPending ? closing.variables : undefined, next)}
            rows={months}
            keyOf={({ month }) => month}
            empty=""
          />
          <DataTable
            title="Late facts"
            note="Cash of a closed month that was reported later. It is posted in the month in which it was reported."
            file="late-facts"
            columns={LATE_COLUMNS}
            rows={lateFacts}
            keyOf={({ position }) => String(position)}
            empty={
              late.error ? messageOf(late.error) : late.data ? 'No late facts.' : 'Loading late facts...'
            }
          />
          {late.hasNextPage && (
            <Button
              className="justify-self-start"
              busy={late.isFetchingNextPage}
              onClick={() => void late.fetchNextPage()}
            >
              Earlier late facts
            </Button>
          )}
        </div>
      )}
    </>
  );
}
