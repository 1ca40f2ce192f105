import { paths } from '../paths.js';
import { staffPaths } from '../../../application/pages/staff-paths.js';
import type { StaffArea } from '../shell/staff-area.js';

/** An entry of the navigation. With `end`, pages below its address do not mark it as current. */
export interface StaffPage {
  to: string;
  label: string;
  end?: boolean;
}

export const STAFF_PAGES: Record<StaffArea, readonly StaffPage[]> = {
  admin: [
    { to: paths.admin, label: 'Creators', end: true },
    { to: staffPaths.adminCredits, label: 'Credits' },
    { to: staffPaths.adminRefunds, label: 'Refunds' },
    { to: staffPaths.approvals('admin'), label: 'Approvals' },
    { to: staffPaths.adminAudit(), label: 'Who did what' },
    { to: staffPaths.adminReports, label: 'Reports' },
    { to: staffPaths.adminTakedowns, label: 'Takedowns' },
    { to: staffPaths.adminComplaints(), label: 'Complaints' },
    { to: staffPaths.adminCopies(), label: 'Suspected copies' },
    { to: staffPaths.adminCollections, label: 'Collections' },
    { to: staffPaths.adminMails, label: 'Mail log' },
    { to: staffPaths.adminJobs, label: 'Jobs' },
    { to: staffPaths.adminSessions, label: 'Sessions' },
    { to: staffPaths.adminRoles, label: 'Roles' },
  ],
  finance: [
    { to: paths.finance, label: 'Overview', end: true },
    { to: staffPaths.financeTrialBalance, label: 'Trial balance' },
    { to: staffPaths.financeRollforward(), label: 'Roll-forward' },
    { to: staffPaths.financeCreators, label: 'Creators' },
    { to: staffPaths.financeSalesUnderReview, label: 'Under review' },
    { to: staffPaths.approvals('finance'), label: 'Approvals' },
    { to: staffPaths.financeClaims, label: 'Claims' },
    { to: staffPaths.financeStripe, label: 'Stripe' },
    { to: staffPaths.financeSuspense, label: 'Suspense' },
    { to: staffPaths.financeTax, label: 'Tax' },
    { to: staffPaths.financePeriods, label: 'Periods' },
    { to: staffPaths.financeReports, label: 'Reports' },
    { to: staffPaths.financeProof(), label: 'Proof' },
    { to: staffPaths.financeReconciliation, label: 'Reconciliation' },
    { to: staffPaths.financeRestore, label: 'Restore' },
    { to: staffPaths.financeEvents, label: 'Events' },
  ],
};
