import { useQuery } from '@tanstack/react-query';
import { query } from '../../api/api.js';
import { endSessionsOf } from '../../api/admin.js';
import type { Answer } from '../../api/endpoints.js';
import { deviceNow } from '../../clock.js';
import type { Person } from '../../../../application/accounts/contract.js';
import type { PaidInvoiceRow } from '../../../../application/administration/contract.js';
import { type Column, kinds } from '../../staff/list/column.js';
import { List } from '../../staff/list/list.js';
import { Panel } from '../../staff/page-parts.js';
import { askReason, type Decision } from '../../staff/decisions.js';
import { Badge } from '../../ui/badge.js';
import { Button } from '../../ui/button.js';
import { formatAgo, formatDay, formatShortDay, formatUsdCents } from '../../ui/format.js';
import { toast } from '../../ui/overlays/toast.js';
import { Section } from '../../ui/section.js';
import { EmptyState } from '../../ui/states.js';
import { PersonPicker, useChosenPerson } from '../../staff/person-picker.js';
import { refundOf, Start } from './removals.js';

/** Until when an invoice can be refunded, or why it cannot. */
function stateOf(row: PaidInvoiceRow, nowMs: number): { tone: 'ok' | 'warn' | 'neutral'; text: string } {
  const { disputed, refundedUsdCents, creditsLeft, refundableUntil } = row;
  if (disputed) return { tone: 'warn', text: 'disputed' };
  if (refundedUsdCents > 0) return { tone: 'neutral', text: `${formatUsdCents(refundedUsdCents)} refunded` };
  if (creditsLeft === 0) return { tone: 'neutral', text: 'all spent' };
  if (Date.parse(refundableUntil) < nowMs) return { tone: 'neutral', text: 'too late' };
  return { tone: 'ok', text: `until ${formatShortDay(refundableUntil)}` };
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
          tone: (row) => stateOf(row, now).tone,
        },
        {
          label: 'Invoice',
          value: ({ invoiceId }) => invoiceId,
          cell: ({ invoiceId }) => <span className="mono text-xs">{invoiceId}</span>,
        },
        {
          label: '',
          cell: (row) =>
            stateOf(row, now).tone === 'ok' && (
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
      <Panel title="Who paid" className="p-5">
        <PersonPicker value={person} onChange={setPerson} />
      </Panel>
      <Section
        title="Invoices"
        heading="mb-4 text-lg font-semibold"
        className="min-w-0 lg:col-start-2 lg:row-span-2 lg:row-start-1"
      >
        {person ? (
          <PaidInvoices key={person.id} person={person} />
        ) : (
          <EmptyState title="No person chosen">Find the person who paid to see their invoices.</EmptyState>
        )}
      </Section>
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

type Session = Answer<'GET /api/admin/people/:userId/sessions'>['items'][number];

const endOf = ({ id, displayName }: Person): Decision => ({
  title: `Sign ${displayName} out everywhere?`,
  consequence: 'Each of these sessions ends with its next request. They can sign in again.',
  confirmLabel: 'Sign them out',
  key: 'DELETE /api/admin/people/:userId/sessions',
  decide: async (reason) => {
    await endSessionsOf(id, reason);
    toast({ title: `${displayName} is signed out everywhere` });
  },
});

const SESSIONS: Column<Session>[] = [
  {
    label: 'Device',
    value: ({ device }) => device,
    cell: ({ device, current }) => (
      <span className="flex flex-wrap items-center gap-2">
        {device}
        {current && <Badge tone="ok">This one</Badge>}
      </span>
    ),
  },
  { label: 'Place', value: ({ place }) => place },
  {
    label: 'Last used',
    value: ({ lastUsedAt }) => lastUsedAt,
    cell: ({ lastUsedAt }) => <time dateTime={lastUsedAt}>{formatAgo(lastUsedAt, deviceNow())}</time>,
  },
  { label: 'Signed in', value: ({ startedAt }) => startedAt, kind: kinds.localTime },
];

function SessionsOf({ person }: { person: Person }) {
  const answer = useQuery(query('GET /api/admin/people/:userId/sessions', { params: { userId: person.id } }));
  const count = answer.data?.items.length ?? 0;
  return (
    <section aria-labelledby="sessions-title" className="min-w-0">
      <div className="mb-4 flex min-h-9 flex-wrap items-center justify-between gap-3">
        <h2 id="sessions-title" className="text-lg font-semibold">
          Where {person.displayName} is signed in
        </h2>
        {count > 0 && (
          <Button size="small" tone="danger" onClick={() => askReason(endOf(person))}>
            End all...
          </Button>
        )}
      </div>
      <List
        cards
        of={answer}
        title={`Sessions of ${person.displayName}`}
        empty="Signed in nowhere"
        keyOf={({ id }) => id}
        columns={SESSIONS}
      />
    </section>
  );
}

export function SessionsPage() {
  const [person, setPerson] = useChosenPerson();
  return (
    <div className="grid grid-cols-1 items-start gap-6 lg:split-340">
      <Panel title="Whose" className="p-5">
        <PersonPicker value={person} onChange={setPerson} />
      </Panel>
      {person ? (
        <SessionsOf key={person.id} person={person} />
      ) : (
        <EmptyState title="No person chosen">Find a person to see their sessions.</EmptyState>
      )}
    </div>
  );
}
