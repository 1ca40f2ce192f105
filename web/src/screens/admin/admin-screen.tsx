import './admin.css';
import { staffPage, staffScreen } from '../../staff/staff-screen.js';

export default staffScreen('admin', 'Loading...', {
  '': staffPage('CreatorsPage', () => import('./creators-page.js')),
  approvals: staffPage('ApprovalsPage', () => import('./approvals.js')),
  audit: staffPage('AuditPage', () => import('./approvals.js')),
  collections: staffPage('CollectionsPage', () => import('./collections-page.js')),
  complaints: staffPage('ComplaintsPage', () => import('./complaints/complaints-page.js')),
  copies: staffPage('CopiesPage', () => import('./copies/copies-page.js')),
  credits: staffPage('CreditsPage', () => import('./credits-page.js')),
  jobs: staffPage('JobsPage', () => import('./lists.js')),
  mails: staffPage('MailsPage', () => import('./lists.js')),
  refunds: staffPage('RefundsPage', () => import('./people-pages.js')),
  reports: staffPage('ReportsPage', () => import('./lists.js')),
  roles: staffPage('RolesPage', () => import('./roles-page.js')),
  sessions: staffPage('SessionsPage', () => import('./people-pages.js')),
  takedowns: staffPage('TakedownsPage', () => import('./removals.js')),
});
