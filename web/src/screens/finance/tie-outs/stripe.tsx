import { useMutation, useQuery } from '@tanstack/react-query';
import { Upload } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { query } from '../../../api/api.js';
import { businessNow } from '../../../clock.js';
import { REPORT_LIMIT_BYTES } from '../../../../../application/ledger/values.js';
import { tieOut, tieOutQuery } from '../../../api/finance.js';
import { messageOf } from '../../../api/transport/http.js';
import { queryClient } from '../../../api/query-client.js';
import { Button } from '../../../ui/button.js';
import { Input } from '../../../ui/forms/field.js';
import { useFileDrop } from '../../../ui/forms/use-file-drop.js';
import { useFilePicker } from '../../../ui/forms/file-picker.js';
import { formatBytes } from '../../../ui/format.js';
import { EmptyState, ErrorPanel, LoadingText, Skeleton } from '../../../ui/states.js';
import { staffPaths } from '../../../../../application/pages/staff-paths.js';
import type { TieOut, TieOutList } from '../../../../../application/ledger/tie-outs/tie-out-contract.js';
import { utcDay, utcTime } from '../../../staff/dates.js';
import { type Column, kinds } from '../../../staff/list/column.js';
import { List } from '../../../staff/list/list.js';
import { PageHead } from '../../../staff/page-parts.js';
import { Materiality } from '../materiality-form.js';
import { NamedId } from '../parts/named.js';
import { lastDay, TieOutState } from '../parts/provider-panel.js';
import { tracedEvent } from '../trace/explained-id.js';
import { TieOutResult } from './tie-out.js';

const KEPT: Column<TieOut>[] = [
  {
    label: 'Covers (UTC)',
    value: ({ from, to }) => `${from} ${to}`,
    cell: ({ id, from, to }) => (
      <Link className="underlined whitespace-nowrap" to={staffPaths.financeTieOut(id)}>
        {utcDay(from)} – {lastDay(to)}
      </Link>
    ),
  },
  {
    label: 'State',
    value: ({ onlyAtStripe, onlyInBooks }) => onlyAtStripe + onlyInBooks,
    cell: (tieOut) => <TieOutState tieOut={tieOut} />,
  },
  { label: 'Matched', value: ({ matched }) => matched },
  { label: 'In the books', value: ({ booksMicroUsd }) => ({ microUsd: booksMicroUsd }) },
  { label: 'In the report', value: ({ stripeMicroUsd }) => ({ microUsd: stripeMicroUsd }) },
  { label: 'Unexplained', value: ({ unexplainedMicroUsd }) => ({ microUsd: unexplainedMicroUsd }) },
  {
    label: 'By',
    value: ({ doneBy }) => doneBy,
    cell: ({ doneBy }) => <NamedId id={doneBy} of="id of who did it" />,
  },
  { label: 'Done (UTC)', value: ({ doneAt }) => doneAt, kind: kinds.time },
  { label: 'Event', value: ({ position }) => position, kind: tracedEvent },
];

async function compare({ file, ...span }: { file: File; from: string; to: string }): Promise<void> {
  const at = new Date(businessNow()).toISOString();
  const result = { name: file.name, at, ...(await tieOut(file, span)) };
  queryClient.setQueryData(tieOutQuery.queryKey, result);
}

function refusalOf(file: File): string | undefined {
  if (file.size === 0) return 'The file is empty.';
  return file.size > REPORT_LIMIT_BYTES
    ? `The file has ${formatBytes(file.size)}; ${formatBytes(REPORT_LIMIT_BYTES)} can be read at once. Export a shorter period.`
    : undefined;
}

function useReport(span: { from: string; to: string }) {
  const { data: result } = useQuery(tieOutQuery);
  const { mutate, isPending, error, variables } = useMutation({ mutationFn: compare });
  const [refusal, setRefusal] = useState<string>();
  const take = (file: File | undefined) => {
    if (!file) return;
    const refused = refusalOf(file);
    setRefusal(refused);
    if (!refused) mutate({ file, ...span });
  };
  const problem = refusal ?? (error && messageOf(error));
  const failed =
    isPending || !problem ? undefined : { name: refusal ? 'The report' : variables?.file.name, problem };
  return { result, isPending, take, failed };
}

/**
 * Says when the report was last fetched from Stripe, or why it could not be fetched, and when the next attempt is
 * due.
 */
function Fetched({ fetch }: { fetch: NonNullable<TieOutList['fetch']> }) {
  const { comparedTo, comparedAt, isWaiting, nextAt, problem } = fetch;
  if (problem !== null)
    return (
      <div className="mb-4">
        <ErrorPanel title="Stripe’s report could not be fetched">
          {problem} The next attempt is after {utcTime(nextAt)} UTC. You can also upload the CSV.
        </ErrorPanel>
      </div>
    );
  return (
    <p className="mb-2 text-sm text-muted">
      {comparedTo && comparedAt
        ? `The report was fetched from Stripe on ${utcTime(comparedAt)} UTC, to the end of ${lastDay(comparedTo)}.`
        : 'No report was fetched from Stripe yet.'}{' '}
      {isWaiting ? 'Stripe is making the next one.' : `The next fetch is after ${utcTime(nextAt)} UTC.`}
    </p>
  );
}

export function StripePage() {
  const [span, setSpan] = useState({ from: '', to: '' });
  const { result, isPending, take, failed } = useReport(span);
  const { over, drop } = useFileDrop(take);
  const { open, input } = useFilePicker({
    label: "Stripe's balance report",
    accept: '.csv,text/csv',
    onFiles: ([file]) => take(file),
  });
  const kept = useQuery(query('GET /api/finance/tie-outs'));
  const choose = (
    <Button busy={isPending} onClick={open} icon={<Upload size={16} />}>
      {result ? 'Another report' : 'Choose the report'}
    </Button>
  );
  return (
    <div {...drop} className={over ? 'outline-2 outline-offset-8 outline-(--focus)' : undefined}>
      <PageHead
        title="Tie-out with Stripe"
        note={
          result
            ? `${result.name}, compared by Stripe's own ids.`
            : "Compares Stripe's itemised balance report, as CSV, with every movement of our Stripe balance in the books."
        }
      >
        {(['from', 'to'] as const).map((end) => (
          <Input
            key={end}
            type="date"
            label={end === 'from' ? 'Report from (UTC)' : 'to the end of'}
            value={span[end]}
            onChange={({ target }) => setSpan({ ...span, [end]: target.value })}
          />
        ))}
        {result && choose}
      </PageHead>
      {kept.data?.fetch && <Fetched fetch={kept.data.fetch} />}
      <Materiality />
      {input}
      {failed && (
        <div className="mb-4">
          <ErrorPanel title={`${failed.name} could not be compared`}>{failed.problem}</ErrorPanel>
        </div>
      )}
      {isPending && !result && (
        <>
          <LoadingText>Comparing the report with the books...</LoadingText>
          <Skeleton className="h-105" />
        </>
      )}
      {!result && !isPending && (
        <EmptyState title="Compare a report" action={choose}>
          A worker fetches the report each night. To compare other days, drop the CSV here, or choose it. The
          result is stored, not the file. Say above which days you asked Stripe for, if its first or last day
          has no line.
        </EmptyState>
      )}
      {result && <TieOutResult result={result} />}
      <div className="mt-4">
        <List
          of={kept}
          what="tie-outs"
          title="Kept tie-outs"
          note="Each is in the log. A month is closed when a report covers it to its end and ties out."
          file="tie-outs"
          columns={KEPT}
          keyOf={({ id }) => id}
          empty="No report has been compared with the books yet."
        />
      </div>
    </div>
  );
}
