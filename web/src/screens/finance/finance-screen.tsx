import './finance.css';
import { staffPage, staffScreen } from '../../staff/staff-screen.js';

export default staffScreen('finance', 'Loading the books...', {
  '': staffPage('OverviewPage', () => import('./finance-overview.js')),
  'trial-balance': staffPage('TrialBalancePage', () => import('./trial-balance.js')),
  accounts: staffPage('GroupPage', () => import('./accounts.js')),
  'accounts/:account': staffPage('AccountPage', () => import('./accounts.js')),
  'roll-forward': staffPage('RollforwardPage', () => import('./credits.js')),
  creators: staffPage('CreatorsPage', () => import('./lists.js')),
  'creators/:creatorId': staffPage('CreatorPage', () => import('./creator.js')),
  approvals: staffPage('FinanceApprovals', () => import('../../staff/approvals/requests.js')),
  'sales-under-review': staffPage('SalesUnderReviewPage', () => import('./lists.js')),
  claims: staffPage('ClaimsPage', () => import('./claims.js')),
  stripe: staffPage('StripePage', () => import('./tie-outs/stripe.js')),
  'stripe/:id': staffPage('TieOutPage', () => import('./tie-outs/tie-out.js')),
  suspense: staffPage('SuspensePage', () => import('./suspense.js')),
  periods: staffPage('PeriodsPage', () => import('./periods.js')),
  statement: staffPage('StatementPage', () => import('./reports/statement.js')),
  reports: staffPage('ReportsPage', () => import('./reports/reports.js')),
  'proof/:userId?': staffPage('ProofPage', () => import('./credits.js')),
  reconciliation: staffPage('ReconciliationPage', () => import('./reconciliation.js')),
  restore: staffPage('RestorePage', () => import('./restore.js')),
  events: staffPage('EventsPage', () => import('./lists.js')),
  tax: staffPage('TaxPage', () => import('./lists.js')),
  vat: staffPage('VatPage', () => import('./reports/vat.js')),
  'creator-taxes': staffPage('CreatorTaxesPage', () => import('./reports/creator-taxes.js')),
  'trace/:id': staffPage('TracePage', () => import('./trace/trace.js')),
});
