import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { type ApprovalFacts, approvalQuery } from '../../api/approvals.js';
import type { StaffArea } from '../../shell/staff-area.js';
import { Awaited } from '../awaited.js';
import { Avatar } from '../../ui/avatar.js';
import { Badge } from '../../ui/badge.js';
import { QuietCents } from '../../ui/money.js';
import { consequenceOf, wordsOf } from './act-words.js';
import { Before } from './before.js';
import { Verdict } from './verdict.js';

const TONES = {
  waiting: 'warn',
  approved: 'ok',
  'carried out': 'ok',
  declined: 'danger',
  'not carried out': 'danger',
  withdrawn: 'neutral',
  lapsed: 'neutral',
} as const;

function Figure({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <dt className="text-sm text-muted">{label}</dt>
      <dd className="mt-1.5 flex min-h-9 items-center gap-2.5">{children}</dd>
    </div>
  );
}

function PersonName({ name }: { name: string }) {
  return (
    <>
      <Avatar name={name} size={30} />
      <span className="text-md font-semibold">{name}</span>
    </>
  );
}

function Amounts({ facts }: { facts: ApprovalFacts }) {
  const { work, shopMicroUsd } = facts;
  const money = 'amountMicroUsd' in work ? work.amountMicroUsd : undefined;
  return (
    <>
      {work.kind === 'adjustment' && (
        <Figure label="Credits">
          <b className="display text-4xl">{work.credits.toLocaleString('en').replace('-', '\u2212')}</b>
        </Figure>
      )}
      {shopMicroUsd !== null && (
        <Figure label="Worth in the shop">
          <b className="display text-4xl">
            <QuietCents microUsd={shopMicroUsd} />
          </b>
        </Figure>
      )}
      {money !== undefined && (
        <Figure label={work.kind === 'refund' ? 'At most, tax included' : 'Amount'}>
          <b className="display text-4xl">
            <QuietCents microUsd={money} />
          </b>
        </Figure>
      )}
    </>
  );
}

function outcomeOf({ status, decidedByName, note }: ApprovalFacts): string {
  const by = decidedByName ? ` by ${decidedByName}` : '';
  const why = note ? `: ${note}` : '.';
  if (status === 'not carried out') return `It was approved${by}, and could not be done${why}`;
  return `It is ${status}${by}${why}`;
}

/** A request, with the facts that its approver needs. */
export function Request({ area, id }: { area: StaffArea; id: string }) {
  const query = useQuery(approvalQuery(area, id));
  const { data: facts } = query;
  if (!facts)
    return (
      <Awaited
        query={query}
        failure="The request could not be loaded"
        loading="Loading the request..."
        height={420}
      />
    );
  const { title, whom } = wordsOf(facts);
  const { balance } = facts;
  return (
    <article aria-labelledby="request-title" className="panel min-[87.5rem]:flex">
      <div className="min-w-0 flex-1">
        <div className="p-5 sm:p-6">
          <div className="flex flex-wrap items-start justify-between gap-3">
            <h3 id="request-title" className="text-xl font-semibold">
              {title} {whom}
            </h3>
            <Badge tone={TONES[facts.status]}>{facts.status}</Badge>
          </div>
          <dl className="mt-4 flex flex-wrap gap-x-7 gap-y-4">
            <Amounts facts={facts} />
            <Figure label="Asked by">
              <PersonName name={facts.requestedByName} />
            </Figure>
            {facts.beneficiaryName !== null && (
              <Figure label="For">
                <PersonName name={facts.beneficiaryName} />
              </Figure>
            )}
          </dl>
          <blockquote className="mt-5 border-l-3 border-strong bg-inset px-5 py-4 wrap-anywhere">
            {facts.reason}
          </blockquote>
          <p className="mt-4 text-muted wrap-anywhere">
            {consequenceOf(facts)}
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
