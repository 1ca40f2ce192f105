import { useQuery } from '@tanstack/react-query';
import { Link, useSearchParams, useNavigate, useParams } from 'react-router-dom';
import type {
  MonthlyRollforward,
  Rollforward,
  BalanceProof,
} from '../../../../application/ledger/contract.js';
import { monthlyRollforwardQuery, proofQuery } from '../../api/finance.js';
import { staffPaths } from '../../../../application/pages/staff-paths.js';
import { Badge } from '../../ui/badge.js';
import { countOf, formatDelta } from '../../ui/format.js';
import { type Column, kinds } from '../../staff/list/column.js';
import { List, rowsOf } from '../../staff/list/list.js';
import { PageHead, Panel, Awaited, Fact, Figure } from '../../staff/page-parts.js';
import { UserForm, Who } from './parts/user-form.js';
import { STEPS, Waterfall } from './parts/waterfall.js';
import { EmptyState } from '../../ui/states.js';
import { CopyId, eventName } from './parts/named.js';
import { EventDetail, tracedId } from './trace/explained-id.js';

type Month = MonthlyRollforward['items'][number];
/** All months as one period: the first opening, the sum of all movements, and the last closing. */
function wholeOf(months: readonly Month[]): Rollforward {
  const sum = (step: keyof Rollforward) => months.reduce((total, month) => total + month[step], 0);
  return {
    opening: months[0]?.opening ?? 0,
    granted: sum('granted'),
    spent: sum('spent'),
    returned: sum('returned'),
    revoked: sum('revoked'),
    adjusted: sum('adjusted'),
    closing: months.at(-1)?.closing ?? 0,
  };
}

/** Whether every month adds up, and opens with the closing of the month before. */
const ties = (months: readonly Month[]): boolean =>
  months.every(
    ({ opening, granted, spent, returned, revoked, adjusted, closing }, at) =>
      opening + granted - spent + returned - revoked + adjusted === closing &&
      (at === 0 || months[at - 1]?.closing === opening),
  );

/** Shows decreases as negative numbers, so that each row adds up to its closing. */
function columnsOf(months: readonly Month[], userId: string): Column<Month>[] {
  const whole = wholeOf(months);
  const stream = userId ? `credits-${userId}` : 'credits-';
  const amounts = STEPS.map(([step, label, sign]): Column<Month> => {
    const signed = (forward: Rollforward) => (sign < 0 ? -forward[step] || 0 : forward[step]);
    return { label, value: signed, total: signed(whole), align: 'right' };
  });
  return [
    {
      label: 'Month',
      value: ({ month }) => month,
      total: 'Total',
      kind: kinds.month,
      to: ({ month }) => staffPaths.financeEventsOf({ stream, from: `${month}-01` }),
    },
    ...amounts,
  ];
}

export function RollforwardPage() {
  const [parameters, setParameters] = useSearchParams();
  const userId = parameters.get('user') ?? '';
  const query = useQuery(monthlyRollforwardQuery(userId));
  const months = query.data?.items ?? [];
  return (
    <>
      <PageHead
        title="Credit roll-forward"
        note={
          userId ? (
            <>
              Credits of <Who userId={userId} />.{' '}
              <Link className="underlined" to={staffPaths.financeProof(userId)}>
                Prove this balance
              </Link>
            </>
          ) : (
            'Credits of all users, frozen ones included. Months are by UTC.'
          )
        }
      >
        <UserForm userId={userId} optional onUser={(user) => setParameters(user ? { user } : {})} />
      </PageHead>
      <div className="grid gap-4">
        <List
          of={rowsOf(query, ({ items }) => items.toReversed())}
          what="roll-forward"
          title="By month"
          note={
            <Badge tone={ties(months) ? 'ok' : 'danger'}>
              {ties(months) ? 'Every month ties' : 'A month does not tie'}
            </Badge>
          }
          file={userId ? `roll-forward-${userId}` : 'roll-forward'}
          sideways
          columns={columnsOf(months, userId)}
          keyOf={({ month }) => month}
          empty={{
            title: 'No credits yet',
            text: userId ? 'Nothing ever moved credits of this user.' : 'No credits were ever granted.',
          }}
        />
        {months.length > 0 && (
          <Panel
            className="p-5"
            title={
              <>
                Together{' '}
                <span className="ml-2 text-sm font-normal text-muted">
                  {countOf(months.length, 'month')}, in credits
                </span>
              </>
            }
          >
            <Waterfall forward={wholeOf(months)} label="From opening to closing" />
          </Panel>
        )}
      </div>
    </>
  );
}

