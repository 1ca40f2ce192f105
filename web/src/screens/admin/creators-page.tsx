import { useMutation } from '@tanstack/react-query';
import { BadgeCheck } from 'lucide-react';
import { Suspense, useState } from 'react';
import {
  type Application,
  type CreatorStatusDecision,
  applicationsQuery,
  decideOnCreator,
  setVerified,
} from '../../api/admin.js';
import { askReason, reportFailure } from '../../staff/decisions.js';
import { lazyWithPreload } from '../../shell/lazy-with-preload.js';
import { Avatar } from '../../ui/avatar.js';
import { Button } from '../../ui/button.js';
import { notifyError, toast } from '../../ui/overlays/toast.js';
import { type Column, kinds } from '../../staff/list/column.js';
import { listPage } from '../../staff/list/list-page.js';
import { usePages } from '../../staff/list/paged-list.js';

const STATUSES = {
  applied: { label: 'Waiting', empty: 'No applications waiting' },
  asked: { label: 'Asked', empty: 'No applicant was asked something' },
  approved: { label: 'Approved', empty: 'No approved creators' },
  renamed: { label: 'Renamed', empty: 'No verified creator has a new name' },
  declined: { label: 'Declined', empty: 'No declined applications' },
  suspended: { label: 'Suspended', empty: 'No suspended creators' },
} as const;

const DONE: Record<CreatorStatusDecision, string> = {
  approve: 'may publish now',
  ask: 'was asked',
  decline: 'was declined',
  suspend: 'is suspended',
  reinstate: 'may publish again',
};

async function decide(person: Application, decision: CreatorStatusDecision, reason?: string): Promise<void> {
  await decideOnCreator(person.id, decision, reason);
  toast({ title: `${person.displayName} ${DONE[decision]}` });
}

function QuickButton({ person, decision }: { person: Application; decision: 'approve' | 'reinstate' }) {
  const { mutate, isPending, isSuccess } = useMutation({
    mutationFn: () => decide(person, decision),
    onError: (error) => reportFailure(error, 'decided'),
  });
  return (
    <Button size="small" tone="primary" busy={isPending || isSuccess} onClick={() => mutate()}>
      {decision === 'approve' ? 'Approve' : 'Reinstate'}
      <span className="sr-only"> {person.displayName}</span>
    </Button>
  );
}

function VerifyButton({ person, end = false }: { person: Application; end?: boolean }) {
  const { id, displayName } = person;
  const { mutate, isPending } = useMutation({
    mutationFn: () => setVerified(id, end ? undefined : displayName),
    onSuccess: () => toast({ title: `${displayName} is ${end ? 'not' : 'now'} verified` }),
    onError: notifyError,
  });
  return (
    <Button size="small" busy={isPending} onClick={() => mutate()}>
      {end ? 'End verification' : 'Verify identity'}
      <span className="sr-only"> of {displayName}</span>
    </Button>
  );
}

const AGAINST = {
  ask: {
    confirmLabel: 'Ask',
    consequence: 'We send them the question. Their answer puts the application back in this list.',
    key: 'POST /api/admin/creator-applications/:userId/ask',
  },
  decline: {
    confirmLabel: 'Decline',
    consequence: 'We send them the reason. They may apply again.',
    key: 'POST /api/admin/creator-applications/:userId/decline',
  },
  suspend: {
    confirmLabel: 'Suspend',
    consequence:
      'They can no longer upload, publish, withdraw, or change their profile or anything on sale: names, descriptions, covers, prices, files. Published packs stay on sale until they or you take them off. They keep what they earned.',
    key: 'POST /api/admin/creators/:userId/suspend',
  },
} as const;

function AgainstButton({ person, decision }: { person: Application; decision: keyof typeof AGAINST }) {
  const { confirmLabel } = AGAINST[decision];
  const title = `${confirmLabel} ${person.displayName}?`;
  const ask = () =>
    askReason({ ...AGAINST[decision], title, decide: (reason) => decide(person, decision, reason) });
  return (
    <Button size="small" onClick={ask}>
      {confirmLabel}
      <span className="sr-only"> {person.displayName}</span>
    </Button>
  );
}

const ApplicationDialog = lazyWithPreload(() => import('./application-dialog.js'));

function ReadButton({ person }: { person: Application }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button size="small" onClick={() => setOpen(true)}>
        Read
        <span className="sr-only"> the application of {person.displayName}</span>
      </Button>
      <Suspense>
        {isOpen && (
          <ApplicationDialog
            person={person}
            actions={<Decisions person={person} />}
            onClose={() => setOpen(false)}
          />
        )}
      </Suspense>
    </>
  );
}

function Decisions({ person }: { person: Application }) {
  const { status } = person;
  const isWaiting = status === 'applied' || status === 'asked';
  return (
    <>
      {status === 'applied' && <AgainstButton person={person} decision="ask" />}
      {isWaiting && <AgainstButton person={person} decision="decline" />}
      {(isWaiting || status === 'declined') && <QuickButton person={person} decision="approve" />}
    </>
  );
}

function Actions({ person }: { person: Application }) {
  const { status, verified, formerName } = person;
  return (
    <div className="flex flex-wrap gap-2 lg:justify-end">
      {status === 'approved' && !verified && <VerifyButton person={person} />}
      {status === 'approved' && (verified || formerName !== null) && <VerifyButton person={person} end />}
      <ReadButton person={person} />
      {status === 'approved' && <AgainstButton person={person} decision="suspend" />}
      <Decisions person={person} />
      {status === 'suspended' && <QuickButton person={person} decision="reinstate" />}
    </div>
  );
}

const NAME: Column<Application> = {
  label: 'Name',
  value: ({ displayName }) => displayName,
  cell: ({ id, displayName, verified, formerName }) => (
    <span className="flex items-center gap-3">
      <Avatar name={displayName} size={30} />
      <span className="min-w-0">
        <span className="flex items-center gap-1 font-semibold">
          {displayName}
          {verified && <BadgeCheck size={16} aria-label="Verified" className="flex-none" />}
        </span>
        {formerName !== null && <span className="block text-muted">Verified as {formerName}</span>}
        <span className="mono block text-faint">{id}</span>
      </span>
    </span>
  ),
};

export const CreatorsPage = listPage({
  filters: {
    status: { type: 'segments', label: 'Which creators', options: STATUSES },
  },
  useRows: ({ status }) => usePages(applicationsQuery(status)),
  list: (_, { status }) => ({
    cards: true,
    title: 'Creators',
    file: `creators-${status}`,
    empty: STATUSES[status].empty,
    more: 'More creators',
    keyOf: ({ id }) => id,
    columns: [
      NAME,
      { label: 'E-mail', value: ({ email }) => email },
      { label: 'Applied', value: ({ appliedAt }) => appliedAt, kind: kinds.localTime },
      { label: 'Reason', value: ({ reason }) => reason },
      { label: 'Decision', cell: (person) => <Actions person={person} /> },
    ],
  }),
});
