import { Link } from 'react-router-dom';
import type { Trace } from '../../../api/finance.js';
import { countOf } from '../../../ui/format.js';
import { type Column, DataTable } from '../parts/data-table.js';
import { utcTime } from '../parts/dates.js';

const COLUMNS: Column<Trace['outcomes'][number]>[] = [
  {
    label: 'Sold (UTC)',
    value: ({ at }) => at,
    cell: ({ at, href }) => (
      <Link className="underlined whitespace-nowrap" to={href}>
        {utcTime(at)}
      </Link>
    ),
  },
  { label: 'Sound', value: ({ title }) => title },
  { label: 'Credits', value: ({ credits }) => credits },
  { label: 'Worth', value: ({ valueMicroUsd }) => ({ microUsd: valueMicroUsd }) },
];

/** Purchases that were made with a lot or an invoice. @param next the address of the next page */
export function Outcomes({ trace, next }: { trace: Trace; next: string | undefined }) {
  const { outcomes, outcomeCount, id } = trace;
  return (
    <div className="mt-4 grid gap-4">
      <DataTable
        title="What came of it"
        note={
          outcomes.length < outcomeCount
            ? `${outcomes.length} of ${countOf(outcomeCount, 'sale')}, oldest first`
            : countOf(outcomeCount, 'sale')
        }
        file={`sales-of-${id}`}
        columns={COLUMNS}
        rows={outcomes}
        keyOf={({ id: purchaseId }) => purchaseId}
        empty=""
      />
      {next && (
        <Link className="underlined justify-self-start" to={next}>
          Later sales
        </Link>
      )}
    </div>
  );
}
