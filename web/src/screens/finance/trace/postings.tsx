import { Check } from 'lucide-react';
import { Link } from 'react-router-dom';
import type { TraceCard } from '../../../api/finance.js';
import { staffPaths } from '../../../../../application/pages/staff-paths.js';
import { Badge } from '../../../ui/badge.js';
import { countOf } from '../../../ui/format.js';
import { Money } from '../../../staff/list/micro-money.js';

const OPEN = ['No event', 'Open the event', 'Open both events'] as const;

/** The postings of a card's events, line by line, with a running sum. */
export function Postings({ card }: { card: TraceCard }) {
  const { title, positions, postings } = card;
  const lines = postings.filter(({ commodity }) => commodity !== 'credits');
  const credits = postings.filter(({ commodity, delta }) => commodity === 'credits' && delta > 0);
  const moved = credits.reduce((sum, { delta }) => sum + delta, 0);
  const debits = lines.reduce((sum, { delta }) => sum + Math.max(delta, 0), 0);
  const upTo = (at: number) => lines.slice(0, at).reduce((sum, { delta }) => sum + delta, 0);
  const rows = lines.map((posting, at) => ({ ...posting, running: upTo(at + 1) }));
  const running = upTo(lines.length);
  const [first] = positions;
  return (
    <section className="panel mt-4 min-w-0" aria-labelledby="postings-title">
      <div className="fin-bar">
        <h2 id="postings-title" className="text-lg font-semibold">
          Postings of the {title.charAt(0).toLowerCase() + title.slice(1)}
        </h2>
        <p className="mr-auto text-sm text-muted">
          {countOf(positions.length, 'event')}, {countOf(lines.length, 'posting')}
          {moved > 0 && `, ${countOf(moved, 'credit')} with them`}
        </p>
        {lines.length > 0 && (
          <Badge tone={running === 0 ? 'ok' : 'danger'}>
            {running === 0 && <Check size={14} aria-hidden />}
            {running === 0 ? 'Balanced' : 'Not balanced'}
          </Badge>
        )}
        {first !== undefined && (
          <Link className="underlined mr-2 text-sm" to={staffPaths.financeEventsOf({ from: String(first) })}>
            {OPEN[positions.length] ?? 'Open the events'}
          </Link>
        )}
      </div>
      {lines.length === 0 ? (
        <p className="border-t border-line px-5 py-4 text-muted">It moves no money.</p>
      ) : (
        <div
          className="overflow-x-auto border-t border-line focus-visible:-outline-offset-2"
          role="group"
          aria-labelledby="postings-title"
          tabIndex={0}
        >
          <table className="fin-table fin-data" aria-labelledby="postings-title">
            <thead>
              <tr>
                <th scope="col" data-right>
                  Position
                </th>
                <th scope="col">Event</th>
                <th scope="col">Account</th>
                <th scope="col">What it does</th>
                <th scope="col" data-right>
                  Debit
                </th>
                <th scope="col" data-right>
                  Credit
                </th>
                <th scope="col" data-right>
                  Running sum
                </th>
              </tr>
            </thead>
            <tbody>
              {rows.map(({ position, type, account, does, delta, running: sum }) => (
                <tr key={`${position} ${account} ${delta}`}>
                  <td data-right>{position.toLocaleString('en')}</td>
                  <td>{type}</td>
                  <td>
                    <Link
                      className="mono underlined whitespace-nowrap"
                      to={staffPaths.financeAccount(account)}
                      title={account}
                    >
                      {account.length > 24 ? `${account.slice(0, 20)}…` : account}
                    </Link>
                  </td>
                  <td className="whitespace-nowrap">{does}</td>
                  <td data-right>{delta > 0 && <Money microUsd={delta} />}</td>
                  <td data-right>{delta < 0 && <Money microUsd={-delta} />}</td>
                  <td data-right>
                    <Money microUsd={sum} />
                  </td>
                </tr>
              ))}
            </tbody>
            <tfoot>
              <tr>
                <th scope="row" colSpan={4} className="text-left!">
                  Total
                </th>
                <td data-right>
                  <Money microUsd={debits} />
                </td>
                <td data-right>
                  <Money microUsd={debits - running} />
                </td>
                <td data-right>
                  <Money microUsd={running} />
                </td>
              </tr>
            </tfoot>
          </table>
        </div>
      )}
    </section>
  );
}
