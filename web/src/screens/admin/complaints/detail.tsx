import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from 'react-router-dom';
import { query } from '../../../api/api.js';
import { barComplainant, type Complaint, holdComplainedAbout } from '../../../api/admin-complaints.js';
import { KINDS, measureOf, STATUSES, titleOf } from '../../../creators/complaint-words.js';
import { paths } from '../../../paths.js';
import { useSession } from '../../../session/session.js';
import { askReason, type Decision } from '../../../staff/decisions.js';
import { Awaited, Fact } from '../../../staff/page-parts.js';
import { Previews } from '../../../staff/previews.js';
import { Badge } from '../../../ui/badge.js';
import { Button } from '../../../ui/button.js';
import { countOf, formatDay } from '../../../ui/format.js';
import { Cover } from '../../../ui/sound/cover.js';
import { Problem } from '../../../ui/states.js';
import { Answer, CounterAnswer } from './answer.js';

function Said({ who, children }: { who: string; children: string | null }) {
  return (
    <section className="panel px-5 py-4">
      <h3 className="font-semibold">{who}</h3>
      {children === null ? (
        <p className="mt-1 text-muted">Nothing that is still there.</p>
      ) : (
        <p className="mt-2 max-w-[80ch] whitespace-pre-wrap wrap-anywhere">{children}</p>
      )}
    </section>
  );
}

function Subject({ complaint }: { complaint: Complaint }) {
  const { subject, creator, complainant, artworkUrl, genre, previews, licences } = complaint;
  const { email } = complainant;
  return (
    <section className="panel px-5 py-4" aria-label="What it is about">
      <div className="flex gap-4">
        {subject.kind !== 'creator' && (
          <Cover
            title={subject.title}
            genre={genre}
            artworkUrl={artworkUrl}
            size="small"
            className="w-13 flex-none self-start"
          />
        )}
        <div className="min-w-0">
          <h2 className="text-xl font-semibold wrap-anywhere">
            {subject.path ? <Link to={subject.path}>{titleOf(complaint)}</Link> : titleOf(complaint)}
          </h2>
          <p className="mt-1 flex flex-wrap items-center gap-2 text-muted">
            <Badge tone={STATUSES[complaint.status].tone}>{STATUSES[complaint.status].label}</Badge>
            {KINDS[complaint.kind].label}, {formatDay(complaint.filedAt)}
          </p>
        </div>
      </div>
      <Previews of={previews} />
      <dl className="grid gap-x-6 gap-y-3 fit-180 mt-4">
        <Fact name="Complains">
          {complainant.name}
          {email && <span className="block font-normal text-muted">{email}</span>}
        </Fact>
        <Fact name="Complained before">
          {countOf(complainant.filed - 1, 'time')},{' '}
          {complainant.rejected - Number(complaint.status === 'rejected')} rejected
        </Fact>
        <Fact name="Creator">
          {creator.handle ? <Link to={paths.creator(creator.handle)}>{creator.name}</Link> : creator.name}
        </Fact>
        <Fact name="Complaints about them">
          {creator.complaints}, {creator.upheld} upheld, {countOf(creator.strikes, 'strike')}
        </Fact>
        {subject.kind !== 'creator' && <Fact name="Licences">{licences}</Fact>}
      </dl>
    </section>
  );
}

function Outcome({ complaint }: { complaint: Complaint }) {
  const { status, decidedBy, decidedAt, reason } = complaint;
  if (decidedAt === null) return null;
  return (
    <section aria-label="Answer" className="panel px-5 py-4">
      <p className="font-semibold">
        {STATUSES[status].label}
        {decidedBy && ` by ${decidedBy}`}, {formatDay(decidedAt)}.
      </p>
      {complaint.decision && <p className="mt-1">{measureOf(complaint)}</p>}
      {complaint.isStrike && <p className="mt-1">It was recorded as a strike.</p>}
      {reason && <p className="mt-1 text-muted wrap-anywhere">{reason}</p>}
    </section>
  );
}

function Hold({ complaint }: { complaint: Complaint }) {
  const { mutate, isPending, error } = useMutation({ mutationFn: () => holdComplainedAbout(complaint.id) });
  if (complaint.isHeld) return <p className="text-muted">It is not on sale until you answer.</p>;
  return (
    <>
      <Button busy={isPending} onClick={() => mutate()}>
        Hold it until it is answered
      </Button>
      <Problem of={error} className="text-sm" />
    </>
  );
}

function Bar({ complaint }: { complaint: Complaint }) {
  const { id, complainant } = complaint;
  const isBarred = !complainant.isBarred;
  const decision: Decision = {
    title: isBarred
      ? `Take no more complaints of ${complainant.name}?`
      : `Take complaints of ${complainant.name} again?`,
    consequence: isBarred
      ? 'What they file from now on is refused. What waits is answered as ever.'
      : 'They may file complaints again.',
    confirmLabel: isBarred ? 'Take no more' : 'Take them again',
    key: 'POST /api/admin/complaints/:id/bar',
    subject: { isBarred },
    decide: async (reason) => void (await barComplainant(id, isBarred, reason)),
  };
  if (complainant.id === null) return null;
  return (
    <Button tone="quiet" onClick={() => askReason(decision)}>
      {isBarred ? 'Take no more of their complaints...' : 'Take their complaints again...'}
    </Button>
  );
}

export function ComplaintDetail({ id }: { id: string }) {
  const answer = useQuery(query('GET /api/admin/complaints/:id', { params: { id } }));
  const me = useSession().user?.id;
  const complaint = answer.data;
  if (!complaint) return <Awaited query={answer} what="complaint" height={480} />;
  const { status, subject, counter, complainant, creator } = complaint;
  const isOwn = me === creator.id || me === complainant.userId;
  const isOpen = status === 'open' || counter?.status === 'open';
  return (
    <div className="grid min-w-0 gap-4">
      <Subject complaint={complaint} />
      <Said who={`${complainant.name} says`}>{complaint.said}</Said>
      {status !== 'open' && <Outcome complaint={complaint} />}
      {counter && counter.status !== 'possible' && (
        <Said who={`${creator.name} objects`}>{counter.said}</Said>
      )}
      {counter?.reason && (
        <Said who={counter.status === 'restored' ? 'We were wrong' : 'The answer stands'}>
          {counter.reason}
        </Said>
      )}
      {isOpen && isOwn && (
        <p className="panel px-5 py-4 text-muted">You are involved, so a colleague must answer.</p>
      )}
      {!isOwn && status === 'open' && <Answer complaint={complaint} />}
      {!isOwn && counter?.status === 'open' && <CounterAnswer complaint={complaint} />}
      {!isOwn && (
        <div className="flex flex-wrap items-center gap-3">
          {status === 'open' && subject.kind === 'sample' && <Hold complaint={complaint} />}
          <Bar complaint={complaint} />
        </div>
      )}
    </div>
  );
}
