import { paths } from '../paths.js';
import type { House } from '../shell/house.js';

/** An entry of the navigation. `end`: what is below its address is no part of it. */
export interface HousePage {
  to: string;
  label: string;
  end?: boolean;
}

/** The pages of a house, in the order of its navigation. */
export const HOUSE_PAGES: Record<House, readonly HousePage[]> = {
  admin: [
    { to: paths.admin, label: 'Creators', end: true },
    { to: paths.adminCredits, label: 'Credits' },
    { to: paths.adminRefunds, label: 'Refunds' },
    { to: paths.approvals('admin'), label: 'Approvals' },
    { to: paths.adminAudit(), label: 'Who did what' },
    { to: paths.adminReports, label: 'Reports' },
    { to: paths.adminTakedowns, label: 'Takedowns' },
    { to: paths.adminCopies(), label: 'Suspected copies' },
    { to: paths.adminCollections, label: 'Collections' },
    { to: paths.adminMails, label: 'Mail log' },
    { to: paths.adminJobs, label: 'Jobs' },
    { to: paths.adminRoles, label: 'Roles' },
  ],
  finance: [
    { to: paths.finance, label: 'Overview', end: true },
    { to: paths.financeTrialBalance, label: 'Trial balance' },
    { to: paths.financeRollforward(), label: 'Roll-forward' },
    { to: paths.financeCreators, label: 'Creators' },
    { to: paths.approvals('finance'), label: 'Approvals' },
    { to: paths.financeClaims, label: 'Claims' },
    { to: paths.financeStripe, label: 'Stripe' },
    { to: paths.financeSuspense, label: 'Suspense' },
    { to: paths.financePeriods, label: 'Periods' },
    { to: paths.financeProof(), label: 'Proof' },
    { to: paths.financeReconciliation, label: 'Reconciliation' },
    { to: paths.financeEvents, label: 'Events' },
  ],
};
