import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import { api, query } from '../../api/api.js';
import { messageOf } from '../../api/transport/http.js';
import { STATUSES, titleOf } from '../../creators/complaint-words.js';
import { complaintPaths } from '../../creators/complaint-paths.js';
import { useSession } from '../../session/session.js';
import { Badge } from '../../ui/badge.js';
import { Button } from '../../ui/button.js';
import { formatDay } from '../../ui/format.js';
import { Input } from '../../ui/forms/field.js';

const PACK = /\/pack\/([^/?#]+)\/([^/?#]+)/;
const CREATOR = /\/creator\/([^/?#]+)/;

/** The subject behind a page address, in the form's format. */
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
    <section aria-labelledby="filed" className="mt-10">
      <h2 id="filed" className="mb-3 text-xl font-semibold">
        Your complaints
      </h2>
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
    </section>
  );
}

/** For visitors who name no subject yet: a field for its address, and their earlier complaints. */
export function FindSubject() {
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
