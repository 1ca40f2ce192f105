import './finance.css';
import { PageTitle } from '../../shell/page-frame.js';
import { staffPage, StaffRoutes } from '../../staff/staff-routes.js';

const PAGES = {
  '': staffPage('OverviewPage', () => import('./finance-overview.js')),
  'trial-balance': staffPage('TrialBalancePage', () => import('./trial-balance.js')),
  accounts: staffPage('GroupPage', () => import('./accounts.js')),
  'accounts/:account': staffPage('StatementPage', () => import('./accounts.js')),
  'roll-forward': staffPage('RollforwardPage', () => import('./rollforward.js')),
  creators: staffPage('CreatorsPage', () => import('./creators.js')),
  'creators/:creatorId': staffPage('CreatorPage', () => import('./creator.js')),
  approvals: staffPage('FinanceApprovals', () => import('../../staff/approvals/requests.js')),
  'sales-under-review': staffPage('SalesUnderReviewPage', () => import('./sales-under-review.js')),
  claims: staffPage('ClaimsPage', () => import('./claims.js')),
  stripe: staffPage('StripePage', () => import('./tie-outs/stripe.js')),
  'stripe/:id': staffPage('TieOutPage', () => import('./tie-outs/tie-out.js')),
  suspense: staffPage('SuspensePage', () => import('./suspense.js')),
  periods: staffPage('PeriodsPage', () => import('./periods.js')),
  reports: staffPage('ReportsPage', () => import('./reports/reports.js')),
  'proof/:userId?': staffPage('ProofPage', () => import('./proof.js')),
  reconciliation: staffPage('ReconciliationPage', () => import('./reconciliation.js')),
  events: staffPage('EventsPage', () => import('./events.js')),
  tax: staffPage('TaxPage', () => import('./tax.js')),
  'trace/:id': staffPage('TracePage', () => import('./trace/trace.js')),
};

export default function FinanceScreen() {
  return (
    <div className="gutter pt-6 pb-16">
      <PageTitle />
      <StaffRoutes area="finance" pages={PAGES} loading="Loading the books..." />
    </div>
  );
}
