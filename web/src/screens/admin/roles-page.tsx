import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { query } from '../../api/api.js';
import type { Person } from '../../../../application/accounts/contract.js';
import { REASON_MAX_LENGTH } from '../../../../application/shared/values.js';
import { askForRole, type StaffMember, type StaffRole, takeRole, waitingQuery } from '../../api/approvals.js';
import { staffPaths } from '../../../../application/pages/staff-paths.js';
import { askReason, type Decision, reportFailure, reportWaiting } from '../../staff/decisions.js';
import { useSession } from '../../session/session.js';
import { Avatar } from '../../ui/avatar.js';
import { Badge } from '../../ui/badge.js';
import { Button } from '../../ui/button.js';
import { Select, Textarea } from '../../ui/forms/field.js';
import { useBodyForm } from '../../ui/forms/use-body-form.js';
import { formatDay } from '../../ui/format.js';
import { toast } from '../../ui/overlays/toast.js';
import { Section } from '../../ui/section.js';
import { wordsOf } from '../../staff/approvals/act-words.js';
import { type Column } from '../../staff/list/column.js';
import { List } from '../../staff/list/list.js';
import { PersonPicker } from '../../staff/person-picker.js';
import { More, usePages } from '../../staff/list/paged-list.js';

const MAY = {
  admin: 'Decides on creators, credits, refunds, takedowns and roles.',
  finance: 'Reads the books, closes months, pays claims.',
} as const;

function GrantForm() {
  const [person, setPerson] = useState<Person>();
  const { field, formProps, formState, reset, watch } = useBodyForm(
    'POST /api/admin/staff/:userId/roles/:role',
    {
      defaultValues: { role: 'finance' as StaffRole, reason: '' },
      body: ({ reason }: { role: StaffRole; reason: string }) => ({ reason }),
    },
  );
  const role = watch('role');
  const { isSubmitting, isSubmitted } = formState;
  const ask = async ({ reason }: { reason: string }) => {
    if (!person) return;
    try {
      await askForRole(person.id, role, reason);
      reportWaiting('Another administrator sees the request under Approvals.');
      reset();
      setPerson(undefined);
    } catch (error) {
      reportFailure(error, 'requested');
    }
  };
  return (
    <form
      {...formProps(ask)}
      aria-label="Request a role"
      className="panel grid grid-cols-[minmax(0,1fr)] content-start gap-4 p-5"
    >
      <h2 className="text-lg font-semibold">Request a role</h2>
      <PersonPicker
        value={person}
        onChange={setPerson}
        error={isSubmitted && !person ? 'Choose a person' : undefined}
      />
      <Select label="Role" hint={MAY[role]} {...field('role')}>
        <option>finance</option>
        <option>admin</option>
      </Select>
      <Textarea
        label="Reason"
        hint="Another administrator reads it and decides."
        maxLength={REASON_MAX_LENGTH}
        {...field('reason')}
      />
      <Button type="submit" tone="primary" busy={isSubmitting}>
        Request the role
      </Button>
    </form>
  );
}

const revocationOf = ({ userId, displayName, role }: StaffMember, isOwn: boolean): Decision => ({
  title: isOwn ? `Give up the role ${role}?` : `Take the role ${role} from ${displayName}?`,
  consequence: isOwn
    ? 'It is gone with your next request.'
    : 'Another administrator or finance has to agree. Then it is gone with their next request, and they get a mail with the reason.',
  confirmLabel: isOwn ? 'Give up the role' : 'Ask for it',
  key: 'POST /api/admin/staff/:userId/roles/:role/revoke',
  decide: async (reason) => {
    if (await takeRole(userId, role, reason))
      toast({ title: `${displayName} no longer holds the role ${role}` });
    else reportWaiting();
  },
});

function WaitingRoles() {
  const waiting = usePages(waitingQuery('admin'));
  const asked =
    waiting.data?.items.filter(({ work }) => work.kind === 'grant-role' || work.kind === 'revoke-role') ?? [];
  if (asked.length === 0 && !waiting.hasNextPage) return null;
  return (
    <Section title="Waiting" heading="text-lg font-semibold" className="panel mb-6 p-5">
      <ul className="mt-3 grid gap-2">
        {asked.map((item) => (
          <li key={item.id} className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
            <Link to={staffPaths.approvals('admin', item.id)} className="underline underline-offset-4">
              {wordsOf(item).title} {wordsOf(item).whom}
            </Link>
            <span className="text-sm text-muted">
              {item.requestedByName}, {formatDay(item.requestedAt)}
            </span>
          </li>
        ))}
      </ul>
      <More of={waiting}>Look through more requests</More>
    </Section>
  );
}

const columnsFor = (me: string | undefined, admins: number): Column<StaffMember>[] => [
  {
    label: 'Person',
    value: ({ displayName }) => displayName,
    cell: ({ userId, displayName, email }) => (
      <span className="flex items-center gap-3">
        <Avatar name={displayName} size={30} />
        <span className="min-w-0">
          <span className="block font-semibold">
            {displayName}
            {userId === me && ' (you)'}
          </span>
          <span className="block text-sm text-faint">{email}</span>
        </span>
      </span>
    ),
  },
  {
    label: 'Role',
    value: ({ role }) => role,
    cell: ({ role, hasSecondFactor }) => (
      <span className="flex flex-wrap gap-1.5">
        <Badge tone={role === 'admin' ? 'info' : 'neutral'}>{role}</Badge>
        {!hasSecondFactor && <Badge tone="warn">no second factor</Badge>}
      </span>
    ),
  },
  { label: 'Since', value: ({ grantedAt }) => grantedAt, kind: formatDay },
  { label: 'By', value: ({ grantedByName }) => grantedByName },
  {
    label: 'Decision',
    cell: (member) =>
      member.role === 'admin' && admins === 1 ? (
        <span className="text-sm text-faint">The last administrator</span>
      ) : (
        <Button size="small" onClick={() => askReason(revocationOf(member, member.userId === me))}>
          Take the role
          <span className="sr-only">
            {' '}
            {member.role} from {member.displayName}
          </span>
        </Button>
      ),
  },
];

export function RolesPage() {
  const me = useSession().user?.id;
  const answer = useQuery(query('GET /api/admin/staff'));
  const admins = answer.data?.items.filter(({ role }) => role === 'admin').length ?? 0;
  return (
    <div className="grid grid-cols-1 items-start gap-6 lg:split-340">
      <GrantForm />
      <div className="min-w-0">
        <WaitingRoles />
        <Section title="Roles" heading="mb-4 text-lg font-semibold">
          <List
            cards
            of={answer}
            title="Who holds which role"
            file="roles"
            empty="No staff roles"
            keyOf={({ userId, role }) => `${userId} ${role}`}
            columns={columnsFor(me, admins)}
          />
        </Section>
      </div>
    </div>
  );
}
