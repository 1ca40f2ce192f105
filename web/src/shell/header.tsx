import { useQuery } from '@tanstack/react-query';
import { Suspense } from 'react';
import { ArrowLeft, Search, Compass, Disc3, AudioLines, Layers, Library } from 'lucide-react';
import { Link, NavLink, useLocation, useNavigate, type Location } from 'react-router-dom';
import { query } from '../api/api.js';
import { useTray } from '../downloads/tray.js';
import { paths } from '../paths.js';
import { openSignIn } from '../session/sign-in-request.js';
import { useSession } from '../session/session.js';
import { Button, IconButton } from '../ui/button.js';
import { isWorkbenchAt } from '../workbench/try-sound.js';
import { Logo } from '../ui/marks.js';
import { useHydrated } from '../ui/hooks/use-hydrated.js';
import { lazyWithPreload } from './lazy-with-preload.js';
import { SearchBox } from './search-box.js';

const SECTIONS = [
  { to: paths.sounds, label: 'Sounds', Icon: AudioLines },
  { to: paths.discover, label: 'Discover', Icon: Compass },
  { to: paths.collections, label: 'Collections', Icon: Layers },
  { to: paths.swipe, label: 'Swipe', Icon: Disc3 },
] as const;

const NAV = [...SECTIONS, { to: paths.workbench, label: 'Workbench' }];
export const TABS = [...SECTIONS, { to: '/library', label: 'Library', Icon: Library }] as const;

/** Whether a page belongs to a section. Packs belong to Sounds, or to Collections if the visitor came from there. */
export function isCurrentSection(to: string, { pathname, search }: Pick<Location, 'pathname' | 'search'>) {
  if (pathname === to) return true;
  if (isWorkbenchAt(pathname)) return to === paths.workbench;
  const fromCollections = new URLSearchParams(search).get('back') === 'collections';
  if (pathname.startsWith('/pack/')) return to === (fromCollections ? paths.collections : paths.sounds);
  return pathname.startsWith('/collection/') && to === paths.collections;
}

function BackButton() {
  const { state, key } = useLocation();
  const navigate = useNavigate();
  const hydrated = useHydrated();
  const asked = (state ?? {}) as { fromDashboard?: boolean; back?: boolean; backTo?: string };
  // Shown only after hydration, because the server does not know the state of the browser's history entry.
  if (!hydrated || (!asked.fromDashboard && !asked.back && !asked.backTo)) return null;
  const goBack = () => {
    if (asked.backTo) void navigate(asked.backTo);
    else void (key === 'default' ? navigate(paths.sounds) : navigate(-1));
  };
  return (
    <IconButton label="Back" className="self-center" onClick={goBack}>
      <ArrowLeft size={18} />
    </IconButton>
  );
}

function Credits() {
  const { data } = useQuery(query('GET /api/credits'));
  const balance = data?.balance;
  return (
    <Link
      to={paths.credits}
      className="flex h-11 min-w-11 items-center justify-center gap-2 no-underline"
      title="Your credits"
    >
      <span key={balance} className="sticker animate-[credits_450ms_var(--ease)]">
        {balance === undefined ? '–' : balance.toLocaleString('en')}
      </span>
      <span className="hidden text-muted lg:inline">credits</span>
    </Link>
  );
}

const AvatarButton = lazyWithPreload(async () => ({
  default: (await import('./avatar-button.js')).AvatarButton,
}));
const TrayButton = lazyWithPreload(() => import('../downloads/tray-button.js'));

/** The button that opens the download list. The header has no such button before the first download. */
function Tray() {
  const hasDownloads = useTray().length > 0;
  return <Suspense>{hasDownloads && <TrayButton />}</Suspense>;
}

export function Header() {
  const session = useSession();
  const location = useLocation();
  return (
    <header className="gutter sticky top-0 z-40 flex h-(--header) items-stretch gap-4 border-b border-line bg-page">
      <BackButton />
      <Link to={paths.home} className="flex flex-none items-center no-underline" aria-label="Offcut, home">
        <Logo />
      </Link>
      <nav aria-label="Main" className="ml-5 hidden items-stretch gap-6.5 lg:flex">
        {NAV.map(({ to, label }) => (
          <NavLink
            key={to}
            to={to}
            data-current={isCurrentSection(to, location) ? '' : undefined}
            className="cut-bar nav-link flex items-center text-md font-[550] no-underline"
          >
            {label}
          </NavLink>
        ))}
      </nav>
      <div className="flex min-w-0 flex-1 items-center justify-center max-md:hidden">
        <SearchBox />
      </div>
      <div className="flex flex-none items-center justify-end max-md:ml-auto md:gap-3 lg:min-w-37.5">
        <Link to={paths.search()} className="icon-btn size-11! md:hidden" aria-label="Search">
          <Search size={20} />
        </Link>
        <Tray />
        {session.status === 'signed-in' && (
          <>
            <Credits />
            <Suspense fallback={<span className="-mr-[3px] size-11" />}>
              <AvatarButton user={session.user} />
            </Suspense>
          </>
        )}
        {session.status === 'signed-out' && (
          <Button
            className="bg-inset max-md:min-h-9.5 max-md:px-3 max-md:text-sm"
            onClick={() => openSignIn()}
          >
            Sign in
          </Button>
        )}
      </div>
    </header>
  );
}
