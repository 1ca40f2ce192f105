import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import type { EventPage } from '../../../../application/ledger/contract.js';
import { Button } from '../../ui/button.js';
import { useCopy } from '../../ui/hooks/use-copy.js';
import { staffPaths } from '../../../../application/pages/staff-paths.js';

/** Members of events whose ids the books explain. */
const IDS =
  /("(?:lotId|purchaseId|certificateId|invoiceId|invoiceLineId|transactionId|source|refundId|disputeId|withdrawalId|transferId|reversalId|payoutId|adjustmentId|approvalId|about)": ")([\w:.-]+)(?=")/;

function linked(text: string): ReactNode[] {
  // After a split by two groups, every third part is an id.
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
