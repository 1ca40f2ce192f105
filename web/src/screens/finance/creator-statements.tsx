import { useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'react-router-dom';
import type { Payout, Statement } from '../../../../application/payouts/contract.js';
import { creatorStatementQuery, creatorStatementsQuery } from '../../api/finance.js';
import { PAYOUT_STATUS, PAYOUT_TONE, titleOfLine } from '../../creators/payout-status.js';
import { usePages } from '../../staff/list/paged-list.js';
import { Badge } from '../../ui/badge.js';
import { countOf } from '../../ui/format.js';
import { type Column, kinds } from '../../staff/list/column.js';
import { List } from '../../staff/list/list.js';
import { Missing } from './parts/panel.js';
import { utcTime } from '../../staff/dates.js';
import { ExplainedLine, tracedId } from './trace/explained-id.js';

const MICRO_PER_CENT = 10_000;

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

/** The sales that a payout pays. States whether they add up to it. */
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
    cell: ({ status }) => <Badge tone={PAYOUT_TONE[status]}>{PAYOUT_STATUS[status]}</Badge>,
  },
  { label: 'Transfer', value: ({ transferId }) => transferId ?? '', kind: tracedId(16) },
  { label: 'Note', value: ({ failure }) => failure ?? '' },
  {
    label: 'Reversed',
    value: ({ reversedUsdCents }) => ({ microUsd: reversedUsdCents * MICRO_PER_CENT }),
  },
  { label: 'Amount', value: ({ amountUsdCents }) => ({ microUsd: amountUsdCents * MICRO_PER_CENT }) },
];

/** Every withdrawal of a creator; each opens the sales that it pays. */
export function CreatorStatements({ creatorId }: { creatorId: string }) {
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
      // The statement in the address, or the newest one that paid something.
      open={parameters.get('statement') ?? rows.find(({ status }) => status !== 'failed')?.id}
      detail={(payout) => <Lines creatorId={creatorId} payout={payout} />}
      empty="Nothing was withdrawn yet."
    />
  );
}
