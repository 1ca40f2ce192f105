import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import type { Payout, Statement } from '../../../../application/payouts/contract.js';
import { creatorStatementQuery, creatorStatementsQuery } from '../../api/finance.js';
import { messageOf } from '../../api/transport/http.js';
import { PAYOUT_STATUS, PAYOUT_TONE, titleOfLine } from '../../creators/payout-status.js';
import { usePages } from '../../staff/paged-list.js';
import { Badge } from '../../ui/badge.js';
import { countOf } from '../../ui/format.js';
import { LoadingText, Skeleton } from '../../ui/states.js';
import { type Column, DataTable } from './parts/data-table.js';
import { utcTime } from './parts/dates.js';
import { ExplainedId, ExplainedLine } from './trace/explained-id.js';

const MICRO_PER_CENT = 10_000;

type Line = Statement['lines'][number];

function linesOf(statement: Statement): Column<Line>[] {
  const sum = statement.lines.reduce((total, { amountMicroUsd }) => total + amountMicroUsd, 0);
  return [
    {
      label: 'Sold (UTC)',
      value: ({ soldAt }) => soldAt ?? '',
      total: 'Sum',
      cell: ({ soldAt }) => <span className="whitespace-nowrap">{soldAt ? utcTime(soldAt) : '–'}</span>,
    },
    {
      label: 'Sample',
      value: titleOfLine,
    },
    {
      label: 'Purchase',
      value: ({ purchaseId }) => purchaseId ?? '',
      cell: (line) =>
        line.purchaseId && (
          <ExplainedLine
            id={line.purchaseId}
            payout={statement.id}
            line={statement.lines.indexOf(line) + 1}
          />
        ),
    },
    {
      label: 'Share',
      value: ({ shareMicroUsd }) => (shareMicroUsd === null ? '' : { microUsd: shareMicroUsd }),
      align: 'right',
    },
    {
      label: 'Paid here',
      value: ({ amountMicroUsd }) => ({ microUsd: amountMicroUsd }),
      total: { microUsd: sum },
    },
  ];
}

/** The sales that a payout pays. States whether they add up to it. */
function Lines({ creatorId, payout: { id, requestedAt } }: { creatorId: string; payout: Payout }) {
  const { data, error } = useQuery(creatorStatementQuery(creatorId, id));
  if (!data)
    return error ? (
      <p className="p-5 text-danger">{messageOf(error)}</p>
    ) : (
      <div className="p-5">
        <LoadingText>Loading the statement...</LoadingText>
        <Skeleton className="h-30" />
      </div>
    );
  const sum = data.lines.reduce((total, { amountMicroUsd }) => total + amountMicroUsd, 0);
  const ties = sum === data.amountMicroUsd;
  return (
    <div className="p-3">
      <DataTable
        title={`Statement of ${utcTime(requestedAt)}`}
        note={
          <Badge tone={ties ? 'ok' : 'danger'}>
            {ties ? 'Sums to the payout' : 'Does not sum to the payout'}
          </Badge>
        }
        file={`statement-${id}`}
        searchable
        columns={linesOf(data)}
        rows={data.lines}
        keyOf={({ purchaseId, reversalId, kind }) => purchaseId ?? reversalId ?? kind}
        empty="This payout contains no sales."
      />
    </div>
  );
}

function columnsOf(open: string | undefined, toggle: (id: string) => void): Column<Payout>[] {
  return [
    {
      label: 'Requested (UTC)',
      value: ({ requestedAt }) => requestedAt,
      cell: ({ id, requestedAt, status }) =>
        status === 'failed' ? (
          <span className="whitespace-nowrap">{utcTime(requestedAt)}</span>
        ) : (
          <button
            type="button"
            className="underlined whitespace-nowrap"
            aria-expanded={open === id}
            onClick={() => toggle(id)}
          >
            {utcTime(requestedAt)}
          </button>
        ),
    },
    {
      label: 'Status',
      value: ({ status }) => PAYOUT_STATUS[status],
      cell: ({ status }) => <Badge tone={PAYOUT_TONE[status]}>{PAYOUT_STATUS[status]}</Badge>,
    },
    {
      label: 'Transfer',
      value: ({ transferId }) => transferId ?? '',
      cell: ({ transferId }) => transferId && <ExplainedId id={transferId} short={16} />,
    },
    { label: 'Note', value: ({ failure }) => failure ?? '' },
    {
      label: 'Reversed',
      value: ({ reversedUsdCents }) => ({ microUsd: reversedUsdCents * MICRO_PER_CENT }),
    },
    { label: 'Amount', value: ({ amountUsdCents }) => ({ microUsd: amountUsdCents * MICRO_PER_CENT }) },
  ];
}

/** Every withdrawal of a creator; each opens the sales that it pays. */
export function CreatorStatements({ creatorId }: { creatorId: string }) {
  const [parameters] = useSearchParams();
  const [chosen, setChosen] = useState<string | null>();
  const list = usePages(creatorStatementsQuery(creatorId));
  const { data, error } = list;
  const rows = data?.items ?? [];
  // The statement in the address, or the newest one that paid something.
  const first = parameters.get('statement') ?? rows.find(({ status }) => status !== 'failed')?.id;
  const open = chosen === undefined ? first : (chosen ?? undefined);
  return (
    <DataTable
      title="Statements"
      note={data && `${countOf(rows.length, 'withdrawal')}${list.hasNextPage ? ' and more' : ''}`}
      file={`statements-${creatorId}`}
      columns={columnsOf(open, (id) => setChosen(open === id ? null : id))}
      rows={rows}
      pages={list}
      more="Earlier statements"
      keyOf={({ id }) => id}
      detail={(payout) => payout.id === open && <Lines creatorId={creatorId} payout={payout} />}
      empty={error ? messageOf(error) : data ? 'Nothing was withdrawn yet.' : 'Loading statements...'}
    />
  );
}
