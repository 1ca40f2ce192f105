import { useMutation } from '@tanstack/react-query';
import { Check, X } from 'lucide-react';
import { useState } from 'react';
import { REASON_MAX_LENGTH, REASON_MIN_LENGTH } from '../../../../application/shared/values.js';
import { type ApprovalFacts, decideOn } from '../../api/approvals.js';
import { failureOf } from '../failure.js';
import type { StaffArea } from '../../shell/staff-area.js';
import { useSession } from '../../session/session.js';
import { Button } from '../../ui/button.js';
import { Textarea } from '../../ui/forms/field.js';
import { countOf, formatMicroUsd } from '../../ui/format.js';
import { toast } from '../../ui/overlays/toast.js';

type Decision = 'approve' | 'decline' | 'withdraw';

function approveLabel({ work }: ApprovalFacts): string {
  switch (work.kind) {
    case 'adjustment':
      return `Approve ${countOf(Math.abs(work.credits), 'credit')}`;
    case 'refund':
    case 'write-off':
      return `Approve ${formatMicroUsd(work.amountMicroUsd)}`;
    case 'adjusting-entry':
      return 'Approve the entry';
    case 'limits':
      return 'Approve these limits';
    case 'reopen-month':
      return `Approve reopening ${work.month}`;
    case 'begin-books':
      return `Approve beginning with ${work.month}`;
    case 'record-restore':
      return 'Approve the record';
    case 'release-sale':
      return `Release ${formatMicroUsd(work.shareMicroUsd)}`;
    case 'grant-role':
      return `Approve the role ${work.role}`;
    case 'revoke-role':
      return `Take the role ${work.role}`;
  }
}

const SAID = {
  approved: 'Approved. It is being done.',
  'carried out': 'Approved and done',
  'not carried out': 'Approved, and no longer possible',
  declined: 'Declined. Nothing was done.',
  withdrawn: 'Withdrawn. Nothing was done.',
  lapsed: 'It had lapsed',
  waiting: 'It still waits',
} as const;

/** Approves or declines as the signed-in user; the requester may withdraw. */
export function Verdict({ area, facts }: { area: StaffArea; facts: ApprovalFacts }) {
  const { user } = useSession();
  const [reason, setReason] = useState('');
  const [problem, setProblem] = useState<string>();
  const { mutate, isPending, variables } = useMutation({
    mutationFn: (decision: Decision) => decideOn(area, facts, decision, reason.trim()),
    onSuccess: ({ status }) =>
      toast({ title: SAID[status], tone: status === 'not carried out' ? 'danger' : 'ok' }),
    onError: (error) => setProblem(failureOf(error, 'decided')),
  });
  const asker = facts.requestedByName;
  if (facts.requestedBy === user?.id)
    return (
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="text-muted">You requested this, so a colleague must decide.</p>
        <Button busy={isPending} onClick={() => mutate('withdraw')}>
          Withdraw
        </Button>
        {problem && <p className="w-full text-sm text-danger">{problem}</p>}
      </div>
    );
  if (facts.beneficiary === user?.id)
    return <p className="text-muted">You benefit from this, so a colleague must decide.</p>;
  const decline = () => {
    if (reason.trim().length < REASON_MIN_LENGTH) setProblem('Say why');
    else mutate('decline');
  };
  return (
    <form noValidate onSubmit={(event) => event.preventDefault()}>
      <Textarea
        label="Reason"
        hint={`Needed to decline; ${asker} reads it.`}
        rows={2}
        placeholder="What would have to change?"
        maxLength={REASON_MAX_LENGTH}
        value={reason}
        error={problem}
        onChange={(event) => {
          setReason(event.target.value);
          setProblem(undefined);
        }}
      />
      <div className="mt-4 flex flex-wrap items-center gap-3">
        <Button
          tone="primary"
          busy={isPending && variables === 'approve'}
          disabled={isPending}
          icon={<Check size={16} className="stroke-2" />}
          onClick={() => mutate('approve')}
        >
          {approveLabel(facts)}
        </Button>
        <Button
          tone="danger"
          busy={isPending && variables === 'decline'}
          disabled={isPending}
          icon={<X size={16} className="stroke-2" />}
          onClick={decline}
        >
          Decline with reason
        </Button>
        <p className="ml-auto text-right text-sm text-muted">
          Signed as {user?.displayName}. Asks for your password
          <br className="max-sm:hidden" /> when you signed in a while ago.
        </p>
      </div>
    </form>
  );
}
