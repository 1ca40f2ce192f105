import './admin.css';
import { useQuery } from '@tanstack/react-query';
import { ExternalLink } from 'lucide-react';
import { Suspense } from 'react';
import { Navigate, Route, Routes } from 'react-router-dom';
import { mailboxQuery } from '../../api/admin.js';
import { waitingQuery } from '../../api/approvals.js';
import { paths } from '../../paths.js';
import { PageTitle } from '../../shell/page-frame.js';
import { staffPage } from '../../staff/staff-page.js';
import { StaffNav } from '../../staff/staff-nav.js';
import { LoadingText } from '../../ui/states.js';

const ApprovalsPage = staffPage('ApprovalsPage', () => import('./approvals-page.js'));
const AuditPage = staffPage('AuditPage', () => import('./act-log.js'));
const CollectionsPage = staffPage('CollectionsPage', () => import('./collections-page.js'));
const CreatorsPage = staffPage('CreatorsPage', () => import('./creators-page.js'));
const CreditsPage = staffPage('CreditsPage', () => import('./credits-page.js'));
const MailsPage = staffPage('MailsPage', () => import('./mails-page.js'));
const RefundsPage = staffPage('RefundsPage', () => import('./refunds-page.js'));
const ReportsPage = staffPage('ReportsPage', () => import('./reports-page.js'));
const RolesPage = staffPage('RolesPage', () => import('./roles-page.js'));
const TakedownsPage = staffPage('TakedownsPage', () => import('./takedowns-page.js'));

const PAGES = [
  { to: paths.admin, label: 'Creators', end: true },
  { to: paths.adminCredits, label: 'Credits' },
  { to: paths.adminRefunds, label: 'Refunds' },
  { to: paths.adminApprovals, label: 'Approvals' },
  { to: paths.adminAudit(), label: 'Who did what' },
  { to: paths.adminReports, label: 'Reports' },
  { to: paths.adminTakedowns, label: 'Takedowns' },
  { to: paths.adminCollections, label: 'Collections' },
  { to: paths.adminMails, label: 'Mail log' },
  { to: paths.adminRoles, label: 'Roles' },
] as const;

/** If mails are kept instead of sent, they can be read. */
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

/** The links to the pages, with how many requests wait. */
function AdminNav() {
  const waiting = useQuery(waitingQuery).data?.items.length ?? 0;
  const pages = PAGES.map((page) =>
    page.to === paths.adminApprovals && waiting > 0 ? { ...page, count: waiting } : page,
  );
  return (
    <StaffNav label="Administration" pages={pages}>
      <MailboxLink />
    </StaffNav>
  );
}

/** The decisions of administrators: creators, credits, takedowns, featured collections. For people with the role. */
export default function AdminScreen() {
  return (
    <div className="gutter pt-8 pb-16">
      <PageTitle />
      <h1 className="display mb-3 text-5xl">Administration</h1>
      <AdminNav />
      <div className="pt-6">
        <Suspense fallback={<LoadingText>Loading...</LoadingText>}>
          <Routes>
            <Route index element={<CreatorsPage />} />
            <Route path="approvals" element={<ApprovalsPage />} />
            <Route path="audit" element={<AuditPage />} />
            <Route path="collections" element={<CollectionsPage />} />
            <Route path="credits" element={<CreditsPage />} />
            <Route path="mails" element={<MailsPage />} />
            <Route path="refunds" element={<RefundsPage />} />
            <Route path="reports" element={<ReportsPage />} />
            <Route path="roles" element={<RolesPage />} />
            <Route path="takedowns" element={<TakedownsPage />} />
            <Route path="*" element={<Navigate to={paths.admin} replace />} />
          </Routes>
        </Suspense>
      </div>
    </div>
  );
}
