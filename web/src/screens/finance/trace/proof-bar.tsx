import { ShieldAlert, ShieldCheck } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import type { Trace, TraceCard } from '../../../api/finance.js';
import { staffPaths } from '../../../../../application/pages/staff-paths.js';
import { utcTime } from '../../../staff/dates.js';
import { CopyId } from '../parts/copy-id.js';

/** Whether the events of a card match their hashes, and up to which position the log is signed. */
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
        className="flex flex-wrap items-center gap-x-4 gap-y-2 bg-ok-wash px-5 py-3.5 data-broken:bg-danger-wash md:[&>span]:border-l md:[&>span]:border-strong md:[&>span]:pl-4 cut-corner-12"
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
