import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from 'react-router-dom';
import type { TieOutDetails } from '../../../../../application/ledger/tie-outs/tie-out-contract.js';
import { keptTieOutQuery } from '../../../api/finance.js';
import { ApiProblem } from '../../../api/transport/http.js';
import { Awaited } from '../../../staff/awaited.js';
import { staffPaths } from '../../../../../application/pages/staff-paths.js';
import { Badge } from '../../../ui/badge.js';
import { countOf } from '../../../ui/format.js';
import { EmptyState } from '../../../ui/states.js';
import { By } from '../parts/named.js';
import { CopyId } from '../parts/copy-id.js';
import { type Column, kinds } from '../../../staff/list/column.js';
import { List } from '../../../staff/list/list.js';
import { utcDay, utcTime } from '../../../staff/dates.js';
import { PageHead } from '../../../staff/page-head.js';
import { TieOutState, lastDay } from '../parts/provider-panel.js';
import { ExplainedPosition, tracedId } from '../trace/explained-id.js';
import { Sum } from './tie-out-result.js';

/** A list this short needs no search. */
const FEW = 5;

type Open = TieOutDetails['open'][number];

const SIDES = {
  stripe: {
    title: 'Only at Stripe',
    empty: 'None. Everything that Stripe reported was in the books.',
  },
  books: {
    title: 'Only in our books',
    empty: 'None. Every movement in the books was in the report.',
  },
} as const;

const COLUMNS: Column<Open>[] = [
  { label: 'About', value: ({ id }) => id, total: 'Sum', kind: tracedId(30) },
  { label: 'What', value: ({ what }) => what },
  { label: 'At (UTC)', value: ({ at }) => at, kind: kinds.time },
  { label: 'Amount', value: ({ amountMicroUsd }) => ({ microUsd: amountMicroUsd }), sum: true },
];

function Side({ tieOut, side }: { tieOut: TieOutDetails; side: Open['side'] }) {
  const { title, empty } = SIDES[side];
  const rows = tieOut.open.filter((item) => item.side === side);
  const all = side === 'stripe' ? tieOut.onlyAtStripe : tieOut.onlyInBooks;
  return (
    <List
      title={title}
      note={
        rows.length < all
          ? `The first ${rows.length.toLocaleString('en')} of ${all.toLocaleString('en')} were kept`
          : countOf(all, 'item')
      }
      file={`${side === 'stripe' ? 'only-at-stripe' : 'only-in-our-books'}-${tieOut.from.slice(0, 10)}`}
      searchable={rows.length > FEW}
      columns={COLUMNS}
      of={rows}
      keyOf={({ id, what, at, amountMicroUsd }) => `${id} ${what} ${at} ${amountMicroUsd}`}
      empty={empty}
    />
  );
}

/** One comparison of a report with the books: who made it, its result, and the lines that only one side has. */
export function TieOutPage() {
  const { id = '' } = useParams();
  const query = useQuery(keptTieOutQuery(id));
  const { data } = query;
  const unknown = query.error instanceof ApiProblem && [400, 404].includes(query.error.status);
  return (
    <>
      <p className="mb-2 text-sm text-muted">
        <Link to={staffPaths.financeStripe}>Stripe</Link> / kept tie-out
      </p>
      <PageHead
        title={data ? `${utcDay(data.from)} \u2013 ${lastDay(data.to)}` : 'Tie-out'}
        note={<CopyId text={id} of="SHA-256 of the report" short={40} />}
      />
      {unknown && (
        <EmptyState title="No tie-out">No report with this id was held against the books.</EmptyState>
      )}
      {!data && !unknown && (
        <Awaited
          query={query}
          failure="The tie-out could not be loaded"
          loading="Loading the tie-out..."
          height={420}
        />
      )}
      {data && (
        <div className="grid gap-4">
          <section className="panel p-5" aria-label="The sum">
            <Sum
              ours={data.booksMicroUsd}
              open={data.stripeMicroUsd - data.booksMicroUsd}
              theirs={data.stripeMicroUsd}
              items={data.onlyAtStripe + data.onlyInBooks}
            />
            <p className="mt-5 flex flex-wrap items-baseline gap-x-4 gap-y-2 border-t border-line pt-4">
              <TieOutState tieOut={data} />
              <Badge tone={data.isSigned ? 'ok' : 'danger'}>
                {data.isSigned ? 'Signature holds' : 'Not as it was signed'}
              </Badge>
              <span>{data.matched.toLocaleString('en')} matched</span>
              <span className="text-muted">
                <By id={data.doneBy} />, {utcTime(data.doneAt)} UTC, event{' '}
                <ExplainedPosition position={data.position} />
              </span>
            </p>
          </section>
          <Side tieOut={data} side="stripe" />
          <Side tieOut={data} side="books" />
        </div>
      )}
    </>
  );
}
