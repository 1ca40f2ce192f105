import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from 'react-router-dom';
import type { BalanceProof } from '../../../../application/ledger/contract.js';
import { proofQuery } from '../../api/finance.js';
import { staffPaths } from '../../../../application/pages/staff-paths.js';
import { Badge } from '../../ui/badge.js';
import { countOf, formatDelta } from '../../ui/format.js';
import { EmptyState } from '../../ui/states.js';
import { EventDetail } from './event-detail.js';
import { CopyId } from './parts/named.js';
import { type Column, kinds } from '../../staff/list/column.js';
import { List } from '../../staff/list/list.js';
import { Awaited, PageHead } from '../../staff/page-parts.js';
import { UserForm, Who } from './parts/user-form.js';
import { tracedId } from './trace/explained-id.js';

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
  { label: 'Event', value: ({ type }) => type, opens: () => true },
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
      <dl className="fin-figures">
        <div>
          <dt>By the log</dt>
          <dd>{balance.toLocaleString('en')}</dd>
        </div>
        <div>
          <dt>Shown to the user</dt>
          <dd className={holds ? undefined : 'text-danger'}>{shownBalance.toLocaleString('en')}</dd>
        </div>
        <div>
          <dt>Head of the log</dt>
          <dd>{head.position.toLocaleString('en')}</dd>
          <dd className="mt-1">
            <CopyId text={head.hash} of="hash of the head" />
          </dd>
        </div>
        <div>
          <dt>In the books</dt>
          <dd className="mt-2! grid gap-1.5 text-base! font-normal!">
            <Link className="underlined mono" to={staffPaths.financeAccount(`user:${userId}`)}>
              user:{userId.length > 12 ? `${userId.slice(0, 8)}…` : userId}
            </Link>
            <Link className="underlined" to={staffPaths.financeRollforward(userId)}>
              By month
            </Link>
          </dd>
        </div>
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
        <div className="grid gap-4">
          <Verdict proof={proof} />
          <Lots proof={proof} />
          <Events proof={proof} />
        </div>
      )}
    </>
  );
}
