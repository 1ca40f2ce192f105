import { Check, ShieldAlert, ShieldCheck } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { staffPaths } from '../../../../../application/pages/staff-paths.js';
import type { Trace, TraceCard } from '../../../api/finance.js';
import { utcTime } from '../../../staff/dates.js';
import { type Column, kinds } from '../../../staff/list/column.js';
import { List } from '../../../staff/list/list.js';
import { Badge } from '../../../ui/badge.js';
import { countOf } from '../../../ui/format.js';
import { AccountName, CopyId, eventName } from '../parts/named.js';

type Posting = TraceCard['postings'][number] & { running: number };

const OPEN = ['No event', 'Open the event', 'Open both events'] as const;

const COLUMNS: Column<Posting>[] = [
  { label: 'Position', value: ({ position }) => position, total: 'Total' },
  { label: 'Event', value: ({ type }) => type, kind: eventName },
  {
    label: 'Account',
    value: ({ account }) => account,
    cell: ({ account }) => (
      <Link className="underlined whitespace-nowrap" to={staffPaths.financeAccount(account)}>
        <AccountName account={account} />
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

/**
 * Shows whether the events of a card match their hashes, and the time of the signed head that covers the newest of
 * them, if any.
 */
export function ProofBar({ id, card, proof }: { id: string; card: TraceCard; proof: Trace['proof'] }) {
  const [asked, setAsked] = useState(false);
  const events = proof.events.filter(({ position }) => card.positions.includes(position));
  const newest = events.at(-1);
  if (!newest) return null;
  const holds = events.every(({ verified }) => verified);
  const { position, hash } = newest;
  const { head } = proof;
  return (
    <section aria-label="Proof" className="mt-4 grid gap-3">
      <div
        className="flex flex-wrap items-center gap-x-4 gap-y-2 bg-ok-wash px-5 py-3 data-broken:bg-danger-wash md:[&>span]:border-l md:[&>span]:border-strong md:[&>span]:pl-4 cut-corner-12"
        data-broken={holds ? undefined : true}
      >
        {holds ? (
          <ShieldCheck size={18} className="text-ok" />
        ) : (
          <ShieldAlert size={18} className="text-danger" />
        )}
        <strong>{holds ? 'Hash verified' : 'Not what was hashed'}</strong>
        <span>
          Position <strong>{position.toLocaleString('en')}</strong>
        </span>
        <span>
          {head && head.position >= position ? (
            <>
              Signed head <strong>{utcTime(head.signedAt)}</strong>
            </>
          ) : (
            'Not yet signed'
          )}
        </span>
        <span>
          <CopyId text={hash} of="hash" short={16} />
        </span>
        <small className="ml-auto text-sm text-muted">checked {utcTime(proof.checkedAt)}</small>
        <button
          type="button"
          className="underlined min-h-6"
          aria-expanded={asked}
          onClick={() => setAsked(!asked)}
        >
          Check it yourself
        </button>
      </div>
      {asked && (
        <div className="panel grid gap-2 p-5">
          <p>
            <CopyId text={`npm run offcut -- finance trace ${id}`} of="command" short={80} /> computes the
            same on a machine of yours, and ends with 1 where a sum does not tie.
          </p>
          <p>
            <Link className="underlined" to={staffPaths.financeReconciliation}>
              Check the books
            </Link>{' '}
            to hold the events since the last signed head against their hashes, and the books against every
            rule; <CopyId text="npm run offcut -- finance verify --all" of="command" short={80} /> goes
            through every event.
          </p>
        </div>
      )}
    </section>
  );
}
