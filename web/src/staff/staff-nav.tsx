import { useQuery } from '@tanstack/react-query';
import { clsx } from 'clsx';
import { useEffect, useRef } from 'react';
import { Link, useLocation } from 'react-router-dom';
import { staffPaths } from '../../../application/pages/staff-paths.js';
import { query } from '../api/api.js';
import { waitingQuery } from '../api/approvals.js';
import type { StaffArea } from '../shell/staff-area.js';
import { usePages } from './list/paged-list.js';
import { groupAt, isPageAt, STAFF_GROUPS, type StaffPage } from './pages.js';

const AREA_LABELS: Record<StaffArea, string> = { admin: 'Administration', finance: 'Finance' };

/** Returns a function that counts the waiting items of some pages, such as "12" or "50+"; empty for none. */
function useCounts(area: StaffArea): (pages: readonly StaffPage[]) => string {
  const waiting = usePages(waitingQuery(area));
  const copies =
    useQuery({ ...query('GET /api/admin/copies/counts'), enabled: area === 'admin' }).data?.waiting ?? 0;
  const counts: Record<string, number> = {
    [staffPaths.approvals(area)]: waiting.data?.items.length ?? 0,
    [staffPaths.adminCopies()]: copies,
  };
  return (pages) => {
    const sum = pages.reduce((total, { to }) => total + (counts[to] ?? 0), 0);
    const isMore = waiting.hasNextPage && pages.some(({ to }) => to === staffPaths.approvals(area));
    return sum === 0 ? '' : `${sum}${isMore ? '+' : ''}`;
  };
}

interface Entry {
  to: string;
  label: string;
  count: string;
  isCurrent: boolean;
}

/** Links in a line. If they do not fit side by side, the current link is scrolled into view. */
function Links(props: { label: string; entries: readonly Entry[]; className: string; linkClass: string }) {
  const { label, entries, className, linkClass } = props;
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
      className={clsx('relative flex overflow-x-auto no-scrollbar', className)}
    >
      {entries.map(({ to, label: name, count, isCurrent }) => (
        <Link
          key={to}
          to={to}
          aria-current={isCurrent ? 'page' : undefined}
          className={clsx(
            'flex flex-none items-center -outline-offset-2 whitespace-nowrap no-underline',
            linkClass,
            isCurrent ? 'text-text' : 'text-muted hover:text-text',
          )}
        >
          {name}
          {count && (
            <span className="badge ml-2.5 bg-accent text-on-accent">
              {count}
              <span className="sr-only"> waiting</span>
            </span>
          )}
        </Link>
      ))}
    </nav>
  );
}

/** Links to the groups of pages, in the header. */
export function AreaNav({ area }: { area: StaffArea }) {
  const { pathname } = useLocation();
  const countOf = useCounts(area);
  const current = groupAt(area, pathname);
  return (
    <Links
      label={AREA_LABELS[area]}
      className="gap-6 font-semibold max-lg:col-span-full max-lg:row-start-2 max-lg:-mx-(--gutter) max-lg:px-(--gutter) lg:mx-3"
      linkClass="cut-bar"
      entries={STAFF_GROUPS[area].map((group) => ({
        to: group.pages[0].to,
        label: group.label,
        count: countOf(group.pages),
        isCurrent: group === current,
      }))}
    />
  );
}

/** Links to the pages of the current group. */
export function GroupNav({ area }: { area: StaffArea }) {
  const { pathname } = useLocation();
  const countOf = useCounts(area);
  const group = groupAt(area, pathname);
  if (!group || group.pages.length === 1) return <div className="h-6" />;
  return (
    <Links
      label={`Pages of ${group.label}`}
      className="-mx-(--gutter) mb-5 gap-5 border-b border-line bg-surface px-(--gutter) text-sm"
      linkClass="min-h-11 aria-[current]:font-semibold"
      entries={group.pages.map((page) => ({
        to: page.to,
        label: page.label,
        count: countOf([page]),
        isCurrent: isPageAt(page, pathname),
      }))}
    />
  );
}
