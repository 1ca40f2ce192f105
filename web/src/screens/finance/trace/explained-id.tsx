import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { staffPaths } from '../../../../../application/pages/staff-paths.js';

function IdLink({ to, label, id, short }: { to: string; label: string; id: string; short: number }) {
  return (
    <Link to={to} title={id} aria-label={label} className="mono underlined inline-flex min-h-6 items-center">
      <span className="truncate" style={{ maxWidth: `${short}ch` }}>
        {id}
      </span>
    </Link>
  );
}

/** An id, cut to this many letters if it is long; it links to the origin and use of its money. */
export const ExplainedId = ({ id, short = 12 }: { id: string; short?: number }) => (
  <IdLink to={staffPaths.financeTrace(id)} label={`Explain ${id}`} id={id} short={short} />
);

export function ExplainedPosition({ position }: { position: number }) {
  return (
    <Link
      className="underlined"
      to={staffPaths.financeTrace(position)}
      aria-label={`Explain event ${position}`}
    >
      {position.toLocaleString('en')}
    </Link>
  );
}

/** The purchase in a line of a payout; it links to that line. */
export const ExplainedLine = ({ id, payout, line }: { id: string; payout: string; line: number }) => (
  <IdLink to={staffPaths.financeTrace(payout, line)} label={`Explain line ${line}`} id={id} short={8} />
);

/** A kind of column: an id of this many letters. */
export const tracedId =
  (short = 12) =>
  (id: string): ReactNode => <ExplainedId id={id} short={short} />;

export const tracedEvent = (position: number): ReactNode => <ExplainedPosition position={position} />;
