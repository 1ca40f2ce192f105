import { useQuery } from '@tanstack/react-query';
import { Link, useParams, useSearchParams } from 'react-router-dom';
import type { CreatorAccountByState, Payout, Statement } from '../../../../application/payouts/contract.js';
import { creatorAccountQuery, creatorStatementQuery, creatorStatementsQuery } from '../../api/finance.js';
import { staffPaths } from '../../../../application/pages/staff-paths.js';
import { EmptyState } from '../../ui/states.js';
import { Tape } from '../../ui/tape.js';
import { AMOUNTS } from './lists.js';
import { CopyId } from './parts/named.js';
import { utcTime } from '../../staff/dates.js';
import { PAYOUT_STATUS, PAYOUT_TONE, titleOfLine } from '../../creators/payout-status.js';
import { type Column, kinds, Money } from '../../staff/list/column.js';
import { List } from '../../staff/list/list.js';
import { usePages } from '../../staff/list/paged-list.js';
import { Badge } from '../../ui/badge.js';
import { countOf, MICRO_PER_CENT } from '../../ui/format.js';
import { ExplainedLine, tracedId } from './trace/explained-id.js';
import { Awaited, Figure, Missing, PageHead } from '../../staff/page-parts.js';

const STATES: readonly {
  label: string;
  of: Extract<keyof CreatorAccountByState, `${string}MicroUsd`>;
  colour: string;
  hatched?: boolean;
}[] = [
  { label: 'In hold', of: 'heldMicroUsd', colour: 'var(--sticker)', hatched: true },
  { label: 'Available', of: 'availableMicroUsd', colour: 'var(--sticker)' },
  { label: 'In transit', of: 'inTransitMicroUsd', colour: 'var(--c2)', hatched: true },
  { label: 'Paid', of: 'paidMicroUsd', colour: 'var(--wave)' },
  { label: 'Written off', of: 'writtenOffMicroUsd', colour: 'var(--c3)' },
];

function ByState({ account }: { account: CreatorAccountByState }) {
  const { heldUntil, heldMicroUsd } = account;
  const parts = STATES.map(({ of, ...state }) => ({
    ...state,
    amount: Math.max(0, account[of] / 1_000_000),
  }));
  return (
    <section className="panel min-w-0 p-5" aria-label="By state">
      <dl className="grid gap-5 fit-130">
        {STATES.map(({ label, of, colour, hatched }) => (
          <Figure
            key={label}
            name={
              <span className="flex items-center gap-2">
                <span
                  aria-hidden="true"
                  className={`size-2.5 ${hatched ? 'hatched' : ''}`}
                  style={{ color: colour, background: hatched ? undefined : colour }}
                />
                {label}
              </span>
            }
          >
            <Money microUsd={account[of]} />{' '}
            {of === 'heldMicroUsd' && heldUntil && heldMicroUsd > 0 && (
              <span className="mt-1 block text-xs font-normal text-faint">until {utcTime(heldUntil)}</span>
            )}
          </Figure>
        ))}
      </dl>
      {parts.some(({ amount }) => amount > 0) && (
        <div className="mt-6">
          <Tape parts={parts} />
        </div>
      )}
    </section>
  );
}

