import './admin.css';
import { useQuery } from '@tanstack/react-query';
import { ExternalLink } from 'lucide-react';
import { Navigate, Route, Routes } from 'react-router-dom';
import { mailboxQuery } from '../../api/admin.js';
import { paths } from '../../paths.js';
import { StaffNav, StaffSection } from '../../staff/staff-section.js';
import { CreatorsPage } from './creators-page.js';
import { CreditsPage } from './credits-page.js';
import { MailsPage } from './mails-page.js';
import { RefundsPage } from './refunds-page.js';
import { ReportsPage } from './reports-page.js';
import { TakedownsPage } from './takedowns-page.js';

const PAGES = [
  { to: paths.admin, label: 'Creators', end: true },
  { to: paths.adminCredits, label: 'Credits' },
  { to: paths.adminRefunds, label: 'Refunds' },
  { to: paths.adminReports, label: 'Reports' },
  { to: paths.adminTakedowns, label: 'Takedowns' },
  { to: paths.adminMails, label: 'Mail log' },
] as const;

/** Where mails are kept instead of sent, they can be read. */
function MailboxLink() {
  const { data: hasMailbox } = useQuery(mailboxQuery);
  return (
    hasMailbox && (
      <a
        href="/dev/mailbox"
        target="_blank"
        rel="noreferrer"
        className="flex h-12 flex-none items-center gap-2 text-muted no-underline -outline-offset-2 hover:text-text"
      >
        Mailbox <ExternalLink size={15} strokeWidth={1.75} aria-hidden="true" />
      </a>
    )
  );
}

/** What administrators decide: creators, credits, takedowns. For people with the role. */
export default function AdminScreen() {
  return (
    <StaffSection title="Administration" role="admin" place="the administration" className="pt-8">
      {(user) => (
        <>
          <h1 className="display mb-3 text-[36px]">Administration</h1>
          <StaffNav label="Administration" pages={PAGES}>
            <MailboxLink />
          </StaffNav>
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
    </StaffSection>
  );
}
