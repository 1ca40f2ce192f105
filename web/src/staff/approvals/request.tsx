import { useMutation, useQuery } from '@tanstack/react-query';
import { Check, X } from 'lucide-react';
import { type ApprovalFacts, approvalQuery, decideOn } from '../../api/approvals.js';
import { useSession } from '../../session/session.js';
import type { StaffArea } from '../../shell/staff-area.js';
import { Avatar } from '../../ui/avatar.js';
import { Badge } from '../../ui/badge.js';
import { Button } from '../../ui/button.js';
import { Textarea } from '../../ui/forms/field.js';
import { QuietCents } from '../../ui/money.js';
import { toast } from '../../ui/overlays/toast.js';
import { failureOf, useReason } from '../decisions.js';
import { Awaited, Fact } from '../page-parts.js';
import { wordsOf } from './act-words.js';
import { Before } from './before.js';

const STATUSES = {
  waiting: { tone: 'warn', said: 'It still waits' },
  approved: { tone: 'ok', said: 'Approved. It is being done.' },
  'carried out': { tone: 'ok', said: 'Approved and done' },
  declined: { tone: 'danger', said: 'Declined. Nothing was done.' },
  'not carried out': { tone: 'danger', said: 'Approved, and no longer possible' },
  withdrawn: { tone: 'neutral', said: 'Withdrawn. Nothing was done.' },
  lapsed: { tone: 'neutral', said: 'It had lapsed' },
} as const;

/** Lets the signed-in user approve or decline. The requester can only withdraw; the beneficiary can do nothing. */
function Verdict({ area, facts }: { area: StaffArea; facts: ApprovalFacts }) {
  const { user } = useSession();
  const { reason, hasReason, problem, setProblem, field } = useReason();
  const { mutate, isPending, variables } = useMutation({
    mutationFn: (decision: 'approve' | 'decline' | 'withdraw') => decideOn(area, facts, decision, reason),
    onSuccess: ({ status }) =>
      toast({ title: STATUSES[status].said, tone: status === 'not carried out' ? 'danger' : 'ok' }),
    onError: (error) => setProblem(failureOf(error, 'decided')),
  });
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
  return (
    <form noValidate onSubmit={(event) => event.preventDefault()}>
      <Textarea
        label="Reason"
        hint={`Needed to decline; ${facts.requestedByName} reads it.`}
        rows={2}
        placeholder="What would have to change?"
        error={problem}
        {...field}
      />
      <div className="mt-4 flex flex-wrap items-center gap-3">
        <Button
          tone="primary"
          busy={isPending && variables === 'approve'}
          disabled={isPending}
          icon={<Check size={16} className="stroke-2" />}
          onClick={() => mutate('approve')}
        >
          {wordsOf(facts).approve}
        </Button>
        <Button
          tone="danger"
          busy={isPending && variables === 'decline'}
          disabled={isPending}
          icon={<X size={16} className="stroke-2" />}
          onClick={() => hasReason('Say why') && mutate('decline')}
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

const FIGURE = 'mt-1.5 flex min-h-9 items-center gap-2.5';

function Money({ name, microUsd }: { name: string; microUsd: number }) {
  return (
    <Fact name={name} className={FIGURE}>
      <b className="display text-4xl">
        <QuietCents microUsd={microUsd} />
      </b>
    </Fact>
  );
}

function Person({ label, name }: { label: string; name: string }) {
  return (
    <Fact name={label} className={FIGURE}>
      <Avatar name={name} size={30} />
      <span className="text-md font-semibold">{name}</span>
    </Fact>
  );
}

function Figures({ facts }: { facts: ApprovalFacts }) {
  const { work, shopMicroUsd, requestedByName, beneficiaryName } = facts;
  return (
    <dl className="mt-4 flex flex-wrap gap-x-7 gap-y-4">
      {work.kind === 'adjustment' && (
        <Fact name="Credits" className={FIGURE}>
          <b className="display text-4xl">{work.credits.toLocaleString('en').replace('-', '\u2212')}</b>
        </Fact>
      )}
      {shopMicroUsd !== null && <Money name="Worth in the shop" microUsd={shopMicroUsd} />}
      {'amountMicroUsd' in work && (
        <Money
          name={work.kind === 'refund' ? 'At most, tax included' : 'Amount'}
          microUsd={work.amountMicroUsd}
        />
      )}
      <Person label="Asked by" name={requestedByName} />
      {beneficiaryName !== null && <Person label="For" name={beneficiaryName} />}
    </dl>
  );
}

function outcomeOf({ status, decidedByName, note }: ApprovalFacts): string {
  const by = decidedByName ? ` by ${decidedByName}` : '';
  const why = note ? `: ${note}` : '.';
  if (status === 'not carried out') return `It was approved${by}, and could not be done${why}`;
  return `It is ${status}${by}${why}`;
}

export function Request({ area, id }: { area: StaffArea; id: string }) {
  const query = useQuery(approvalQuery(area, id));
  const { data: facts } = query;
  if (!facts) return <Awaited query={query} what="request" height={420} />;
  const { title, whom, consequence } = wordsOf(facts);
  const { balance } = facts;
  return (
    <article aria-labelledby="request-title" className="panel min-[87.5rem]:flex">
      <div className="min-w-0 flex-1">
        <div className="p-5 sm:p-6">
          <div className="flex flex-wrap items-start justify-between gap-3">
            <h3 id="request-title" className="text-xl font-semibold">
              {title} {whom}
            </h3>
            <Badge tone={STATUSES[facts.status].tone}>{facts.status}</Badge>
          </div>
          <Figures facts={facts} />
          <blockquote className="mt-5 border-l-3 border-strong bg-inset px-5 py-4 wrap-anywhere">
            {facts.reason}
          </blockquote>
          <p className="mt-4 text-muted wrap-anywhere">
            {consequence}
            {balance &&
              ` The balance goes from ${balance.before.toLocaleString('en')} to ${balance.after.toLocaleString('en')}.`}
          </p>
        </div>
        <div className="border-t border-line p-5 sm:p-6">
          {facts.status === 'waiting' ? <Verdict area={area} facts={facts} /> : <p>{outcomeOf(facts)}</p>}
        </div>
      </div>
      <Before area={area} facts={facts} />
    </article>
  );
}
