import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router-dom';
import type { TieOut } from '../../../../../application/ledger/tie-outs/tie-out-contract.js';
import { tieOutsQuery } from '../../../api/finance.js';
import { staffPaths } from '../../../../../application/pages/staff-paths.js';
import { ExplainedPosition } from '../trace/explained-id.js';
import { NamedId } from '../parts/copy-id.js';
import { type Column, DataTable } from '../parts/data-table.js';
import { utcDay, utcTime } from '../parts/dates.js';
import { TieOutState, lastDay } from '../parts/provider-panel.js';

const COLUMNS: Column<TieOut>[] = [
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
  {
    label: 'Unexplained',
    value: ({ unexplainedMicroUsd }) => ({ microUsd: unexplainedMicroUsd }),
  },
  {
    label: 'By',
    value: ({ doneBy }) => doneBy,
    cell: ({ doneBy }) => <NamedId id={doneBy} of="id of who did it" />,
  },
  {
    label: 'Done (UTC)',
    value: ({ doneAt }) => doneAt,
    cell: ({ doneAt }) => <span className="whitespace-nowrap">{utcTime(doneAt)}</span>,
  },
  {
    label: 'Event',
    value: ({ position }) => position,
    cell: ({ position }) => <ExplainedPosition position={position} />,
  },
];

export function KeptTieOuts() {
  const { data } = useQuery(tieOutsQuery);
  if (!data) return null;
  return (
    <DataTable
      title="Kept tie-outs"
      note="Each is signed, and in the log. A month is closed when a report covers it to its end and ties out."
      file="tie-outs"
      columns={COLUMNS}
      rows={data.items}
      keyOf={({ id }) => id}
      empty="No report was held against the books yet."
    />
  );
}
