import { useMutation, useQuery } from '@tanstack/react-query';
import { Link, useLocation } from 'react-router-dom';
import { LEGAL_DOCUMENTS, LEGAL_TITLES } from '../../../application/legal/values.js';
import { api, query } from '../api/api.js';
import { legalVersions } from '../api/page-settings.js';
import { invalidate } from '../api/query-client.js';
import { paths } from '../paths.js';
import { useSession } from '../session/session.js';
import { Button } from '../ui/button.js';
import { listed } from '../ui/format.js';
import { notifyError } from '../ui/overlays/toast.js';
import { isWorkbenchAt } from '../workbench/try-sound.js';
import { staffAreaAt } from './staff-area.js';

/** Asks a signed-in visitor to accept changed legal texts. The page stays usable without an answer. */
export function LegalBanner() {
  const { user } = useSession();
  return user && 'asks' in legalVersions() && <ChangedTexts />;
}

function ChangedTexts() {
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

const LEGAL = [
  ...LEGAL_DOCUMENTS.map((document) => [LEGAL_TITLES[document], paths.legal(document)] as const),
  ['Withdraw from contract here', paths.withdraw],
] as const;

interface LinksProps {
  name: string;
  links: readonly (readonly [label: string, to: string])[];
}

export function FooterLinks({ name, links }: LinksProps) {
  return (
    <nav aria-label={name} className="flex flex-wrap gap-x-6 gap-y-2 text-sm text-muted">
      {links.map(([label, to]) => (
        <Link
          key={label}
          to={to}
          className="py-2 no-underline pointer-coarse:py-3 hover:text-text hover:underline"
        >
          {label}
        </Link>
      ))}
    </nav>
  );
}

export const LegalLinks = () => <FooterLinks name="Legal texts" links={LEGAL} />;

/**
 * The links to the legal texts below the pages of the shop. The start page has them in its own footer. Staff areas have
 * none. Swipe and the workbench have none either, because they fill the window.
 */
export function LegalFooter() {
  const { pathname } = useLocation();
  const fillsWindow = pathname === paths.swipe || isWorkbenchAt(pathname);
  if (pathname === paths.home || fillsWindow || staffAreaAt(pathname)) return null;
  return (
    <footer className="gutter border-t border-line bg-inset py-4 print:hidden">
      <LegalLinks />
    </footer>
  );
}
