import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { staffPaths } from '../../../../../application/pages/staff-paths.js';
import type { EventPage } from '../../../../../application/ledger/contract.js';
import { Button } from '../../../ui/button.js';
import { useCopy } from '../../../ui/hooks/use-copy.js';

function IdLink({ to, label, id, short }: { to: string; label: string; id: string; short: number }) {
  return (
    <Link to={to} title={id} aria-label={label} className="mono underlined inline-flex min-h-6 items-center">
      <span className="truncate" style={{ maxWidth: `${short}ch` }}>
        {id}
      </span>
    </Link>
  );
}

/** A link to the page about the money behind an id. @param short the number of letters to which a long id is cut */
export const ExplainedId = ({ id, short = 12 }: { id: string; short?: number }) => (
  <IdLink to={staffPaths.financeTrace(id)} label={`Explain ${id}`} id={id} short={short} />
);

/** The id of the purchase in a line of a payout, as a link to the explanation of that line. */
export const ExplainedLine = ({ id, payout, line }: { id: string; payout: string; line: number }) => (
  <IdLink to={staffPaths.financeTrace(payout, line)} label={`Explain line ${line}`} id={id} short={8} />
);

/** Shows the ids of a column as links to their explanations. @param short ids are cut to this many letters */
export const tracedId =
  (short = 12) =>
  (id: string): ReactNode => <ExplainedId id={id} short={short} />;

/** Shows the position of an event, in a cell of a table, as a link to the explanation of the event. */
export const tracedEvent = (position: number): ReactNode => (
  <Link
    className="underlined"
    to={staffPaths.financeTrace(position)}
    aria-label={`Explain event ${position}`}
  >
    {position.toLocaleString('en')}
  </Link>
);

/** Fields of events whose values are ids that the books can explain. */
const IDS =
  /("(?:lotId|purchaseId|certificateId|invoiceId|invoiceLineId|transactionId|source|refundId|disputeId|withdrawalId|transferId|reversalId|payoutId|adjustmentId|approvalId|about)": ")([\w:.-]+)(?=")/;

function linked(text: string): ReactNode[] {
  // `split` also returns the two groups of the pattern, so every third part is an id.
  return text.split(IDS).map((part, at) =>
    at % 3 === 2 ? (
      <Link key={`${at} ${part}`} className="underlined" to={staffPaths.financeTrace(part)}>
        {part}
      </Link>
    ) : (
      part
    ),
  );
}

/** An event as stored in the log, ready to copy; its ids link to their explanations. */
export function EventDetail({ event }: { event: EventPage['items'][number] }) {
  const { copied, copy } = useCopy();
  const text = JSON.stringify(event, null, 2);
  return (
    <div className="relative">
      <pre
        className="mono max-h-105 overflow-auto p-4 whitespace-pre-wrap break-all"
        tabIndex={0}
        aria-label={`Event ${event.position}`}
      >
        {linked(text)}
      </pre>
      <Button size="small" tone="quiet" className="absolute! top-2 right-2" onClick={() => copy(text)}>
        {copied ? 'Copied' : 'Copy'}
      </Button>
    </div>
  );
}
