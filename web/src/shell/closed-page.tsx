import { Navigate, useLocation } from 'react-router-dom';
import type { Page } from '../page.js';
import { paths } from '../paths.js';
import { useSession } from '../session/session.js';
import { ButtonLink } from '../ui/button.js';
import { EmptyState } from '../ui/states.js';

/** In place of a page that is for others: visitors sign in and come back, people without the role read whose it is. */
export default function ClosedPage({ page }: { page: Page }) {
  const { user } = useSession();
  const { pathname, search } = useLocation();
  if (!page.invitation) return <Navigate to={paths.home} replace />;
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
  const { title = 'Sign In Required', text } = page.invitation(new URLSearchParams(search));
  return (
    <EmptyState
      title={title}
      action={
        <ButtonLink to={paths.auth(pathname + search)} tone="primary">
          Sign In
        </ButtonLink>
      }
    >
      {text}
    </EmptyState>
  );
}
