import { clsx } from 'clsx';
import { type ReactNode, useEffect, useRef } from 'react';
import { NavLink, useLocation } from 'react-router-dom';
import type { User } from '../../../application/accounts/contract.js';
import { paths } from '../paths.js';
import { useSession } from '../session/session.js';
import { PageTitle } from '../shell/page-frame.js';
import { ButtonLink } from '../ui/button.js';
import { EmptyState } from '../ui/states.js';

/**
 * A part of the site for people with a role. Visitors sign in and come back; others read whom it is for.
 * @param place its name in a sentence, such as "the books"
 */
export function StaffSection(props: {
  title: string;
  role: User['roles'][number];
  place: string;
  className: string;
  children: ReactNode;
}) {
  const { title, role, place, className, children } = props;
  const { status, user } = useSession();
  const { pathname, search } = useLocation();
  const heading = <h1 className="sr-only">{title}</h1>;
  return (
    <div className={`gutter pb-16 ${className}`}>
      <PageTitle>{title}</PageTitle>
      {status === 'loading' && (
        <p role="status" className="py-20 text-center text-muted">
          Checking access...
        </p>
      )}
      {status === 'signed-out' && (
        <div className="pt-8">
          {heading}
          <EmptyState
            title="Sign In Required"
            action={
              <ButtonLink to={paths.auth(pathname + search)} tone="primary">
                Sign In
              </ButtonLink>
            }
          >
            Sign in to reach {place}.
          </EmptyState>
        </div>
      )}
      {user && !user.roles.includes(role) && (
        <div className="pt-8">
          {heading}
          <EmptyState
            title="Not for this account"
            action={<ButtonLink to={paths.discover}>Back to Discover</ButtonLink>}
          >
            Only people with the {role} role reach {place}.
          </EmptyState>
        </div>
      )}
      {user?.roles.includes(role) && children}
    </div>
  );
}

/** The links to a section's pages. If they do not fit side by side, the current one is scrolled into view. */
export function StaffNav(props: {
  label: string;
  pages: readonly { to: string; label: string; end?: boolean }[];
  children?: ReactNode;
}) {
  const { label, pages, children } = props;
  const { pathname } = useLocation();
  const nav = useRef<HTMLElement>(null);
  useEffect(() => {
    const [box, current] = [nav.current, nav.current?.querySelector<HTMLElement>('[aria-current]')];
    if (box && current) box.scrollLeft = current.offsetLeft - (box.clientWidth - current.offsetWidth) / 2;
  }, [pathname]);
  return (
    <nav
      ref={nav}
      aria-label={label}
      className="no-scrollbar relative flex gap-7 overflow-x-auto border-b border-line text-md font-semibold"
    >
      {pages.map(({ to, label: name, end = false }) => (
        <NavLink
          key={to}
          to={to}
          end={end}
          className={({ isActive }) =>
            clsx(
              'cut-bar flex h-12 flex-none items-center no-underline -outline-offset-2',
              isActive ? 'text-text' : 'text-muted hover:text-text',
            )
          }
        >
          {name}
        </NavLink>
      ))}
      {children}
    </nav>
  );
}
