import { Suspense, useEffect, useRef, useState } from 'react';
import { type Location, Outlet, useLocation, useNavigate, NavLink } from 'react-router-dom';
import { closeCollect, useCollectRequest } from '../collections/collect-request.js';
import { restorePicks, usePicking } from '../picks/picks.js';
import { player, usePlayer } from '../player/player.js';
import { PROJECT_LINK, useProjectPanel } from '../project/panel-request.js';
import { askSimilar, useSimilarRequest } from '../samples/similar-request.js';
import { useConfirmRequest } from '../session/confirm-request.js';
import { useSignInRequest } from '../session/sign-in-request.js';
import { isWorkbenchAt, useWorkbenchDrawer } from '../workbench/try-sound.js';
import { useAlertRequest } from '../ui/overlays/alerts.js';
import { ToastRegion } from '../ui/overlays/toast.js';
import { announceHydration } from './first-answers.js';
import { Header, TABS, isCurrentSection } from './header.js';
import { staffAreaAt, useStaffArea } from './staff-area.js';
import { KeepPlace } from './keep-place.js';
import { fetchAhead, lazyWithPreload } from './lazy-with-preload.js';
import { useTray } from '../downloads/tray.js';
import { restoreTape, useTape } from '../creators/unfinished-uploads.js';
import { useConfirmation } from '../downloads/confirmation.js';

function TabBar() {
  const location = useLocation();
  if (useStaffArea().area) return null;
  return (
    <nav
      aria-label="Sections"
      className="tab-bar fixed inset-x-0 bottom-0 z-30 flex border-t border-line bg-inset pb-[env(safe-area-inset-bottom)] lg:hidden"
    >
      {TABS.map(({ to, label, Icon }) => (
        <NavLink
          key={to}
          to={to}
          data-current={isCurrentSection(to, location) ? '' : undefined}
          className="cut-bar tab-link nav-link flex h-16 flex-1 flex-col items-center justify-center gap-1 text-2xs font-[550] no-underline"
        >
          <Icon size={20} />
          {label}
        </NavLink>
      ))}
    </nav>
  );
}

const DownloadDialog = lazyWithPreload(() => import('../downloads/download-dialog.js'));

/** Renders the dialog "Confirm Download". Use it once, inside a `Suspense`. */
export function DownloadHost() {
  const confirmation = useConfirmation();
  return confirmation && <DownloadDialog confirmation={confirmation} />;
}

const TrayStrip = lazyWithPreload(() => import('../downloads/tray-strip.js'));

function DownloadNews() {
  const hasDownloads = useTray().length > 0;
  return <Suspense>{hasDownloads && <TrayStrip />}</Suspense>;
}

const AlertDialog = lazyWithPreload(() => import('../ui/overlays/alert-dialog.js'));
const SignInDialog = lazyWithPreload(() => import('../sign-in/sign-in-dialog.js'));
const ConfirmOwnerDialog = lazyWithPreload(() => import('../sign-in/confirm-owner-dialog.js'));
const ShortcutsDialog = lazyWithPreload(() => import('./shortcuts-dialog.js'));
const CommandPalette = lazyWithPreload(() => import('./command-palette.js'));
const SimilarDialog = lazyWithPreload(() => import('../samples/similar-dialog.js'));
const CollectDialog = lazyWithPreload(() => import('../collections/collect-dialog.js'));
const StaffHeader = lazyWithPreload(() => import('../staff/staff-header.js'));
const PickBar = lazyWithPreload(() => import('../picks/pick-bar.js'));
const ProjectPanel = lazyWithPreload(() => import('../project/project-panel.js'));
const UploadTape = lazyWithPreload(() => import('../screens/pack-editor/upload/upload-tape.js'));
const PlayerDock = lazyWithPreload(() => import('../player/player-dock.js'));
const WorkbenchDrawer = lazyWithPreload(() => import('../workbench/drawer.js'));

/** Pauses the sound when the path changes, but not when only the query changes. */
function usePauseOnPathChange(pathname: string): void {
  const before = useRef(pathname);
  useEffect(() => {
    if (before.current === pathname) return;
    before.current = pathname;
    player.pause();
    // The focus moves to the content, so that screen readers start there. A visitor who types in a field keeps the
    // focus.
    if (document.activeElement?.tagName !== 'INPUT') {
      document.getElementById('content')?.focus({ preventScroll: true });
    }
  }, [pathname]);
}

/** The dialogs that any part of the client can request. */
function Dialogs() {
  const alert = useAlertRequest();
  const signIn = useSignInRequest();
  const proof = useConfirmRequest();
  const sample = useSimilarRequest();
  const thing = useCollectRequest();
  const isProjectOpen = useProjectPanel() !== null;
  return (
    <>
      {isProjectOpen && <ProjectPanel />}
      {alert && <AlertDialog request={alert} />}
      {signIn && <SignInDialog {...signIn} />}
      {proof && <ConfirmOwnerDialog methods={proof.methods} />}
      {sample && <SimilarDialog key={sample.id} sample={sample} onClose={() => askSimilar(null)} />}
      {thing && <CollectDialog thing={thing} onClose={closeCollect} />}
    </>
  );
}

