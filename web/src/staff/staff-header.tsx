import './staff.css';
import { useQuery } from '@tanstack/react-query';
import { clsx } from 'clsx';
import { useEffect, useRef } from 'react';
import { Link, NavLink, useLocation } from 'react-router-dom';
import { query } from '../api/api.js';
import type { User } from '../../../application/accounts/contract.js';
import { waitingQuery } from '../api/approvals.js';
import { paths } from '../paths.js';
import { usePages } from './list/paged-list.js';
import { staffPaths } from '../../../application/pages/staff-paths.js';
import { AvatarButton } from '../shell/avatar-button.js';
import type { StaffArea } from '../shell/staff-area.js';
import { Tag } from '../ui/badge.js';
import { Logo } from '../ui/marks.js';
import { Find } from './find.js';
import { STAFF_PAGES, type StaffPage } from './pages.js';

const NAMES: Record<StaffArea, { tag: string; label: string }> = {
  admin: { tag: 'Admin', label: 'Administration' },
  finance: { tag: 'Finance', label: 'Finance' },
};

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

function AreaNav({ area }: { area: StaffArea }) {
  const waiting = usePages(waitingQuery(area));
  const known = waiting.data?.items.length ?? 0;
  const copies =
    useQuery({ ...query('GET /api/admin/copies/counts'), enabled: area === 'admin' }).data?.waiting ?? 0;
  const counts: Record<string, number | string> = {
    [staffPaths.approvals(area)]: waiting.hasNextPage ? `${known}+` : known,
    [staffPaths.adminCopies()]: copies,
  };
  const pages = STAFF_PAGES[area].map((page) => {
    const count = counts[page.to] ?? 0;
    return count === 0 ? page : { ...page, count };
  });
  return <StaffNav label={NAMES[area].label} pages={pages} />;
}

export default function StaffHeader({ area, user }: { area: StaffArea; user: User }) {
  return (
    <header className="grid grid-cols-[auto_minmax(0,1fr)_auto_auto] gap-x-3 max-3xl:grid-rows-[60px_44px] gutter sticky top-0 z-40 h-(--header) border-b border-line bg-page">
      <Link to={paths[area]} className="flex items-center gap-3 no-underline">
        <Logo />{' '}
        <Tag className="h-5 border-strong px-1.75 font-bold tracking-[0.06em] text-text uppercase">
          {NAMES[area].tag}
        </Tag>
      </Link>
      <AreaNav area={area} />
      <div className="col-start-3 row-start-1 flex items-center">
        <Find area={area} />
      </div>
      <div className="col-start-4 row-start-1 flex items-center">
        <AvatarButton user={user} area={area} />
      </div>
    </header>
  );
}
