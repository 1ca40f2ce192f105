import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { staffPaths } from '../../../../../application/pages/staff-paths.js';

/** An id, cut to this many letters if it is long; it links to the origin and use of its money. */
export function ExplainedId({ id, short = 12 }: { id: string; short?: number }) {
  return (
    <Link
      to={staffPaths.financeTrace(id)}
      title={id}
      aria-label={`Explain ${id}`}
      className="mono underlined inline-flex min-h-6 items-center"
    >
      <span className="truncate" style={{ maxWidth: `${short}ch` }}>
        {id}
      </span>
    </Link>
  );
}

/** The position of an event; it links to the subject of the event. */
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
export function ExplainedLine({ id, payout, line }: { id: string; payout: string; line: number }) {
  return (
    <Link
      to={staffPaths.financeTrace(payout, line)}
      title={id}
      aria-label={`Explain line ${line}`}
      className="mono underlined inline-flex min-h-6 items-center"
    >
      <span className="truncate" style={{ maxWidth: '8ch' }}>
        {id}
      </span>
    </Link>
  );
}

/** A kind of column: an id of this many letters. */
export const tracedId =
  (short = 12) =>
  (id: string): ReactNode => <ExplainedId id={id} short={short} />;

/** A kind of column: the position of an event. */
export const tracedEvent = (position: number): ReactNode => <ExplainedPosition position={position} />;
