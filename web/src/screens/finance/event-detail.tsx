import type { EventPage } from '../../../../application/ledger/contract.js';
import { Button } from '../../ui/button.js';
import { useCopy } from '../../ui/hooks/use-copy.js';

/** An event as the log has it, ready to be copied. */
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
        {text}
      </pre>
      <Button size="small" tone="quiet" className="absolute! top-2 right-2" onClick={() => copy(text)}>
        {copied ? 'Copied' : 'Copy'}
      </Button>
    </div>
  );
}
