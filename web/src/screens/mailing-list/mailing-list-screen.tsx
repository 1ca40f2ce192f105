import { type QueryKey, useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'react-router-dom';
import { api, queryKeyOf } from '../../api/api.js';
import { paths } from '../../paths.js';
import { PageTitle } from '../../shell/page-frame.js';
import { ButtonLink } from '../../ui/button.js';
import { ErrorPanel } from '../../ui/states.js';

const TEXTS = {
  join: {
    waiting: 'Adding your address…',
    done: (email: string) => `${email} is on the list. Welcome.`,
    failed: 'The address was not added',
  },
  leave: {
    waiting: 'Removing your address…',
    done: (email: string) => `${email} is off the list. No more mails will come.`,
    failed: 'The address was not removed',
  },
  weekly: {
    waiting: 'Stopping the weekly mail…',
    done: () => 'The weekly mail has stopped. You can turn it on again in your settings.',
    failed: 'The weekly mail was not stopped',
  },
  notices: {
    waiting: 'Stopping these mails…',
    done: () => 'These mails have stopped. You can turn them on again in your settings.',
    failed: 'The mails were not stopped',
  },
} as const;
type Purpose = keyof typeof TEXTS;

/**
 * Returns the request of a mailed link. It resolves to the address that joins or leaves the mailing list, or to ''
 * if the link stops mails to an account.
 */
function requestOf(purpose: Purpose, token: string): { queryKey: QueryKey; queryFn: () => Promise<string> } {
  if (purpose !== 'weekly' && purpose !== 'notices') {
    const key = `POST /api/mailing-list/${purpose}` as const;
    const input = { body: { token } };
    return { queryKey: queryKeyOf(key, input), queryFn: async () => (await api(key, input)).email };
  }
  const key = purpose === 'weekly' ? 'POST /api/notifications/unsubscribe' : 'POST /api/inbox/unsubscribe';
  const input = { query: { token }, body: new Blob(['List-Unsubscribe=One-Click']) };
  return { queryKey: queryKeyOf(key, input), queryFn: () => api(key, input).then(() => '') };
}

function Outcome({ purpose, token }: { purpose: Purpose; token: string }) {
  const { data, error } = useQuery({
    ...requestOf(purpose, token),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  const texts = TEXTS[purpose];
  if (error) return <ErrorPanel title={texts.failed} error={error} />;
  return (
    <p role="status" className={data === undefined ? 'text-muted' : 'border-l-3 border-ok pl-3 text-ok'}>
      {data === undefined ? texts.waiting : texts.done(data)}
    </p>
  );
}

export default function MailingListScreen() {
  const [parameters] = useSearchParams();
  const purpose = (['leave', 'weekly', 'notices'] as const).find((name) => parameters.has(name)) ?? 'join';
  const token = parameters.get(purpose);
  return (
    <div className="gutter mx-auto max-w-190 py-16">
      <PageTitle />
      <h1 className="display mb-6 text-7xl md:text-8xl">Mailing list</h1>
      {token ? (
        <Outcome purpose={purpose} token={token} />
      ) : (
        <p className="text-muted">Follow the link in the mail to join or leave the list.</p>
      )}
      <ButtonLink to={paths.home} className="mt-8">
        Return to Home
      </ButtonLink>
    </div>
  );
}
