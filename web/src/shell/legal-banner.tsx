import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from 'react-router-dom';
import { LEGAL_TITLES } from '../../../application/legal/values.js';
import { api, query } from '../api/api.js';
import { invalidate } from '../api/query-client.js';
import { paths } from '../paths.js';
import { Button } from '../ui/button.js';
import { listed } from '../ui/format.js';
import { notifyError } from '../ui/overlays/toast.js';

/** Asks a signed-in visitor once to accept changed texts. The page stays usable. */
export default function LegalBanner() {
  const { data } = useQuery(query('GET /api/me/acceptances'));
  const versions = data?.versions ?? {};
  const { mutate, isPending } = useMutation({
    mutationFn: () => api('POST /api/me/acceptances', { body: versions }),
    onError: (error) => notifyError(error),
    onSettled: () => invalidate('GET /api/me/acceptances'),
  });
  const documents = (['terms', 'privacy'] as const).filter((each) => versions[each]);
  if (documents.length === 0) return null;
  const titles = documents.map((each) => LEGAL_TITLES[each]);
  return (
    <aside
      aria-label="Changed texts"
      className="gutter flex flex-wrap items-center gap-x-5 gap-y-3 border-b border-line bg-inset py-3 print:hidden"
    >
      <p className="min-w-0 flex-1 basis-72">
        There is a new version of our {listed(titles)}. Read it:{' '}
        {documents.map((each) => (
          <Link key={each} to={paths.legal(each)} className="underlined mr-3 inline-block py-1">
            {LEGAL_TITLES[each]}
          </Link>
        ))}
      </p>
      <Button tone="primary" busy={isPending} onClick={() => mutate()}>
        Accept
      </Button>
    </aside>
  );
}
