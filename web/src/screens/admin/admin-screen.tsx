import './admin.css';
import { useQuery } from '@tanstack/react-query';
import { clsx } from 'clsx';
import { ExternalLink } from 'lucide-react';
import { NavLink, Navigate, Route, Routes, useLocation } from 'react-router-dom';
import { mailboxQuery } from '../../api/admin.js';
import { paths } from '../../paths.js';
import { useSession } from '../../session/session.js';
import { ButtonLink } from '../../ui/button.js';
import { EmptyState } from '../../ui/states.js';
import { CreatorsPage } from './creators-page.js';
import { CreditsPage } from './credits-page.js';
import { MailsPage } from './mails-page.js';
import { RefundsPage } from './refunds-page.js';
import { ReportsPage } from './reports-page.js';
import { TakedownsPage } from './takedowns-page.js';

const PAGES = [
  { to: paths.admin, label: 'Creators' },
  { to: paths.adminCredits, label: 'Credits' },
  { to: paths.adminRefunds, label: 'Refunds' },
  { to: paths.adminReports, label: 'Reports' },
  { to: paths.adminTakedowns, label: 'Takedowns' },
  { to: paths.adminMails, label: 'Mail log' },
] as const;

function Nav() {
  const { data: hasMailbox } = useQuery(mailboxQuery);
  return (
    <nav
      aria-label="Administration"
      className="no-scrollbar flex gap-7 overflow-x-auto border-b border-line text-[15px] font-semibold"
    >
      {PAGES.map(({ to, label }) => (
        <NavLink
          key={to}
          to={to}
          end
          className={({ isActive }) =>
            clsx(
              'cut-bar flex h-12 flex-none items-center no-underline -outline-offset-2',
              isActive ? 'text-text' : 'text-muted hover:text-text',
            )
          }
        >
          {label}
        </NavLink>
      ))}
      {hasMailbox && (
        <a
          href="/dev/mailbox"
          target="_blank"
          rel="noreferrer"
          className="flex h-12 flex-none items-center gap-2 text-muted no-underline -outline-offset-2 hover:text-text"
        >
          Mailbox <ExternalLink size={15} strokeWidth={1.75} aria-hidden="true" />
        </a>
      )}
    </nav>
  );
}

function Refusal({ signedOut }: { signedOut: boolean }) {
  const { pathname, search } = useLocation();
  return (
    <div className="pt-8">
      <h1 className="sr-only">Administration</h1>
      {signedOut ? (
        <EmptyState
          title="Sign In Required"
          action={
            <ButtonLink to={paths.auth(pathname + search)} tone="primary">
              Sign In
            </ButtonLink>
          }
        >
          Sign in to reach the administration.
        </EmptyState>
      ) : (
        <EmptyState
          title="Not for this account"
          action={<ButtonLink to={paths.discover}>Back to Discover</ButtonLink>}
        >
          The administration is open to people with the admin role.
        </EmptyState>
      )}
    </div>
  );
}

/** What administrators decide: creators, credits, takedowns. For people with the role. */
export default function AdminScreen() {
  const { status, user } = useSession();
  return (
    <div className="gutter pt-8 pb-16">
      <title>Administration · Offcut</title>
      {status === 'loading' && (
        <p role="status" className="py-20 text-center text-muted">
          Checking access...
        </p>
      )}
      {status !== 'loading' && !user?.roles.includes('admin') && <Refusal signedOut={!user} />}
      {user?.roles.includes('admin') && (
        <>
          <h1 className="display mb-3 text-[36px]">Administration</h1>
          <Nav />
          <div className="pt-6">
            <Routes>
              <Route index element={<CreatorsPage />} />
              <Route path="credits" element={<CreditsPage adminId={user.id} />} />
              <Route path="mails" element={<MailsPage />} />
              <Route path="refunds" element={<RefundsPage />} />
              <Route path="reports" element={<ReportsPage />} />
              <Route path="takedowns" element={<TakedownsPage />} />
              <Route path="*" element={<Navigate to={paths.admin} replace />} />
            </Routes>
          </div>
        </>
      )}
    </div>
  );
}
