import { useState } from 'react';
import { EmptyState } from '../../ui/states.js';
import { PaidInvoiceList } from './paid-invoices.js';
import { PersonPicker, useChosenPerson } from './person-picker.js';
import { type Decision, ReasonDialog } from '../../staff/reason-dialog.js';
import { refundOf } from './removals.js';
import { Start } from './start-form.js';

export function RefundsPage() {
  const [decision, setDecision] = useState<Decision>();
  const [person, setPerson] = useChosenPerson();
  return (
    <div className="grid grid-cols-1 grid-rows-[auto_1fr] items-start gap-x-6 gap-y-4 lg:split-340">
      <section aria-labelledby="payer-title" className="panel min-w-0 p-5">
        <h2 id="payer-title" className="mb-4 text-lg font-semibold">
          Who paid
        </h2>
        <PersonPicker value={person} onChange={setPerson} />
      </section>
      <section
        aria-labelledby="invoices-title"
        className="min-w-0 lg:col-start-2 lg:row-span-2 lg:row-start-1"
      >
        <h2 id="invoices-title" className="mb-4 text-lg font-semibold">
          Invoices
        </h2>
        {person ? (
          <PaidInvoiceList key={person.id} person={person} ask={setDecision} />
        ) : (
          <EmptyState title="No person chosen">Find the person who paid to see their invoices.</EmptyState>
        )}
      </section>
      <Start
        title="By id"
        label="Invoice or lot"
        hint="The id of the invoice, or of the lot that it paid for."
        button="Refund..."
        ask={setDecision}
        decisionOn={(text, done) => Promise.resolve(refundOf(text, done))}
      />
      {decision && <ReasonDialog decision={decision} onClose={() => setDecision(undefined)} />}
    </div>
  );
}