function Owed({ account }: { account: CreatorAccountByState }) {
  const { creatorId, balanceMicroUsd } = account;
  return (
    <section className="panel min-w-0" aria-label="What is owed">
      <table className="fin-table" aria-label="What is owed">
        <tbody>
          {AMOUNTS.map(([label, of, sign]) => (
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

type Line = Statement['lines'][number];

const linesOf = ({ id, lines }: Statement): Column<Line>[] => [
  { label: 'Sold (UTC)', value: ({ soldAt }) => soldAt, total: 'Sum', kind: kinds.time },
  { label: 'Sample', value: titleOfLine },
  {
    label: 'Purchase',
    value: ({ purchaseId }) => purchaseId ?? '',
    cell: (line) =>
      line.purchaseId && <ExplainedLine id={line.purchaseId} payout={id} line={lines.indexOf(line) + 1} />,
  },
  {
    label: 'Share',
    value: ({ shareMicroUsd }) => (shareMicroUsd === null ? '' : { microUsd: shareMicroUsd }),
    align: 'right',
  },
  { label: 'Paid here', value: ({ amountMicroUsd }) => ({ microUsd: amountMicroUsd }), sum: true },
];

/**
 * The lines of a payout (sales, deductions and amounts that are paid again), and whether they add up to the
 * payout.
 */
function Lines({ creatorId, payout: { id, requestedAt } }: { creatorId: string; payout: Payout }) {
  const { data, error } = useQuery(creatorStatementQuery(creatorId, id));
  if (!data)
    return (
      <div className="p-5">
        <Missing error={error} loading="Loading the statement..." height={120} />
      </div>
    );
  const sum = data.lines.reduce((total, { amountMicroUsd }) => total + amountMicroUsd, 0);
  const ties = sum === data.amountMicroUsd;
  return (
    <div className="p-3">
      <List
        of={data.lines}
        title={`Statement of ${utcTime(requestedAt)}`}
        note={
          <Badge tone={ties ? 'ok' : 'danger'}>
            {ties ? 'Sums to the payout' : 'Does not sum to the payout'}
          </Badge>
        }
        file={`statement-${id}`}
        searchable
        columns={linesOf(data)}
        keyOf={({ purchaseId, reversalId, kind }) => purchaseId ?? reversalId ?? kind}
        empty="This payout contains no sales."
      />
    </div>
  );
}

const COLUMNS: Column<Payout>[] = [
  {
    label: 'Requested (UTC)',
    value: ({ requestedAt }) => requestedAt,
    kind: kinds.time,
    opens: ({ status }) => status !== 'failed',
  },
  {
    label: 'Status',
    value: ({ status }) => PAYOUT_STATUS[status],
    tone: ({ status }) => PAYOUT_TONE[status],
  },
  { label: 'Transfer', value: ({ transferId }) => transferId ?? '', kind: tracedId(16) },
  { label: 'Note', value: ({ failure }) => failure ?? '' },
  { label: 'Reversed', value: ({ reversedUsdCents }) => ({ microUsd: reversedUsdCents * MICRO_PER_CENT }) },
  { label: 'Amount', value: ({ amountUsdCents }) => ({ microUsd: amountUsdCents * MICRO_PER_CENT }) },
];

function CreatorStatements({ creatorId }: { creatorId: string }) {
  const [parameters] = useSearchParams();
  const list = usePages(creatorStatementsQuery(creatorId));
  const rows = list.data?.items ?? [];
  return (
    <List
      of={list}
      what="statements"
      title="Statements"
      note={`${countOf(rows.length, 'withdrawal')}${list.hasNextPage ? ' and more' : ''}`}
      file={`statements-${creatorId}`}
      columns={COLUMNS}
      more="Earlier statements"
      keyOf={({ id }) => id}
      // Opens the statement that the address names, otherwise the newest one. Failed withdrawals have no statement.
      open={parameters.get('statement') ?? rows.find(({ status }) => status !== 'failed')?.id}
      detail={(payout) => <Lines creatorId={creatorId} payout={payout} />}
      empty="Nothing was withdrawn yet."
    />
  );
}

export function CreatorPage() {
  const { creatorId = '' } = useParams();
  const query = useQuery(creatorAccountQuery(creatorId));
  const account = query.data;
  return (
    <>
      <PageHead
        trail={{ to: staffPaths.financeCreators, above: 'Creators', here: 'statements' }}
        title={account?.displayName ?? 'Creator'}
        note={<CopyId text={creatorId} of="id" short={40} />}
      />
      {!account && (
        <Awaited
          query={query}
          what="creator"
          height={420}
          unknown={<EmptyState title="No earnings">The books have no account of this creator.</EmptyState>}
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
