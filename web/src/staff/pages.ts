import { paths } from '../paths.js';
import { staffPaths } from '../../../application/pages/staff-paths.js';
import type { StaffArea } from '../shell/staff-area.js';

/** An entry of the navigation. With `end`, pages below its address do not mark it as current. */
export interface StaffPage {
  to: string;
  label: string;
  end?: boolean;
}

/**
 * Pages that share one entry in the header, which opens the first page. `below`: addresses that belong to the group
 * but have no entry.
 */
interface StaffGroup {
  label: string;
  pages: readonly [StaffPage, ...StaffPage[]];
  below?: readonly string[];
}

export const STAFF_GROUPS: Record<StaffArea, readonly StaffGroup[]> = {
  admin: [
    {
      label: 'Creators',
      pages: [
        { to: paths.admin, label: 'Creators', end: true },
        { to: staffPaths.adminCopies(), label: 'Suspected copies' },
      ],
    },
    {
      label: 'Content',
      pages: [
        { to: staffPaths.adminReports, label: 'Reports' },
        { to: staffPaths.adminComplaints(), label: 'Complaints' },
        { to: staffPaths.adminTakedowns, label: 'Takedowns' },
        { to: staffPaths.adminCollections, label: 'Collections' },
      ],
    },
    {
      label: 'Credits',
      pages: [
        { to: staffPaths.adminCredits, label: 'Credits' },
        { to: staffPaths.adminRefunds, label: 'Refunds' },
      ],
    },
    {
      label: 'Controls',
      pages: [
        { to: staffPaths.approvals('admin'), label: 'Approvals' },
        { to: staffPaths.adminAudit(), label: 'Who did what' },
        { to: staffPaths.adminRoles, label: 'Roles' },
        { to: staffPaths.adminSessions, label: 'Sessions' },
      ],
    },
    {
      label: 'System',
      pages: [
        { to: staffPaths.adminMails, label: 'Mail log' },
        { to: staffPaths.adminJobs, label: 'Jobs' },
      ],
    },
  ],
  finance: [
    { label: 'Overview', pages: [{ to: paths.finance, label: 'Overview', end: true }] },
    {
      label: 'Money',
      pages: [
        { to: staffPaths.financeTrialBalance, label: 'Trial balance' },
        { to: staffPaths.financeRollforward(), label: 'Roll-forward' },
        { to: staffPaths.financeStripe, label: 'Stripe' },
        { to: staffPaths.financeSuspense, label: 'Suspense' },
      ],
      below: [staffPaths.financeAccounts],
    },
    {
      label: 'Creators',
      pages: [
        { to: staffPaths.financeCreators, label: 'Creators' },
        { to: staffPaths.financeSalesUnderReview, label: 'Under review' },
        { to: staffPaths.financeClaims, label: 'Claims' },
      ],
    },
    {
      label: 'Controls',
      pages: [
        { to: staffPaths.approvals('finance'), label: 'Approvals' },
        { to: staffPaths.financePeriods, label: 'Periods' },
        { to: staffPaths.financeReconciliation, label: 'Reconciliation' },
        { to: staffPaths.financeProof(), label: 'Proof' },
        { to: staffPaths.financeEvents, label: 'Events' },
        { to: staffPaths.financeRestore, label: 'Restore' },
      ],
      below: [staffPaths.financeTraces],
    },
    {
      label: 'Reports',
      pages: [
        { to: staffPaths.financeStatement, label: 'Profit and loss' },
        { to: staffPaths.financeReports, label: 'Reports' },
        { to: staffPaths.financeTax, label: 'Tax' },
        { to: staffPaths.financeVat, label: 'VAT' },
        { to: staffPaths.financeCreatorTaxes, label: 'Creator taxes' },
      ],
    },
  ],
};

export const staffPagesOf = (area: StaffArea): readonly StaffPage[] =>
  STAFF_GROUPS[area].flatMap(({ pages }) => pages);

/** Whether an address is that of a page, or lies below it. With `end`, addresses below the page do not count. */
export const isPageAt = ({ to, end = false }: StaffPage, pathname: string): boolean =>
  pathname === to || (!end && pathname.startsWith(`${to}/`));

export const groupAt = (area: StaffArea, pathname: string): StaffGroup | undefined =>
  STAFF_GROUPS[area].find(
    ({ pages, below = [] }) =>
      pages.some((page) => isPageAt(page, pathname)) || below.some((to) => pathname.startsWith(to)),
  );