function Shortcuts() {
  const { area } = useStaffArea();
  const [open, setOpen] = useState<'shortcuts' | 'commands' | null>(null);
  const close = () => setOpen(null);
  const list = () => setOpen('shortcuts');
  useEffect(() => {
    let isGone = false;
    let stop: (() => void) | undefined;
    void fetchAhead(() => import('../player/keyboard.js')).then((file) => {
      if (!isGone)
        stop = file?.listenToKeys(
          () => setOpen('shortcuts'),
          () => setOpen('commands'),
        );
    });
    return () => {
      isGone = true;
      stop?.();
    };
  }, []);
  if (open === 'commands') return <CommandPalette onClose={close} showShortcuts={list} area={area} />;
  return open === 'shortcuts' && <ShortcutsDialog onClose={close} />;
}

function HydrationNotice() {
  useEffect(announceHydration, []);
  return null;
}

const staffPlace = <div className="sticky top-0 z-40 h-(--header) border-b border-line bg-page" />;

function HeaderOfPlace() {
  const { area, user } = useStaffArea();
  if (!area) return <Header />;
  return (
    <div className="contents" data-area={area}>
      <Suspense fallback={staffPlace}>{user ? <StaffHeader user={user} area={area} /> : staffPlace}</Suspense>
    </div>
  );
}

/** Renders a part of `legal.tsx`. Its code loads after the page, so that the first load does not wait for it. */
function LegalPart({ name }: { name: 'LegalBanner' | 'LegalFooter' }) {
  const [legal, setLegal] = useState<typeof import('./legal.js')>();
  useEffect(() => void fetchAhead(() => import('./legal.js')).then(setLegal), []);
  const Part = legal?.[name];
  return Part && <Part />;
}

/** Asks whether to open a linked project. Removes the link from the address, so that a reload does not ask again. */
function useProjectLink({ hash, search }: Location): void {
  const navigate = useNavigate();
  useEffect(() => {
    if (!hash.startsWith(PROJECT_LINK)) return;
    void navigate({ search, hash: '' }, { replace: true });
    void fetchAhead(() => import('../project/share.js')).then((file) => file?.openLinkedProject(hash));
  }, [hash, search, navigate]);
}

export function Layout() {
  const location = useLocation();
  const { pathname } = location;
  useProjectLink(location);
  const hasTrack = usePlayer((state) => state.track !== null);
  usePauseOnPathChange(pathname);
  const isWorkbench = isWorkbenchAt(pathname);
  const hasDrawer = useWorkbenchDrawer() && !isWorkbench && !staffAreaAt(pathname);
  // Swipe has its own buttons to play and skip, and the workbench its own player. Both need no player bar.
  const sounding = hasTrack && !isWorkbench;
  const docked = sounding && pathname !== '/swipe';
  const picking = usePicking();
  const hasPickBar = picking && !staffAreaAt(pathname) && pathname !== '/swipe' && !isWorkbench;
  const hasTape = useTape();
  useEffect(() => {
    restorePicks();
    restoreTape();
  }, []);
  useEffect(() => {
    // The player bar may cover the row that was pressed, so the row is scrolled into view.
    if (docked) document.activeElement?.closest('[data-sample]')?.scrollIntoView({ block: 'nearest' });
  }, [docked]);
  return (
    <div
      className="layout flex min-h-dvh flex-col"
      data-player={docked ? '' : undefined}
      data-workbench={isWorkbench ? '' : undefined}
      data-picking={picking ? '' : undefined}
      data-pick-bar={hasPickBar ? '' : undefined}
    >
      <a
        href="#content"
        className="btn btn-primary fixed top-3 left-3 z-70 -translate-y-20 focus:translate-y-0"
      >
        Skip to content
      </a>
      <HeaderOfPlace />
      <LegalPart name="LegalBanner" />
      <main id="content" tabIndex={-1} className="flex-auto outline-none">
        <Suspense fallback={<div className="min-h-dvh" />}>
          <Outlet />
          <HydrationNotice />
        </Suspense>
      </main>
      <LegalPart name="LegalFooter" />
      <Suspense>
        {hasPickBar && <PickBar />}
        {hasTape && <UploadTape />}
      </Suspense>
      <Suspense>{sounding && <PlayerDock hidden={!docked} />}</Suspense>
      <Suspense>{hasDrawer && <WorkbenchDrawer />}</Suspense>
      <TabBar />
      <ToastRegion>
        <DownloadNews />
      </ToastRegion>
      <Suspense>
        <Dialogs />
        <DownloadHost />
        <Shortcuts />
      </Suspense>
      <KeepPlace />
    </div>
  );
}
