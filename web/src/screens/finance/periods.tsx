import { useMutation, useQuery } from '@tanstack/react-query';
import { CircleAlert, CircleCheck, Download } from 'lucide-react';
import { Link } from 'react-router-dom';
import { useState } from 'react';
import { checklistQuery, closePeriod, lateFactsQuery, reopenPeriod, signPeriod } from '../../api/finance.js';
import { FileLink } from '../../downloads/file-link.js';
import { useSession } from '../../session/session.js';
import { Button, buttonClass } from '../../ui/button.js';
import { Dialog } from '../../ui/overlays/dialog.js';
import { notifyOf, toast } from '../../ui/overlays/toast.js';
import { Problem, EmptyState } from '../../ui/states.js';
import { monthName, daysOf, thisMonth, utcDay } from '../../staff/dates.js';
import { Missing, Awaited, PageHead } from '../../staff/page-parts.js';
import { query } from '../../api/api.js';
import type { LateFacts, PeriodSummary } from '../../../../application/ledger/contract.js';
import { staffPaths } from '../../../../application/pages/staff-paths.js';
import { usePages } from '../../staff/list/paged-list.js';
import { askReason, type Decision, reportWaiting } from '../../staff/decisions.js';
import { Badge } from '../../ui/badge.js';
import { countOf } from '../../ui/format.js';
import { CopyId, inWords } from './parts/named.js';
import { type Column, kinds } from '../../staff/list/column.js';
import { List } from '../../staff/list/list.js';
import { tracedEvent, tracedId } from './trace/explained-id.js';

