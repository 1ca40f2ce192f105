import { useState } from 'react';
import { type Decision, ReasonDialog } from './reason-dialog.js';
import { refundOf } from './removals.js';
import { Start } from './start-form.js';

/** Sending money back. */
export function RefundsPage() {
  const [decision, setDecision] = useState<Decision>();
  return (
    <div className="grid gap-4 lg:grid-cols-2">
      <Start
        title="Refund an invoice"
        label="Invoice or lot"
        hint="The id of the invoice, or of the credits it paid for."
        button="Refund..."
        ask={setDecision}
        decisionOn={(text, done) => Promise.resolve(refundOf(text, done))}
      />
      {decision && <ReasonDialog decision={decision} onClose={() => setDecision(undefined)} />}
    </div>
  );
}
