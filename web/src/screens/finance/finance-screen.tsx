import './finance.css';
import { Suspense } from 'react';
import { Navigate, Route, Routes } from 'react-router-dom';
import { paths } from '../../paths.js';
import { PageTitle } from '../../shell/page-frame.js';
import { ReasonDialogs } from '../../staff/ask-reason.js';
import { staffPage } from '../../staff/staff-page.js';
import { LoadingText } from '../../ui/states.js';

const Overview = staffPage('OverviewPage', () => import('./finance-overview.js'));
const TrialBalance = staffPage('TrialBalancePage', () => import('./trial-balance.js'));
const Group = staffPage('GroupPage', () => import('./accounts.js'));
const AccountStatement = staffPage('StatementPage', () => import('./accounts.js'));
const Rollforward = staffPage('RollforwardPage', () => import('./rollforward.js'));
const Creators = staffPage('CreatorsPage', () => import('./creators.js'));
const Creator = staffPage('CreatorPage', () => import('./creator.js'));
const Approvals = staffPage('ApprovalsPage', () => import('./approvals.js'));
const SalesUnderReview = staffPage('SalesUnderReviewPage', () => import('./sales-under-review.js'));
const Claims = staffPage('ClaimsPage', () => import('./claims.js'));
const Stripe = staffPage('StripePage', () => import('./tie-outs/stripe.js'));
const TieOut = staffPage('TieOutPage', () => import('./tie-outs/tie-out.js'));
const SuspenseItems = staffPage('SuspensePage', () => import('./suspense.js'));
const Periods = staffPage('PeriodsPage', () => import('./periods.js'));
const Reports = staffPage('ReportsPage', () => import('./reports/reports.js'));
const Proof = staffPage('ProofPage', () => import('./proof.js'));
const Reconciliation = staffPage('ReconciliationPage', () => import('./reconciliation.js'));
const Events = staffPage('EventsPage', () => import('./events.js'));
const Tax = staffPage('TaxPage', () => import('./tax/tax.js'));
const Trace = staffPage('TracePage', () => import('./trace/trace.js'));

/** The books, for people with the role: from a total down to the event behind it. */
export default function FinanceScreen() {
  return (
    <div className="gutter pt-6 pb-16">
      <PageTitle />
      <Suspense fallback={<LoadingText>Loading the books...</LoadingText>}>
        <Routes>
          <Route index element={<Overview />} />
          <Route path="trial-balance" element={<TrialBalance />} />
          <Route path="accounts" element={<Group />} />
          <Route path="accounts/:account" element={<AccountStatement />} />
          <Route path="roll-forward" element={<Rollforward />} />
          <Route path="creators" element={<Creators />} />
          <Route path="creators/:creatorId" element={<Creator />} />
          <Route path="approvals" element={<Approvals />} />
          <Route path="sales-under-review" element={<SalesUnderReview />} />
          <Route path="claims" element={<Claims />} />
          <Route path="stripe" element={<Stripe />} />
          <Route path="stripe/:id" element={<TieOut />} />
          <Route path="suspense" element={<SuspenseItems />} />
          <Route path="periods" element={<Periods />} />
          <Route path="reports" element={<Reports />} />
          <Route path="proof/:userId?" element={<Proof />} />
          <Route path="reconciliation" element={<Reconciliation />} />
          <Route path="events" element={<Events />} />
          <Route path="tax" element={<Tax />} />
          <Route path="trace/:id" element={<Trace />} />
          <Route path="*" element={<Navigate to={paths.finance} replace />} />
        </Routes>
      </Suspense>
      <ReasonDialogs />
    </div>
  );
}
