import { useState } from 'react';
import type { EventPage } from '../../../../application/finance/contract.js';
import { Button } from '../../ui/button.js';
import { copyText } from '../../ui/copy.js';

/** An event as the log has it, ready to be copied. */
export function EventDetail({ event }: { event: EventPage['items'][number] }) {
  const [copied, setCopied] = useState(false);
  const text = JSON.stringify(event, null, 2);
  return (
    <div className="relative">
      <pre
        className="mono max-h-[420px] overflow-auto p-4 whitespace-pre-wrap break-all"
        tabIndex={0}
        aria-label={`Event ${event.position}`}
      >
        {text}
      </pre>
      <Button
        size="small"
        tone="quiet"
        className="absolute! top-2 right-2"
        onClick={() => void copyText(text).then(() => setCopied(true))}
      >
        {copied ? 'Copied' : 'Copy'}
      </Button>
    </div>
  );
}