function CloseDialog({ month, onClose }: { month: string; onClose: () => void }) {
  const { data, error, isFetching } = useQuery(checklistQuery(month));
  const closing = useMutation({
    mutationFn: () => closePeriod(month),
    onSuccess: ({ lastPosition }) => {
      toast({
        title: `${monthName(month)} is closed`,
        description: `To position ${lastPosition.toLocaleString('en')}.`,
      });
      onClose();
    },
  });
  const name = monthName(month);
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Close ${name}?`}
      description={`Closing stores the balance of every account, the last event and its hash. Nothing can be posted to ${name} afterwards, unless two people reopen it.`}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            tone="primary"
            disabled={!data?.ready || isFetching}
            busy={closing.isPending}
            onClick={() => closing.mutate()}
          >
            Close {name}
          </Button>
        </>
      }
    >
      {data && !isFetching ? (
        <ul aria-label="What has to be done" className="-my-2">
          {data.items.map(({ id, done, text, href }) => (
            <li key={id} className="flex items-start gap-3 border-t border-line py-3 first:border-t-0">
              {done ? (
                <CircleCheck size={20} className="mt-0.5 shrink-0 text-ok" aria-label="Done" />
              ) : (
                <CircleAlert size={20} className="mt-0.5 shrink-0 text-warn" aria-label="Not done" />
              )}
              <span className="min-w-0 wrap-anywhere">
                {text}
                {!done && id !== 'turn' && (
                  <Link className="underlined ml-2 text-sm whitespace-nowrap" to={href}>
                    Go there
                  </Link>
                )}
              </span>
            </li>
          ))}
        </ul>
      ) : (
        <Missing error={isFetching ? null : error} loading="Checking the books..." height={220} />
      )}
      <Problem of={closing.error} className="mt-4" />
    </Dialog>
  );
}

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
function periodsOf(months: readonly string[], closings: readonly PeriodSummary[], late: LateFacts['counts']) {
  const known = new Set([...months, ...closings.map(({ month }) => month)]);
  return [...known]
    .toSorted((a, b) => b.localeCompare(a))
    .map((month): Period => {
      const closed = closings.find((each) => each.month === month);
      return {
        month,
        closed,
        state: closed ? 'closed' : month >= thisMonth() ? 'runs' : 'open',
        late: late.find((each) => each.month === month)?.facts ?? 0,
      };
    });
}

const reopening = (month: string): Decision => ({
  title: `Reopen ${monthName(month)}?`,
  consequence:
    'A second person has to agree. Adjusting entries can then be posted into it until it is closed again; what it was closed with stays in the log.',
  confirmLabel: 'Ask for approval',
  key: 'POST /api/finance/periods/:month/reopen',
  decide: async (reason) => {
    await reopenPeriod(month, reason);
    reportWaiting(`${monthName(month)} stays closed until then.`);
  },
});

/** Who signed the closing, or the button to sign it. The person who closed the month cannot sign it. */
function Signature({ closed }: { closed: PeriodSummary }) {
  const me = useSession().user?.id;
  const { month, closedBy, signedByName, signedBy } = closed;
  const { mutate, isPending } = useMutation({
    mutationFn: () => signPeriod(month),
    onError: notifyOf('The month was not signed'),
  });
  if (signedByName)
    return (
      <span className="whitespace-nowrap" title={signedBy ?? undefined}>
        {signedByName}
      </span>
    );
  if (closedBy === me) return <span className="text-faint">Another person signs</span>;
  return (
    <Button size="small" busy={isPending} aria-label={`Sign ${monthName(month)}`} onClick={() => mutate()}>
      Sign
    </Button>
  );
}

/**
 * The columns of the table. Months are closed in order and reopened in the reverse order, so only one month has a
 * button to close it, and only one has a button to reopen it.
 */
function columnsOf(
  close: (month: string) => void,
  next: string | undefined,
  newest: string | undefined,
): Column<Period>[] {
  return [
    {
      label: 'Month',
      value: ({ month }) => month,
      kind: kinds.month,
      to: ({ month }) =>
        `${staffPaths.financeTrialBalance}?${new URLSearchParams({ asOf: daysOf(month).to })}`,
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
              onClick={() => askReason(reopening(month))}
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
      kind: tracedEvent,
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
    { label: 'Closed at (UTC)', value: ({ closed }) => closed?.closedAt ?? '', kind: kinds.time },
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
    {
      label: 'Signed by',
      value: ({ closed }) => closed?.signedByName ?? '',
      cell: ({ closed }) => closed && <Signature closed={closed} />,
    },
    {
      label: 'To file',
      cell: ({ closed, month }) =>
        closed && (
          <FileLink
            path={`/api/finance/periods/${month}/package`}
            name={`Offcut ${month}.zip`}
            type="application/zip"
            className={buttonClass({ size: 'small' })}
          >
            <Download size={14} />
            ZIP<span className="sr-only"> of {monthName(month)}</span>
          </FileLink>
        ),
    },
  ];
}

const LATE_COLUMNS: Column<LateFacts['items'][number]>[] = [
  { label: 'Belongs to', value: ({ month }) => month, kind: kinds.month },
  {
    label: 'Fact',
    value: ({ fact }) => inWords(fact),
    to: ({ position }) => staffPaths.financeEventsOf({ from: String(position) }),
  },
  { label: 'About', value: ({ about }) => about, kind: tracedId(30) },
  { label: 'Its own date (UTC)', value: ({ at }) => at, kind: kinds.time },
  { label: 'Posted (UTC)', value: ({ postedAt }) => postedAt, kind: kinds.time },
  { label: 'Amount', value: ({ amountMicroUsd }) => ({ microUsd: amountMicroUsd }) },
];

export function PeriodsPage() {
  const balances = useQuery(query('GET /api/finance/balances-over-time'));
  const closed = useQuery(query('GET /api/finance/periods'));
  const late = usePages(lateFactsQuery);
  const [closing, setClosing] = useState<string>();
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
          !ready
            ? 'Months by UTC.'
            : waiting === 0
              ? 'Every past month is closed.'
              : `${countOf(waiting, 'month')} not closed yet.`
        }
      />
      {closing && <CloseDialog month={closing} onClose={() => setClosing(undefined)} />}
      {!ready && <Awaited query={failed} what="periods" height={320} />}
      {ready && months.length === 0 && (
        <EmptyState title="No months yet">Nothing was posted, so there is nothing to close.</EmptyState>
      )}
      {months.length > 0 && (
        <div className="grid gap-4">
          <List
            of={months}
            title="Months"
            file="periods"
            columns={columnsOf(setClosing, next, newest)}
            keyOf={({ month }) => month}
          />
          <List
            of={late}
            what="late facts"
            title="Late facts"
            note="Cash of a closed month that was reported later. It is posted in the month in which it was reported."
            file="late-facts"
            columns={LATE_COLUMNS}
            more="Earlier late facts"
            keyOf={({ position }) => String(position)}
            empty="No late facts."
          />
        </div>
      )}
    </>
  );
}
