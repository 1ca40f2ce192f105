import './finance.css';
import { clsx } from 'clsx';
import { type ComponentType, Suspense, lazy, useEffect, useRef } from 'react';
import { NavLink, Navigate, Route, Routes, useLocation } from 'react-router-dom';
import { paths } from '../../paths.js';
import { useSession } from '../../session/session.js';
import { ButtonLink } from '../../ui/button.js';
import { EmptyState, LoadingText } from '../../ui/states.js';

const page = <Name extends string>(name: Name, load: () => Promise<Record<Name, ComponentType>>) =>
  lazy(() => load().then((module) => ({ default: module[name] })));

const Overview = page('OverviewPage', () => import('./overview.js'));
const TrialBalance = page('TrialBalancePage', () => import('./trial-balance.js'));
const Group = page('GroupPage', () => import('./accounts.js'));
const AccountStatement = page('StatementPage', () => import('./accounts.js'));
const Rollforward = page('RollforwardPage', () => import('./rollforward.js'));
const Creators = page('CreatorsPage', () => import('./creators.js'));
const Creator = page('CreatorPage', () => import('./creator.js'));
const Stripe = page('StripePage', () => import('./stripe.js'));
const Periods = page('PeriodsPage', () => import('./periods.js'));
const Proof = page('ProofPage', () => import('./proof.js'));
const Reconciliation = page('ReconciliationPage', () => import('./reconciliation.js'));
const Events = page('EventsPage', () => import('./events.js'));

const PAGES = [
  { to: paths.finance, label: 'Overview', end: true },
  { to: paths.financeTrialBalance, label: 'Trial balance' },
  { to: paths.financeRollforward(), label: 'Roll-forward' },
  { to: paths.financeCreators, label: 'Creators' },
  { to: paths.financeStripe, label: 'Stripe' },
  { to: paths.financePeriods, label: 'Periods' },
  { to: paths.financeProof(), label: 'Proof' },
  { to: paths.financeReconciliation, label: 'Reconciliation' },
  { to: paths.financeEvents, label: 'Events' },
] as const;

/** Where the pages do not fit beside each other, the one that is open is scrolled to. */
function Nav() {
  const { pathname } = useLocation();
  const nav = useRef<HTMLElement>(null);
  useEffect(() => {
    const [box, current] = [nav.current, nav.current?.querySelector<HTMLElement>('[aria-current]')];
    if (box && current) box.scrollLeft = current.offsetLeft - (box.clientWidth - current.offsetWidth) / 2;
  }, [pathname]);
  return (
    <nav
      ref={nav}
      aria-label="Finance"
      className="no-scrollbar relative flex gap-7 overflow-x-auto border-b border-line"
    >
      {PAGES.map(({ to, label, ...exact }) => (
        <NavLink
          key={to}
          to={to}
          end={'end' in exact}
          className={({ isActive }) =>
            clsx('cut-bar fin-nav', isActive ? 'text-text' : 'text-muted hover:text-text')
          }
        >
          {label}
        </NavLink>
      ))}
    </nav>
  );
}

/** The books, for people with the role: from a total down to the event behind it. */
export default function FinanceScreen() {
  const { status, user } = useSession();
  const { pathname, search } = useLocation();
  return (
    <div className="gutter pt-2 pb-16">
      <title>Finance · Offcut</title>
      {status === 'loading' && (
        <p role="status" className="py-20 text-center text-muted">
          Checking access...
        </p>
      )}
      {status === 'signed-out' && (
        <EmptyState
          title="Sign In Required"
          action={
            <ButtonLink to={paths.auth(pathname + search)} tone="primary">
              Sign In
            </ButtonLink>
          }
        >
          Sign in to reach the books.
        </EmptyState>
      )}
      {user && !user.roles.includes('finance') && (
        <EmptyState title="Not for this account">
          The books are open to people with the finance role.
        </EmptyState>
      )}
      {user?.roles.includes('finance') && (
        <>
          <Nav />
          <div className="pt-6">
            <Suspense fallback={<LoadingText>Loading the books...</LoadingText>}>
              <Routes>
                <Route index element={<Overview />} />
                <Route path="trial-balance" element={<TrialBalance />} />
                <Route path="accounts" element={<Group />} />
                <Route path="accounts/:account" element={<AccountStatement />} />
                <Route path="roll-forward" element={<Rollforward />} />
                <Route path="creators" element={<Creators />} />
                <Route path="creators/:creatorId" element={<Creator />} />
                <Route path="stripe" element={<Stripe />} />
                <Route path="periods" element={<Periods />} />
                <Route path="proof/:userId?" element={<Proof />} />
                <Route path="reconciliation" element={<Reconciliation />} />
                <Route path="events" element={<Events />} />
                <Route path="*" element={<Navigate to={paths.finance} replace />} />
              </Routes>
            </Suspense>
          </div>
        </>
      )}
    </div>
  );
}
