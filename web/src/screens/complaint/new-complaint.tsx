import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useNavigate, useSearchParams } from 'react-router-dom';
import { SUBJECT_KINDS } from '../../../../application/complaints/values.js';
import { api, query } from '../../api/api.js';
import { messageOf } from '../../api/transport/http.js';
import { STATUSES, complaintPaths, titleOf } from '../../creators/complaint-words.js';
import { useSession } from '../../session/session.js';
import { Badge } from '../../ui/badge.js';
import { Button } from '../../ui/button.js';
import { Input } from '../../ui/forms/field.js';
import { formatDay } from '../../ui/format.js';
import { Section } from '../../ui/section.js';
import { EmptyState, LoadingText } from '../../ui/states.js';
import { ComplaintForm } from './complaint-form.js';

const PACK = /\/pack\/([^/?#]+)\/([^/?#]+)/;
const CREATOR = /\/creator\/([^/?#]+)/;

/** Returns the subject of a complaint, such as "pack:…", from the address of a pack's or a creator's page. */
async function subjectAt(address: string): Promise<string> {
  const [, slug, handle] = PACK.exec(address) ?? [];
  if (slug && handle) {
    const params = { handle: decodeURIComponent(handle), slug: decodeURIComponent(slug) };
    return `pack:${(await api('GET /api/packs/:handle/:slug', { params })).id}`;
  }
  const [, creator] = CREATOR.exec(address) ?? [];
  if (creator) return `creator:${decodeURIComponent(creator)}`;
  throw new Error('Copy the address of a pack’s page or a creator’s page.');
}

function Filed() {
  const { data } = useQuery(query('GET /api/complaints'));
  const mine = data?.items.filter(({ side }) => side === 'filed') ?? [];
  if (mine.length === 0) return null;
  return (
    <Section title="Your complaints" heading="mb-3 text-xl font-semibold" className="mt-10">
      <ul className="panel divide-y divide-line">
        {mine.map((complaint) => (
          <li key={complaint.id} className="flex flex-wrap items-center gap-x-4 gap-y-1 px-5 py-3">
            <Link to={complaintPaths.one(complaint.id)} className="min-w-0 wrap-anywhere">
              {titleOf(complaint)}
            </Link>
            <Badge tone={STATUSES[complaint.status].tone}>{STATUSES[complaint.status].label}</Badge>
            <span className="ml-auto text-sm text-muted">{formatDay(complaint.filedAt)}</span>
          </li>
        ))}
      </ul>
    </Section>
  );
}

/** A field for the address of what the complaint is about, and the earlier complaints of the visitor. */
function FindSubject() {
  const navigate = useNavigate();
  const { user } = useSession();
  const [address, setAddress] = useState('');
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => subjectAt(address),
    onSuccess: (about) => void navigate(complaintPaths.file(about)),
  });
  return (
    <>
      <form
        noValidate
        className="panel flex flex-wrap items-end gap-3 p-5"
        onSubmit={(event) => {
          event.preventDefault();
          mutate();
        }}
      >
        <Input
          label="What it is about"
          hint="The address of a pack’s page or a creator’s page on Offcut."
          placeholder="https://…/pack/…"
          className="min-w-60 flex-1"
          value={address}
          error={error ? messageOf(error) : undefined}
          onChange={(event) => setAddress(event.target.value)}
        />
        <Button type="submit" tone="primary" busy={isPending} className="self-start mt-8">
          Go on
        </Button>
      </form>
      {user && <Filed />}
    </>
  );
}

type SubjectKind = (typeof SUBJECT_KINDS)[number];

/** Reads the subject of a complaint from a link to this page, such as "sample:…"; undefined if the link names none. */
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

export function NewComplaint() {
  const [search] = useSearchParams();
  const about = subjectIn(search.get('about'));
  return (
    <>
      <h1 className="display mb-3 text-6xl max-md:text-5xl">Complain</h1>
      <p className="mb-6 max-w-[64ch] text-muted">
        Our staff read it and answer within seven business days. Its creator reads what you say, and your name
        where it is about copyright or a trade mark. How often that happens, and what comes of it, is on{' '}
        <Link to={complaintPaths.transparency} className="underlined">
          a page of its own
        </Link>
        .
      </p>
      {about ? <About key={`${about.kind} ${about.id}`} {...about} /> : <FindSubject />}
    </>
  );
}