const LOTS: Column<BalanceProof['lots'][number]>[] = [
  { label: 'Lot', value: ({ lotId }) => lotId, total: 'Total', kind: tracedId(18) },
  { label: 'Kind', value: ({ kind }) => kind },
  { label: 'Granted (UTC)', value: ({ grantedAt }) => grantedAt, kind: kinds.time },
  { label: 'Left', value: ({ remainingCredits }) => remainingCredits, sum: true },
];

function Lots({ proof: { lots, balance, userId } }: { proof: BalanceProof }) {
  const rows = lots.filter(({ remainingCredits }) => remainingCredits > 0);
  const left = rows.reduce((sum, { remainingCredits }) => sum + remainingCredits, 0);
  return (
    <List
      of={rows}
      title="Lots with credits left"
      note={
        left === balance
          ? 'Promotional credits are spent first, then the oldest.'
          : `${(left - balance).toLocaleString('en')} of them are frozen by a dispute.`
      }
      file={`lots-${userId}`}
      columns={LOTS}
      keyOf={({ lotId }) => lotId}
      empty="No lot has credits left."
    />
  );
}

const EVENTS: Column<BalanceProof['events'][number]>[] = [
  { label: 'Position', value: ({ position }) => position, align: 'right' },
  { label: 'Event', value: ({ type }) => type, kind: eventName, opens: () => true },
  { label: 'Recorded (UTC)', value: ({ recordedAt }) => recordedAt, kind: kinds.time },
  {
    label: 'Moved',
    value: ({ delta }) => delta,
    cell: ({ delta }) => (delta === 0 ? <span className="text-faint">0</span> : formatDelta(delta)),
  },
  { label: 'Balance after', value: ({ balanceAfter }) => balanceAfter },
];

function Events({ proof: { events, userId } }: { proof: BalanceProof }) {
  return (
    <List
      of={events}
      title="Every event that changed it"
      note={countOf(events.length, 'event')}
      file={`proof-${userId}`}
      searchable
      columns={EVENTS}
      keyOf={({ position }) => String(position)}
      detail={({ delta: _, balanceAfter: __, ...event }) => <EventDetail event={event} />}
      empty="The log has no event of this user's credits."
    />
  );
}

function Verdict({ proof }: { proof: BalanceProof }) {
  const { balance, shownBalance, holds, head, userId } = proof;
  return (
    <section className="panel p-5" aria-label="Verdict">
      <div className="mb-4 flex flex-wrap items-center gap-3">
        <Badge tone={holds ? 'ok' : 'danger'}>{holds ? 'Holds' : 'Does not hold'}</Badge>
        <p className="text-muted">
          {holds
            ? 'The balance shown to the user equals the sum of the log.'
            : 'The balance shown to the user differs from the sum of the log. The log is right.'}
        </p>
      </div>
      <dl className="grid gap-5 fit-130">
        <Figure name="By the log">{balance.toLocaleString('en')}</Figure>
        <Figure name="Shown to the user">
          <span className={holds ? undefined : 'text-danger'}>{shownBalance.toLocaleString('en')}</span>
        </Figure>
        <Figure name="Head of the log">
          {head.position.toLocaleString('en')}{' '}
          <span className="mt-1 block">
            <CopyId text={head.hash} of="hash of the head" />
          </span>
        </Figure>
        <Fact name="In the books" className="mt-2 grid gap-1.5 font-normal">
          <Link className="underlined mono" to={staffPaths.financeAccount(`user:${userId}`)}>
            user:{userId.length > 12 ? `${userId.slice(0, 8)}…` : userId}
          </Link>
          <Link className="underlined" to={staffPaths.financeRollforward(userId)}>
            By month
          </Link>
        </Fact>
      </dl>
    </section>
  );
}

export function ProofPage() {
  const { userId = '' } = useParams();
  const navigate = useNavigate();
  const query = useQuery(proofQuery(userId));
  const proof = query.data;
  return (
    <>
      <PageHead
        title="Proof of a balance"
        note={userId ? <Who userId={userId} /> : 'Event by event, from the log alone.'}
      >
        <UserForm userId={userId} onUser={(user) => void navigate(staffPaths.financeProof(user))} />
      </PageHead>
      {userId === '' && (
        <EmptyState title="No user chosen">
          Find a user by e-mail address, name or id, or come here from the roll-forward or from a user&apos;s
          account.
        </EmptyState>
      )}
      {userId !== '' && !proof && (
        <Awaited
          query={query}
          failure="The balance could not be proved"
          loading="Reading the user's events..."
          height={420}
        />
      )}
      {proof && (
        <div className="grid gap-4" data-exact="">
          <Verdict proof={proof} />
          <Lots proof={proof} />
          <Events proof={proof} />
        </div>
      )}
    </>
  );
}
