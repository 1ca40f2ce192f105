import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import type { LateFacts, PeriodSummary } from '../../../../application/ledger/contract.js';
import { balancesOverTimeQuery, lateFactsQuery, periodsQuery, reopenPeriod } from '../../api/finance.js';
import { messageOf } from '../../api/transport/http.js';
import { staffPaths } from '../../../../application/pages/staff-paths.js';
import { usePages } from '../../staff/paged-list.js';
import { Awaited } from '../../staff/awaited.js';
import { type Decision, ReasonDialog } from '../../staff/reason-dialog.js';
import { Badge } from '../../ui/badge.js';
import { Button } from '../../ui/button.js';
import { countOf } from '../../ui/format.js';
import { EmptyState } from '../../ui/states.js';
import { toast } from '../../ui/overlays/toast.js';
import { CloseDialog } from './close-dialog.js';
import { CopyId } from './parts/copy-id.js';
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
function periodsOf(months: readonly string[], closed: readonly PeriodSummary[], late: LateFacts['counts']) {
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
        late: late.find((each) => each.month === month)?.facts ?? 0,
      };
    });
}

/** Months are closed in order, and reopened in the reverse order. */
function columnsOf(
  close: (month: string) => void,
  reopen: (month: string) => void,
  { next, newest }: { next: string | undefined; newest: string | undefined },
): Column<Period>[] {
  return [
    {
      label: 'Month',
      value: ({ month }) => month,
      cell: ({ month }) => (
        <Link
          className="whitespace-nowrap hover:underline"
          to={`${staffPaths.financeTrialBalance}?${new URLSearchParams({ asOf: daysOf(month).to })}`}
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
            <Button size="small" aria-label={`Close ${monthName(month)}`} onClick={() => close(month)}>
              Close
            </Button>
          )}
          {state === 'closed' && month === newest && (
            <Button
              size="small"
              tone="quiet"
              aria-label={`Reopen ${monthName(month)}`}
              onClick={() => reopen(month)}
            >
              Reopen
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
      value: ({ closed }) => closed?.closedByName ?? '',
      cell: ({ closed }) =>
        closed && (
          <span className="whitespace-nowrap" title={closed.closedBy}>
            {closed.closedByName}
          </span>
        ),
    },
  ];
}

const reopening = (month: string): Decision => ({
  title: `Reopen ${monthName(month)}?`,
  consequence:
    'A second person has to agree. Adjusting entries can then be posted into it until it is closed again; what it was closed with stays in the log.',
  confirmLabel: 'Ask for approval',
  key: 'POST /api/finance/periods/:month/reopen',
  subject: {},
  decide: async (reason) => {
    await reopenPeriod(month, reason);
    toast({
      title: 'A second person must approve it',
      description: `${monthName(month)} stays closed until then.`,
      tone: 'info',
    });
  },
});

const LATE_COLUMNS: Column<LateFacts['items'][number]>[] = [
  { label: 'Belongs to', value: ({ month }) => month, cell: ({ month }) => monthName(month) },
  {
    label: 'Fact',
    value: ({ fact }) => fact,
    cell: ({ fact, position }) => (
      <Link className="underlined" to={staffPaths.financeEventsOf({ from: String(position) })}>
        {fact}
      </Link>
    ),
  },
  { label: 'About', value: ({ about }) => about, cell: ({ about }) => <ExplainedId id={about} short={30} /> },
  { label: 'Its own date (UTC)', value: ({ at }) => at, cell: ({ at }) => utcTime(at) },
  { label: 'Posted (UTC)', value: ({ postedAt }) => postedAt, cell: ({ postedAt }) => utcTime(postedAt) },
  { label: 'Amount', value: ({ amountMicroUsd }) => ({ microUsd: amountMicroUsd }) },
];

/** The months of the books with their closings, and the late facts. */
export function PeriodsPage() {
  const balances = useQuery(balancesOverTimeQuery);
  const closed = useQuery(periodsQuery);
  const late = usePages(lateFactsQuery);
  const [closing, setClosing] = useState<string>();
  const [decision, setDecision] = useState<Decision>();
  const failed = [balances, closed].find(({ error, data }) => error && !data) ?? closed;
  const ready = balances.data && closed.data;
  const months = ready
    ? periodsOf(
        balances.data.items.map(({ month }) => month),
        closed.data.items,
        late.first?.counts ?? [],
      )
    : [];
  const waiting = months.filter(({ state }) => state === 'open').length;
  const newest = months.find(({ state }) => state === 'closed')?.month;
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
      {closing && <CloseDialog month={closing} onClose={() => setClosing(undefined)} />}
      {decision && <ReasonDialog decision={decision} onClose={() => setDecision(undefined)} />}
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
            columns={columnsOf(setClosing, (month) => setDecision(reopening(month)), { next, newest })}
            rows={months}
            keyOf={({ month }) => month}
            empty=""
          />
          <DataTable
            title="Late facts"
            note="Cash of a closed month that was reported later. It is posted in the month in which it was reported."
            file="late-facts"
            columns={LATE_COLUMNS}
            rows={late.data?.items ?? []}
            pages={late}
            more="Earlier late facts"
            keyOf={({ position }) => String(position)}
            empty={
              late.error ? messageOf(late.error) : late.data ? 'No late facts.' : 'Loading late facts...'
            }
          />
        </div>
      )}
    </>
  );
}
