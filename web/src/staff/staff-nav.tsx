import { clsx } from 'clsx';
import { useEffect, useRef } from 'react';
import { NavLink, useLocation } from 'react-router-dom';
import type { StaffPage } from './pages.js';

/** The links to the pages of a staff area. If they do not fit side by side, the current link is scrolled into view. */
export function StaffNav(props: {
  label: string;
  /** `count` is the number of open items. */
  pages: readonly (StaffPage & { count?: number | string })[];
}) {
  const { label, pages } = props;
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
      className="relative flex gap-5 overflow-x-auto font-semibold max-3xl:col-span-full max-3xl:row-start-2 max-3xl:-mx-(--gutter) max-3xl:px-(--gutter) 3xl:mx-3 no-scrollbar"
    >
      {pages.map(({ to, label: name, end = false, count }) => (
        <NavLink
          key={to}
          to={to}
          end={end}
          className={({ isActive }) =>
            clsx(
              'cut-bar flex flex-none items-center -outline-offset-2 whitespace-nowrap no-underline',
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
    </nav>
  );
}
