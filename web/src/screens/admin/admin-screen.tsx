import './admin.css';
import { useLocation } from 'react-router-dom';
import { PageTitle } from '../../shell/page-frame.js';
import { STAFF_PAGES } from '../../staff/pages.js';
import { staffPage, StaffRoutes } from '../../staff/staff-routes.js';

const PAGES = {
  '': staffPage('CreatorsPage', () => import('./creators-page.js')),
  approvals: staffPage('ApprovalsPage', () => import('./approvals-page.js')),
  audit: staffPage('AuditPage', () => import('./act-log.js')),
  collections: staffPage('CollectionsPage', () => import('./collections-page.js')),
  complaints: staffPage('ComplaintsPage', () => import('./complaints/complaints-page.js')),
  copies: staffPage('CopiesPage', () => import('./copies/copies-page.js')),
  credits: staffPage('CreditsPage', () => import('./credits-page.js')),
  jobs: staffPage('JobsPage', () => import('./jobs-page.js')),
  mails: staffPage('MailsPage', () => import('./mails-page.js')),
  refunds: staffPage('RefundsPage', () => import('./refunds-page.js')),
  reports: staffPage('ReportsPage', () => import('./reports-page.js')),
  roles: staffPage('RolesPage', () => import('./roles-page.js')),
  sessions: staffPage('SessionsPage', () => import('./sessions-page.js')),
  takedowns: staffPage('TakedownsPage', () => import('./takedowns-page.js')),
};

export default function AdminScreen() {
  const { pathname } = useLocation();
  const { label = 'Administration' } = STAFF_PAGES.admin.find(({ to }) => to === pathname) ?? {};
  return (
    <div className="gutter pt-6 pb-16">
      <PageTitle>{label}</PageTitle>
      <h1 className="display mb-5 text-5xl">{label}</h1>
      <StaffRoutes area="admin" pages={PAGES} loading="Loading..." />
    </div>
  );
}
