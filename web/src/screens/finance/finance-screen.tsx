import './finance.css';
import { clsx } from 'clsx';
import { NavLink, Route, Routes, useLocation } from 'react-router-dom';
import { paths } from '../../paths.js';
import { useSession } from '../../session/session.js';
import { ButtonLink } from '../../ui/button.js';
import { EmptyState } from '../../ui/states.js';
import { GroupPage, StatementPage } from './accounts.js';
import { EventsPage } from './events.js';
import { ReconciliationPage } from './reconciliation.js';
import { TrialBalancePage } from './trial-balance.js';

const PAGES = [
  { to: paths.finance, label: 'Trial balance' },
  { to: paths.financeReconciliation, label: 'Reconciliation' },
  { to: paths.financeEvents, label: 'Events' },
] as const;

function Nav() {
  return (
    <nav aria-label="Finance" className="no-scrollbar flex gap-7 overflow-x-auto border-b border-line">
      {PAGES.map(({ to, label }) => (
        <NavLink
          key={to}
          to={to}
          end
          className={({ isActive }) => clsx('fin-nav', isActive ? 'text-text' : 'text-muted hover:text-text')}
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
            <Routes>
              <Route index element={<TrialBalancePage />} />
              <Route path="accounts" element={<GroupPage />} />
              <Route path="accounts/:account" element={<StatementPage />} />
              <Route path="reconciliation" element={<ReconciliationPage />} />
              <Route path="events" element={<EventsPage />} />
            </Routes>
          </div>
        </>
      )}
    </div>
  );
}
