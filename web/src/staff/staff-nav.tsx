import { clsx } from 'clsx';
import { type ReactNode, useEffect, useRef } from 'react';
import { NavLink, useLocation } from 'react-router-dom';

/** The links to a section's pages. If they do not fit side by side, the current one is scrolled into view. */
export function StaffNav(props: {
  label: string;
  /** `count`: so much waits there. */
  pages: readonly { to: string; label: string; end?: boolean; count?: number }[];
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
      {pages.map(({ to, label: name, end = false, count }) => (
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
          {count !== undefined && (
            <span className="badge ml-2.5 bg-accent text-on-accent">
              {count}
              <span className="sr-only"> waiting</span>
            </span>
          )}
        </NavLink>
      ))}
      {children}
    </nav>
  );
}
