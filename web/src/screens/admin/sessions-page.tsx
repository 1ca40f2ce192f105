import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { deviceNow } from '../../clock.js';
import type { Person } from '../../../../application/accounts/contract.js';
import { endSessionsOf, sessionsOfQuery } from '../../api/admin.js';
import { type Decision, ReasonDialog } from '../../staff/reason-dialog.js';
import { Badge } from '../../ui/badge.js';
import { Button } from '../../ui/button.js';
import { formatAgo, formatDay, formatTime } from '../../ui/format.js';
import { toast } from '../../ui/overlays/toast.js';
import { EmptyState } from '../../ui/states.js';
import { Cell, List } from './list.js';
import { PersonPicker, useChosenPerson } from './person-picker.js';

const endOf = ({ id, displayName }: Person): Decision => ({
  title: `Sign ${displayName} out everywhere?`,
  consequence: 'Each of these sessions ends with its next request. They can sign in again.',
  confirmLabel: 'Sign them out',
  key: 'DELETE /api/admin/people/:userId/sessions',
  subject: {},
  decide: async (reason) => {
    await endSessionsOf(id, reason);
    toast({ title: `${displayName} is signed out everywhere` });
  },
});

function SessionsOf({ person, ask }: { person: Person; ask: (decision: Decision) => void }) {
  const query = useQuery(sessionsOfQuery(person.id));
  const count = query.data?.items.length ?? 0;
  return (
    <section aria-labelledby="sessions-title" className="min-w-0">
      <div className="mb-4 flex min-h-9 flex-wrap items-center justify-between gap-3">
        <h2 id="sessions-title" className="text-lg font-semibold">
          Where {person.displayName} is signed in
        </h2>
        {count > 0 && (
          <Button size="small" tone="danger" onClick={() => ask(endOf(person))}>
            End all...
          </Button>
        )}
      </div>
      <List
        query={query}
        label={`Sessions of ${person.displayName}`}
        empty="Signed in nowhere"
        columns={['Device', 'Place', 'Last used', 'Signed in']}
        row={({ id, device, place, lastUsedAt, startedAt, current }) => (
          <tr key={id}>
            <th scope="row">
              <span className="flex flex-wrap items-center gap-2">
                {device}
                {current && <Badge tone="ok">This one</Badge>}
              </span>
            </th>
            <Cell label="Place">{place ?? '–'}</Cell>
            <Cell label="Last used">
              <time dateTime={lastUsedAt}>{formatAgo(lastUsedAt, deviceNow())}</time>
            </Cell>
            <Cell label="Signed in">
              <time dateTime={startedAt}>
                {formatDay(startedAt)}, {formatTime(startedAt)}
              </time>
            </Cell>
          </tr>
        )}
      />
    </section>
  );
}

export function SessionsPage() {
  const [decision, setDecision] = useState<Decision>();
  const [person, setPerson] = useChosenPerson();
  return (
    <div className="grid grid-cols-1 items-start gap-6 lg:split-340">
      <section aria-labelledby="whose-title" className="panel min-w-0 p-5">
        <h2 id="whose-title" className="mb-4 text-lg font-semibold">
          Whose
        </h2>
        <PersonPicker value={person} onChange={setPerson} />
      </section>
      {person ? (
        <SessionsOf key={person.id} person={person} ask={setDecision} />
      ) : (
        <EmptyState title="No person chosen">Find a person to see their sessions.</EmptyState>
      )}
      {decision && <ReasonDialog decision={decision} onClose={() => setDecision(undefined)} />}
    </div>
  );
}
