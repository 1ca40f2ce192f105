import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from 'react-router-dom';
import type { CreatorAccountByState } from '../../../../application/payouts/contract.js';
import { creatorAccountQuery } from '../../api/finance.js';
import { ApiProblem } from '../../api/transport/http.js';
import { staffPaths } from '../../../../application/pages/staff-paths.js';
import { Awaited } from '../../staff/awaited.js';
import { EmptyState } from '../../ui/states.js';
import { Tape } from '../../ui/tape.js';
import { CreatorStatements } from './creator-statements.js';
import { Money } from '../../staff/list/micro-money.js';
import { CopyId } from './parts/copy-id.js';
import { utcTime } from '../../staff/dates.js';
import { PageHead } from '../../staff/page-head.js';

const STATES = [
  { label: 'In hold', of: 'heldMicroUsd', colour: 'var(--c1)', hatched: true },
  { label: 'Available', of: 'availableMicroUsd', colour: 'var(--c1)' },
  { label: 'In transit', of: 'inTransitMicroUsd', colour: 'var(--c2)', hatched: true },
  { label: 'Paid', of: 'paidMicroUsd', colour: 'var(--wave)' },
  { label: 'Written off', of: 'writtenOffMicroUsd', colour: 'var(--c3)' },
] as const satisfies readonly {
  label: string;
  of: keyof CreatorAccountByState;
  colour: string;
  hatched?: boolean;
}[];

const SUM = [
  ['Earned', 'earnedMicroUsd', 1],
  ['Taken back', 'takenBackMicroUsd', -1],
  ['In transit', 'inTransitMicroUsd', -1],
  ['Paid', 'paidMicroUsd', -1],
  ['Written off', 'writtenOffMicroUsd', 1],
] as const;

function ByState({ account }: { account: CreatorAccountByState }) {
  const { heldUntil, heldMicroUsd } = account;
  const parts = STATES.map(({ of, ...state }) => ({
    ...state,
    amount: Math.max(0, account[of] / 1_000_000),
  }));
  return (
    <section className="panel min-w-0 p-5" aria-label="By state">
      <dl className="fin-figures">
        {STATES.map(({ label, of, colour, ...state }) => (
          <div key={label}>
            <dt className="flex items-center gap-2">
              <span
                aria-hidden="true"
                className={`size-2.5 ${'hatched' in state ? 'hatched' : ''}`}
                style={{ color: colour, background: 'hatched' in state ? undefined : colour }}
              />
              {label}
            </dt>
            <dd>
              <Money microUsd={account[of]} />
            </dd>
            {of === 'heldMicroUsd' && heldUntil && heldMicroUsd > 0 && (
              <dd className="mt-1 text-xs! font-normal! text-faint">until {utcTime(heldUntil)}</dd>
            )}
          </div>
        ))}
      </dl>
      {parts.some(({ amount }) => amount > 0) && (
        <div className="mt-6">
          <Tape parts={parts} height={12} />
        </div>
      )}
    </section>
  );
}

/** The calculation of the debt to a creator, from top to bottom. */
function Owed({ account }: { account: CreatorAccountByState }) {
  const { creatorId, balanceMicroUsd } = account;
  return (
    <section className="panel min-w-0" aria-label="What is owed">
      <table className="fin-table" aria-label="What is owed">
        <tbody>
          {SUM.map(([label, of, sign]) => (
            <tr key={of}>
              <th scope="row" className="font-normal">
                {label}
              </th>
              <td>
                <Money microUsd={account[of] * sign || 0} />
              </td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">
              Owed
              <Link
                className="underlined ml-4 font-normal"
                to={staffPaths.financeAccount(`creator:${creatorId}`)}
                title={`creator:${creatorId}`}
              >
                The account
              </Link>
            </th>
            <td className={balanceMicroUsd < 0 ? 'text-danger' : undefined}>
              <Money microUsd={balanceMicroUsd} />
            </td>
          </tr>
        </tfoot>
      </table>
    </section>
  );
}

/** One creator: the debt by state, and every statement down to its lines. */
export function CreatorPage() {
  const { creatorId = '' } = useParams();
  const query = useQuery(creatorAccountQuery(creatorId));
  const account = query.data;
  const unknown = query.error instanceof ApiProblem && query.error.status === 404;
  return (
    <>
      <p className="mb-2 text-sm text-muted">
        <Link to={staffPaths.financeCreators}>Creators</Link> / statements
      </p>
      <PageHead
        title={account?.displayName ?? 'Creator'}
        note={<CopyId text={creatorId} of="id" short={40} />}
      />
      {unknown && <EmptyState title="No earnings">The books have no account of this creator.</EmptyState>}
      {!account && !unknown && (
        <Awaited
          query={query}
          failure="The creator could not be loaded"
          loading="Loading the creator..."
          height={420}
        />
      )}
      {account && (
        <div className="grid gap-4">
          <div className="fin-columns">
            <ByState account={account} />
            <Owed account={account} />
          </div>
          <CreatorStatements creatorId={creatorId} />
        </div>
      )}
    </>
  );
}
