import { useQuery } from '@tanstack/react-query';
import { query } from '../../api/api.js';
import { deviceNow } from '../../clock.js';
import type { Person } from '../../../../application/accounts/contract.js';
import { endSessionsOf } from '../../api/admin.js';
import type { Answer } from '../../api/endpoints.js';
import { askReason, type Decision } from '../../staff/ask-reason.js';
import { Badge } from '../../ui/badge.js';
import { Button } from '../../ui/button.js';
import { formatAgo } from '../../ui/format.js';
import { toast } from '../../ui/overlays/toast.js';
import { EmptyState } from '../../ui/states.js';
import { type Column, kinds } from '../../staff/list/column.js';
import { List } from '../../staff/list/list.js';
import { Panel } from '../../staff/page-parts.js';
import { PersonPicker, useChosenPerson } from './person-picker.js';

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

const COLUMNS: Column<Session>[] = [
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
        columns={COLUMNS}
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
