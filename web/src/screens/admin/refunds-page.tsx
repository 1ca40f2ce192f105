import { useQuery } from '@tanstack/react-query';
import { query } from '../../api/api.js';
import type { Person } from '../../../../application/accounts/contract.js';
import type { PaidInvoiceRow } from '../../../../application/administration/contract.js';
import { List } from '../../staff/list/list.js';
import { askReason } from '../../staff/ask-reason.js';
import { Badge } from '../../ui/badge.js';
import { Button } from '../../ui/button.js';
import { formatDay, formatShortDay, formatUsdCents } from '../../ui/format.js';
import { EmptyState } from '../../ui/states.js';
import { PersonPicker, useChosenPerson } from './person-picker.js';
import { refundOf } from './removals.js';
import { Start } from './start-form.js';

/** Until when an invoice can be refunded, or why it cannot. */
function stateOf(
  row: PaidInvoiceRow,
  nowMs: number,
): { open: boolean; tone: 'ok' | 'warn' | 'neutral'; text: string } {
  if (row.disputed) return { open: false, tone: 'warn', text: 'disputed' };
  if (row.refundedUsdCents > 0)
    return { open: false, tone: 'neutral', text: `${formatUsdCents(row.refundedUsdCents)} refunded` };
  if (row.creditsLeft === 0) return { open: false, tone: 'neutral', text: 'all spent' };
  if (Date.parse(row.refundableUntil) < nowMs) return { open: false, tone: 'neutral', text: 'too late' };
  return { open: true, tone: 'ok', text: `until ${formatShortDay(row.refundableUntil)}` };
}

function PaidInvoices({ person }: { person: Person }) {
  const answer = useQuery(query('GET /api/admin/people/:userId/invoices', { params: { userId: person.id } }));
  const now = answer.dataUpdatedAt;
  return (
    <List
      cards
      of={answer}
      title={`Invoices of ${person.displayName}`}
      file={`invoices-${person.id}`}
      empty="Nothing was paid"
      keyOf={({ invoiceId }) => invoiceId}
      columns={[
        {
          label: 'Paid',
          value: ({ paidAt }) => paidAt,
          cell: ({ paidAt }) => <span className="font-semibold whitespace-nowrap">{formatDay(paidAt)}</span>,
        },
        {
          label: 'Amount',
          value: ({ amountUsdCents }) => ({ microUsd: amountUsdCents * 10_000 }),
          cell: ({ amountUsdCents }) => formatUsdCents(amountUsdCents),
        },
        { label: 'Credits left', value: ({ creditsLeft, credits }) => `${creditsLeft} of ${credits}` },
        {
          label: 'Refund',
          value: (row) => stateOf(row, now).text,
          cell: (row) => <Badge tone={stateOf(row, now).tone}>{stateOf(row, now).text}</Badge>,
        },
        {
          label: 'Invoice',
          value: ({ invoiceId }) => invoiceId,
          cell: ({ invoiceId }) => <span className="mono text-xs">{invoiceId}</span>,
        },
        {
          label: '',
          cell: (row) =>
            stateOf(row, now).open && (
              <Button
                size="small"
                tone="danger"
                onClick={() => askReason(refundOf(row.invoiceId, () => void answer.refetch()))}
              >
                Refund...
              </Button>
            ),
        },
      ]}
    />
  );
}

export function RefundsPage() {
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
          <PaidInvoices key={person.id} person={person} />
        ) : (
          <EmptyState title="No person chosen">Find the person who paid to see their invoices.</EmptyState>
        )}
      </section>
      <Start
        title="By id"
        label="Invoice or lot"
        hint="The id of the invoice, or of the lot that it paid for."
        button="Refund..."
        decisionOn={refundOf}
      />
    </div>
  );
}
