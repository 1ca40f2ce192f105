import { Check } from 'lucide-react';
import { Link } from 'react-router-dom';
import { staffPaths } from '../../../../../application/pages/staff-paths.js';
import type { TraceCard } from '../../../api/finance.js';
import { type Column, kinds } from '../../../staff/list/column.js';
import { List } from '../../../staff/list/list.js';
import { Badge } from '../../../ui/badge.js';
import { countOf } from '../../../ui/format.js';

type Posting = TraceCard['postings'][number] & { running: number };

const OPEN = ['No event', 'Open the event', 'Open both events'] as const;

const COLUMNS: Column<Posting>[] = [
  { label: 'Position', value: ({ position }) => position, total: 'Total' },
  { label: 'Event', value: ({ type }) => type },
  {
    label: 'Account',
    value: ({ account }) => account,
    cell: ({ account }) => (
      <Link
        className="mono underlined whitespace-nowrap"
        to={staffPaths.financeAccount(account)}
        title={account}
      >
        {account.length > 24 ? `${account.slice(0, 20)}…` : account}
      </Link>
    ),
  },
  { label: 'What it does', value: ({ does }) => does, kind: kinds.unbroken },
  {
    label: 'Debit',
    value: ({ delta }) => (delta > 0 ? { microUsd: delta } : ''),
    align: 'right',
    sum: true,
  },
  {
    label: 'Credit',
    value: ({ delta }) => (delta < 0 ? { microUsd: -delta } : ''),
    align: 'right',
    sum: true,
  },
];

/** The postings of a card's events, line by line, with a running sum. */
export function Postings({ card }: { card: TraceCard }) {
  const { title, positions, postings } = card;
  let running = 0;
  const lines: Posting[] = [];
  for (const posting of postings)
    if (posting.commodity !== 'credits') lines.push({ ...posting, running: (running += posting.delta) });
  const moved = postings.reduce(
    (sum, { commodity, delta }) => sum + (commodity === 'credits' ? Math.max(delta, 0) : 0),
    0,
  );
  const [first] = positions;
  return (
    <div className="mt-4">
      <List
        of={lines}
        title={`Postings of the ${title.charAt(0).toLowerCase() + title.slice(1)}`}
        note={`${countOf(positions.length, 'event')}, ${countOf(lines.length, 'posting')}${moved > 0 ? `, ${countOf(moved, 'credit')} with them` : ''}`}
        actions={
          <>
            {lines.length > 0 && (
              <Badge tone={running === 0 ? 'ok' : 'danger'}>
                {running === 0 && <Check size={14} className="stroke-2" />}
                {running === 0 ? 'Balanced' : 'Not balanced'}
              </Badge>
            )}
            {first !== undefined && (
              <Link
                className="underlined mr-2 text-sm"
                to={staffPaths.financeEventsOf({ from: String(first) })}
              >
                {OPEN[positions.length] ?? 'Open the events'}
              </Link>
            )}
          </>
        }
        file={`postings-${card.id}`}
        sideways
        columns={[
          ...COLUMNS,
          {
            label: 'Running sum',
            value: (line) => ({ microUsd: line.running }),
            total: { microUsd: running },
          },
        ]}
        keyOf={({ position, account, delta }) => `${position} ${account} ${delta}`}
        empty="It moves no money."
      />
    </div>
  );
}
