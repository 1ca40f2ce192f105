import { useQuery } from '@tanstack/react-query';
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
} as const;

function Outcome({ purpose, token }: { purpose: keyof typeof TEXTS; token: string }) {
  const { data, error } = useQuery({
    queryKey: queryKeyOf(`POST /api/mailing-list/${purpose}`, { body: { token } }),
    queryFn: () => api(`POST /api/mailing-list/${purpose}`, { body: { token } }),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  const texts = TEXTS[purpose];
  if (error) return <ErrorPanel title={texts.failed} error={error} />;
  return (
    <p role="status" className={data ? 'border-l-3 border-ok pl-3 text-ok' : 'text-muted'}>
      {data ? texts.done(data.email) : texts.waiting}
    </p>
  );
}

export default function MailingListScreen() {
  const [parameters] = useSearchParams();
  const purpose = parameters.has('leave') ? 'leave' : 'join';
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
