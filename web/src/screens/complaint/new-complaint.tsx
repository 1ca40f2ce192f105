import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useNavigate, useSearchParams } from 'react-router-dom';
import { query } from '../../api/api.js';
import { SUBJECT_KINDS } from '../../../../application/complaints/values.js';
import { complaintPaths } from '../../creators/complaint-paths.js';
import { EmptyState, LoadingText } from '../../ui/states.js';
import { ComplaintForm } from './complaint-form.js';
import { FindSubject } from './find-subject.js';

type SubjectKind = (typeof SUBJECT_KINDS)[number];

/** "sample:…", the format of links to this page. */
function subjectIn(about: string | null): { kind: SubjectKind; id: string } | undefined {
  const [named = '', id = ''] = about?.split(':') ?? [];
  const kind = SUBJECT_KINDS.find((each) => each === named);
  return kind && id !== '' ? { kind, id } : undefined;
}

function About({ kind, id }: { kind: SubjectKind; id: string }) {
  const { data: subject, error } = useQuery(query('GET /api/complaints/subject', { query: { kind, id } }));
  const navigate = useNavigate();
  const [sentTo, setSentTo] = useState<string>();
  if (error)
    return (
      <EmptyState
        title="Nothing is here"
        action={<Link to={complaintPaths.file()}>Choose something else</Link>}
      >
        It is not on offer any more, so there is nothing to complain of.
      </EmptyState>
    );
  if (!subject) return <LoadingText>Loading…</LoadingText>;
  if (sentTo !== undefined)
    return (
      <section role="status" className="panel border-l-3 border-l-ok p-5">
        <h2 className="text-xl font-semibold">Look into your mail</h2>
        <p className="mt-2">
          We sent a link to <b className="wrap-anywhere">{sentTo}</b>. Your complaint counts once you have
          followed it; a week from now it is forgotten.
        </p>
      </section>
    );
  return (
    <ComplaintForm
      key={subject.id}
      subject={subject}
      onFiled={({ id: complaintId, status }, email) =>
        status === 'open' ? void navigate(complaintPaths.one(complaintId)) : setSentTo(email)
      }
    />
  );
}

/** A complaint by anyone about something on offer. */
export function NewComplaint() {
  const [search] = useSearchParams();
  const about = subjectIn(search.get('about'));
  return (
    <>
      <h1 className="display mb-3 text-6xl max-md:text-5xl">Complain</h1>
      <p className="mb-6 max-w-[64ch] text-muted">
        Somebody at Offcut reads it and answers within seven business days. Its creator reads what you say,
        and your name where it is about copyright or a trade mark. How often that happens, and what comes of
        it, is on{' '}
        <Link to={complaintPaths.transparency} className="underlined">
          a page of its own
        </Link>
        .
      </p>
      {about ? <About key={`${about.kind} ${about.id}`} {...about} /> : <FindSubject />}
    </>
  );
}
