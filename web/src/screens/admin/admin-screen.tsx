import './admin.css';
import { Suspense } from 'react';
import { Navigate, Route, Routes, useLocation } from 'react-router-dom';
import { paths } from '../../paths.js';
import { PageTitle } from '../../shell/page-frame.js';
import { STAFF_PAGES } from '../../staff/pages.js';
import { ReasonDialogs } from '../../staff/ask-reason.js';
import { staffPage } from '../../staff/staff-page.js';
import { LoadingText } from '../../ui/states.js';

const ApprovalsPage = staffPage('ApprovalsPage', () => import('./approvals-page.js'));
const AuditPage = staffPage('AuditPage', () => import('./act-log.js'));
const CollectionsPage = staffPage('CollectionsPage', () => import('./collections-page.js'));
const ComplaintsPage = staffPage('ComplaintsPage', () => import('./complaints/complaints-page.js'));
const CopiesPage = staffPage('CopiesPage', () => import('./copies/copies-page.js'));
const CreatorsPage = staffPage('CreatorsPage', () => import('./creators-page.js'));
const CreditsPage = staffPage('CreditsPage', () => import('./credits-page.js'));
const JobsPage = staffPage('JobsPage', () => import('./jobs-page.js'));
const MailsPage = staffPage('MailsPage', () => import('./mails-page.js'));
const RefundsPage = staffPage('RefundsPage', () => import('./refunds-page.js'));
const ReportsPage = staffPage('ReportsPage', () => import('./reports-page.js'));
const RolesPage = staffPage('RolesPage', () => import('./roles-page.js'));
const SessionsPage = staffPage('SessionsPage', () => import('./sessions-page.js'));
const TakedownsPage = staffPage('TakedownsPage', () => import('./takedowns-page.js'));

/**
 * The pages of administrators, for people with the role: creators, credits, takedowns, featured collections and more.
 */
export default function AdminScreen() {
  const { pathname } = useLocation();
  const { label = 'Administration' } = STAFF_PAGES.admin.find(({ to }) => to === pathname) ?? {};
  return (
    <div className="gutter pt-6 pb-16">
      <PageTitle>{label}</PageTitle>
      <h1 className="display mb-5 text-5xl">{label}</h1>
      <Suspense fallback={<LoadingText>Loading...</LoadingText>}>
        <Routes>
          <Route index element={<CreatorsPage />} />
          <Route path="approvals" element={<ApprovalsPage />} />
          <Route path="audit" element={<AuditPage />} />
          <Route path="collections" element={<CollectionsPage />} />
          <Route path="complaints" element={<ComplaintsPage />} />
          <Route path="copies" element={<CopiesPage />} />
          <Route path="credits" element={<CreditsPage />} />
          <Route path="jobs" element={<JobsPage />} />
          <Route path="mails" element={<MailsPage />} />
          <Route path="refunds" element={<RefundsPage />} />
          <Route path="reports" element={<ReportsPage />} />
          <Route path="roles" element={<RolesPage />} />
          <Route path="sessions" element={<SessionsPage />} />
          <Route path="takedowns" element={<TakedownsPage />} />
          <Route path="*" element={<Navigate to={paths.admin} replace />} />
        </Routes>
      </Suspense>
      <ReasonDialogs />
    </div>
  );
}
