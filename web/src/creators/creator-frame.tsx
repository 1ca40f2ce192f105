import { clsx } from 'clsx';
import { useQuery } from '@tanstack/react-query';
import {
  BadgeCheck,
  ChartColumn,
  LayoutDashboard,
  Library,
  type LucideIcon,
  Settings,
  UserRound,
} from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { query } from '../api/api.js';
import type { User } from '../../../application/accounts/contract.js';
import { paths } from '../paths.js';
import { useSession } from '../session/session.js';
import { Avatar } from '../ui/avatar.js';
import { formatMicroUsd } from '../ui/format.js';

export type CreatorPage = 'overview' | 'sales' | 'profile';

const ITEMS: { to: string; label: string; Icon: LucideIcon; page?: CreatorPage }[] = [
  { to: paths.dashboard, label: 'Creator Dashboard', Icon: LayoutDashboard, page: 'overview' },
  { to: paths.earnings, label: 'Sales', Icon: ChartColumn, page: 'sales' },
  { to: '/library', label: 'My Library', Icon: Library },
  { to: paths.dashboardProfile, label: 'Profile', Icon: UserRound, page: 'profile' },
  { to: paths.settings, label: 'Account Settings', Icon: Settings },
];

function Balance() {
  const { user } = useSession();
  // Skips the request for users who are no creators: they have no balance, and the server would refuse.
  const { data, error } = useQuery({
    ...query('GET /api/creator/balance'),
    enabled: user?.isCreator === true,
  });
  if (!user?.isCreator || (error && !data)) return null;
  // Shows a dash until the balance is known, so that the links below do not move.
  const shown = (microUsd: number | undefined) => (microUsd === undefined ? '–' : formatMicroUsd(microUsd));
  return (
    <section
      aria-label="Balance"
      className="mx-3 mt-6 bg-sticker px-4.5 pt-4 pb-3.5 text-on-sticker cut-corner-26 max-lg:hidden"
    >
      <p className="font-semibold">Balance</p>
      <p className="display mt-3 text-6xl">{shown(data?.availableMicroUsd)}</p>
      <p className="mt-3 flex justify-between border-t border-on-sticker pt-2.5">
        On hold <b>{shown(data?.heldMicroUsd)}</b>
      </p>
    </section>
  );
}

function SidePanel({ user, current }: { user: User; current: CreatorPage }) {
  return (
    <aside className="border-line max-lg:border-b lg:border-r lg:px-3 lg:py-7">
      <div className="flex items-center gap-3 px-3 max-lg:hidden">
        <Avatar name={user.displayName} url={user.avatarUrl} size={52} />
        <div className="min-w-0">
          <p className="truncate text-lg font-semibold">{user.displayName}</p>
          {user.isCreator && (
            <p className="flex items-center gap-1.5 text-muted">
              <BadgeCheck size={15} />
              Creator
            </p>
          )}
        </div>
      </div>
      <Balance />
      <nav
        aria-label="Creator"
        className="no-scrollbar flex gap-0.5 max-lg:overflow-x-auto max-lg:px-[calc(var(--gutter)-12px)] lg:mt-7 lg:grid"
      >
        {ITEMS.map(({ to, label, Icon, page }) => (
          <Link
            key={to}
            to={to}
            aria-current={page === current ? 'page' : undefined}
            className="flex min-h-12 items-center gap-3 rounded px-3 text-md font-[550] whitespace-nowrap text-muted no-underline hover:not-aria-[current=page]:bg-surface hover:text-text aria-[current=page]:text-text lg:min-h-10.5 lg:aria-[current=page]:bg-raised"
          >
            <Icon size={18} className={clsx('max-lg:hidden', page === current && 'text-mark')} />
            {label}
          </Link>
        ))}
      </nav>
    </aside>
  );
}

export function CreatorFrame(props: { user: User; current: CreatorPage; children: ReactNode }) {
  const { children, ...panel } = props;
  return (
    <div className="grid grid-cols-1 lg:min-h-[calc(100dvh-var(--header))] lg:grid-cols-[272px_minmax(0,1fr)]">
      <SidePanel {...panel} />
      {children}
    </div>
  );
}
