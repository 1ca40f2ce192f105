import { useMutation, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Link } from 'react-router-dom';
import { businessNow } from '../../clock.js';
import { api, query } from '../../api/api.js';
import {
  complaintPaths,
  KINDS,
  mayObject,
  measureOf,
  type OwnComplaint,
  STATUSES,
  titleOf,
} from '../../creators/complaint-words.js';
import { complaintsChanged, CounterNotice } from '../../creators/counter-notice.js';
import { paths } from '../../paths.js';
import { Badge } from '../../ui/badge.js';
import { Button, ButtonLink } from '../../ui/button.js';
import { formatDay } from '../../ui/format.js';
import { EmptyState, LoadingText, Problem } from '../../ui/states.js';

function Step({ title, when, children }: { title: string; when?: string | null; children?: ReactNode }) {
  return (
    <li className="panel px-5 py-4">
      <p className="flex flex-wrap items-baseline justify-between gap-x-4">
        <b>{title}</b>
        {when && <span className="text-sm text-muted">{formatDay(when)}</span>}
      </p>
      {children}
    </li>
  );
}

const Quoted = ({ children }: { children: string }) => (
  <blockquote className="mt-2 border-l-3 border-strong pl-3 whitespace-pre-wrap wrap-anywhere">
    {children}
  </blockquote>
);

function Withdraw({ id, token }: { id: string; token: string | null }) {
  const { mutate, isPending, error } = useMutation({
    mutationFn: () =>
      api('POST /api/complaints/:id/withdraw', { params: { id }, body: token === null ? {} : { token } }),
    onSettled: complaintsChanged,
  });
  return (
    <div className="mt-6">
      <Button busy={isPending} onClick={() => mutate()}>
        Withdraw the complaint
      </Button>
      <Problem of={error} className="mt-2 text-sm" />
    </div>
  );
}

const COUNTERS = { restored: 'We were wrong', stands: 'Our answer stands' } as const;

function Course({ complaint }: { complaint: OwnComplaint }) {
  const { side, kind, said, complainantName, filedAt, status, decision, decidedAt, reason, counter } =
    complaint;
  const isMine = side === 'filed';
  const from = isMine ? 'You said' : `${complainantName ?? 'The complainant'} said`;
  return (
    <ol className="mt-6 grid gap-3">
      <Step title={`${KINDS[kind].label}: ${isMine ? 'you complained' : 'a complaint'}`} when={filedAt}>
        {said ? (
          <>
            <p className="mt-2 text-sm text-muted">{from}:</p>
            <Quoted>{said}</Quoted>
          </>
        ) : (
          <p className="mt-2 text-muted">What was said is known to Offcut alone, or was forgotten.</p>
        )}
      </Step>
      {complaint.isHeld && <Step title="It is not on sale until the complaint is answered" />}
      {status === 'open' && complaint.answerBy && (
        <Step title={`We answer by ${formatDay(complaint.answerBy)}`}>
          <p className="mt-1 text-muted">You get a mail then.</p>
        </Step>
      )}
      {status === 'withdrawn' && <Step title="It was withdrawn" when={decidedAt} />}
      {decision && (
        <Step title={STATUSES[decision].label} when={decidedAt}>
          <p className="mt-1">{measureOf(complaint)}</p>
          {reason && <Quoted>{reason}</Quoted>}
        </Step>
      )}
      {counter && counter.status !== 'possible' && (
        <Step title={isMine ? 'Its creator objected' : 'You objected'}>
          {counter.said && <Quoted>{counter.said}</Quoted>}
          {counter.status === 'open' && complaint.answerBy && (
            <p className="mt-2 text-muted">We decide by {formatDay(complaint.answerBy)}.</p>
          )}
        </Step>
      )}
      {counter && (counter.status === 'restored' || counter.status === 'stands') && (
        <Step title={COUNTERS[counter.status]}>{counter.reason && <Quoted>{counter.reason}</Quoted>}</Step>
      )}
    </ol>
  );
}

export function OneComplaint({ id, token }: { id: string; token: string | null }) {
  const { data: complaint, error } = useQuery(
    query('GET /api/complaints/:id', { params: { id }, query: token === null ? {} : { token } }),
  );
  const [now] = useState(businessNow);
  if (error)
    return (
      <EmptyState
        title="No complaint here"
        action={<ButtonLink to={paths.auth(complaintPaths.one(id))}>Sign In</ButtonLink>}
      >
        Follow the link in the newest mail about it, or sign in with the account that it belongs to.
      </EmptyState>
    );
  if (!complaint) return <LoadingText>Loading the complaint…</LoadingText>;
  const { subject, status, side, counter } = complaint;
  const { label, tone } = STATUSES[status];
  return (
    <>
      <h1 className="display mb-3 text-6xl wrap-anywhere max-md:text-4xl">
        Complaint about {titleOf(complaint)}
      </h1>
      <p className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Badge tone={tone}>{label}</Badge>
        {subject.kind !== 'creator' && <span className="text-muted">by {subject.creatorName}</span>}
        {subject.path && <Link to={subject.path}>Its page</Link>}
      </p>
      <Course complaint={complaint} />
      {counter && mayObject(complaint, now) && <CounterNotice id={id} until={counter.until} />}
      {side === 'filed' && status === 'open' && <Withdraw id={id} token={token} />}
    </>
  );
}
