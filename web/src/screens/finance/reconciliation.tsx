import { useQuery } from '@tanstack/react-query';
import { RotateCw } from 'lucide-react';
import type { Reconciliation } from '../../../../application/ledger/contract.js';
import { reconciliationQuery } from '../../api/finance.js';
import { Button } from '../../ui/button.js';
import { type Column, kinds } from '../../staff/list/column.js';
import { List } from '../../staff/list/list.js';
import { utcTime } from '../../staff/dates.js';
import { Awaited } from '../../staff/page-parts.js';

const RULES: Column<Reconciliation['invariants'][number]>[] = [
  { label: 'No.', value: ({ number }) => number },
  {
    label: 'Always true',
    value: ({ name, detail }) => (detail ? `${name}: ${detail}` : name),
    cell: ({ name, detail }) => (
      <>
        {name}
        {detail && <p className="text-sm break-words text-danger">{detail}</p>}
      </>
    ),
  },
  {
    label: 'Verdict',
    value: ({ holds }) => (holds ? 'holds' : 'broken'),
    tone: ({ holds }) => (holds ? 'ok' : 'danger'),
  },
];

const MODELS: Column<Reconciliation['drift'][number]>[] = [
  { label: 'Read model', value: ({ projection }) => projection, kind: kinds.code },
  {
    label: 'Rows that differ',
    value: ({ rows }) => rows,
    cell: ({ rows }) => (
      <span className={rows === 0 ? 'text-faint' : 'text-danger'}>{rows.toLocaleString('en')}</span>
    ),
  },
];

/** The events that this check took from an earlier check, and the dates of the last full checks. */
function ProvenBefore({ since, whole }: Reconciliation['proof']) {
  if (!since) return <p className="mt-1 text-sm text-muted">It read all of them.</p>;
  const last = (at: string | null): string => (at ? `${utcTime(at)} UTC` : 'never');
  return (
    <p className="mt-1 text-sm text-muted">
      It went on behind event {since.position.toLocaleString('en')}, from the head signed{' '}
      {utcTime(since.signedAt)} UTC; those before it were found right before. Gone through whole: the log{' '}
      {last(whole.log)}, the rules {last(whole.rules)}, the read models {last(whole.readModels)}, every file
      since {last(whole.files)}.
    </p>
  );
}

export function ReconciliationPage() {
  const query = useQuery(reconciliationQuery);
  const { data, refetch, isFetching } = query;
  return (
    <>
      <div className="flex flex-wrap items-end justify-between gap-4">
        <div>
          <h1 className="display text-5xl">Reconciliation</h1>
          <p className="mt-2 text-muted">
            {data
              ? `Checked ${utcTime(data.checkedAt)} UTC: ${data.chain.position.toLocaleString('en')} events`
              : 'Reads what is new in the log; it may take a while.'}
          </p>
          {data && <ProvenBefore {...data.proof} />}
        </div>
        <Button busy={isFetching} onClick={() => void refetch()} icon={<RotateCw size={16} />}>
          Check again
        </Button>
      </div>
      {!data && (
        <div className="mt-5">
          <Awaited
            query={query}
            failure="The books could not be checked"
            loading="Checking the books..."
            height={720}
          />
        </div>
      )}
      {data && (
        <div className="fin-columns mt-5">
          <List
            title="Invariants"
            note={`${data.invariants.filter(({ holds }) => holds).length} of ${data.invariants.length} hold`}
            file="invariants"
            columns={RULES}
            of={data.invariants}
            keyOf={({ number }) => String(number)}
          />
          <div className="grid min-w-0 content-start">
            <List
              title="Read models"
              note="Rows compared with the log"
              file="drift"
              columns={MODELS}
              of={data.drift}
              keyOf={({ projection }) => projection}
              empty="There are none."
            />
          </div>
        </div>
      )}
    </>
  );
}
