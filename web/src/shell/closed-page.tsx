import { useMutation } from '@tanstack/react-query';
import { Navigate, useLocation, useNavigate } from 'react-router-dom';
import { api } from '../api/api.js';
import type { Page } from '../page.js';
import { libraryTabOf, paths } from '../paths.js';
import { askForProof } from '../session/confirm-request.js';
import { loadSession, useSession } from '../session/session.js';
import { Button, ButtonLink } from '../ui/button.js';
import { notifyError } from '../ui/overlays/toast.js';
import { EmptyState } from '../ui/states.js';

/** Asks staff to set up a second factor, or to confirm with it in this session. Then the page opens. */
function WithheldPage() {
  const navigate = useNavigate();
  const { mutate, isPending } = useMutation({
    mutationFn: async () => {
      const { methods } = await api('POST /api/auth/confirm/options');
      if (methods.length === 0) return navigate(`${paths.settings}?tab=security`);
      if (await askForProof(methods)) await loadSession('user-updated');
    },
    onError: notifyError,
  });
  return (
    <EmptyState
      title="Second Factor Needed"
      action={
        <Button tone="primary" busy={isPending} onClick={() => mutate()}>
          Continue
        </Button>
      }
    >
      Staff pages open with a passkey or a code of your authenticator app. If you have neither yet, set one up
      in the settings.
    </EmptyState>
  );
}

const NOTHING_YET = {
  saved: 'No saved content yet.',
  downloads: 'No downloads yet.',
  collections: 'No collections yet.',
} as const;

function titleOf(pathname: string, search: string): string {
  if (pathname === '/library') return NOTHING_YET[libraryTabOf(new URLSearchParams(search))];
  return pathname === paths.settings ? 'Please Sign In' : 'Sign In Required';
}

/** Replaces a restricted page. Guests can sign in and return. Users without the role read which role opens the page. */
export default function ClosedPage({ page }: { page: Page }) {
  const { user } = useSession();
  const { pathname, search, hash } = useLocation();
  if (!page.invitation) return <Navigate to={paths.home} replace />;
  if (user && page.access && (user.withheldRoles as readonly string[] | undefined)?.includes(page.access))
    return <WithheldPage />;
  if (user) {
    return (
      <EmptyState
        title="Not for this account"
        action={<ButtonLink to={paths.discover}>Back to Discover</ButtonLink>}
      >
        Only people with the {page.access} role see this page.
      </EmptyState>
    );
  }

  return (
    <EmptyState
      title={titleOf(pathname, search)}
      action={
        // The hash may be the code of a gift, so the link passes it as router state: the server receives addresses,
        // and must not receive the code.
        <ButtonLink to={paths.auth(pathname + search)} state={{ hash }} tone="primary">
          Sign In
        </ButtonLink>
      }
    >
      Sign in to {page.invitation}.
    </EmptyState>
  );
}
