import type { StaffRole } from '../../domain/shared/second-person.js';

const segment = encodeURIComponent;

/** The addresses of staff pages. They are in a file of their own because other pages of the client do not need them. */
export const staffPaths = {
  financeTrace: (id: string | number, line?: number) =>
    `/finance/trace/${segment(id)}${line === undefined ? '' : `?line=${line}`}`,
  financeTraces: '/finance/trace',
  financeAccounts: '/finance/accounts',
  financeTrialBalance: '/finance/trial-balance',
  financeGroup: (group: string) => `/finance/accounts?${new URLSearchParams({ group })}`,
  financeAccount: (account: string) => `/finance/accounts/${segment(account)}`,
  financeReconciliation: '/finance/reconciliation',
  financeRollforward: (userId = '') =>
    userId ? `/finance/roll-forward?${new URLSearchParams({ user: userId })}` : '/finance/roll-forward',
  financeRestore: '/finance/restore',
  financeStatement: '/finance/statement',
  financeStripe: '/finance/stripe',
  financeTax: '/finance/tax',
  financeVat: '/finance/vat',
  financeCreatorTaxes: '/finance/creator-taxes',
  financeTieOut: (id: string) => `/finance/stripe/${id}`,
  financePeriods: '/finance/periods',
  financeSuspense: '/finance/suspense',
  financeReports: '/finance/reports',
  financeProof: (userId = '') => (userId ? `/finance/proof/${segment(userId)}` : '/finance/proof'),
  financeCreators: '/finance/creators',
  financeCreator: (creatorId: string) => `/finance/creators/${segment(creatorId)}`,
  financeSalesUnderReview: '/finance/sales-under-review',
  financeClaims: '/finance/claims',
  financeEvents: '/finance/events',
  financeEventsOf: (filter: { stream?: string; type?: string; from?: string }) =>
    `/finance/events?${new URLSearchParams(filter)}`,
  approvals: (area: StaffRole, request = '') =>
    request ? `/${area}/approvals?${new URLSearchParams({ request })}` : `/${area}/approvals`,
  adminAudit: (person = '') => (person ? `/admin/audit?${new URLSearchParams({ person })}` : '/admin/audit'),
  adminCollections: '/admin/collections',
  adminComplaints: (complaint = '', state: 'waiting' | 'closed' = 'waiting') => {
    const query = new URLSearchParams({
      ...(complaint && { complaint }),
      ...(state === 'closed' && { state }),
    });
    return `/admin/complaints${query.size > 0 ? `?${query}` : ''}`;
  },
  adminCopies: (copy = '', state: 'open' | 'decided' = 'open') => {
    const query = new URLSearchParams({ ...(copy && { copy }), ...(state === 'decided' && { state }) });
    return `/admin/copies${query.size > 0 ? `?${query}` : ''}`;
  },
  adminCredits: '/admin/credits',
  adminJobs: '/admin/jobs',
  adminMails: '/admin/mails',
  adminRefunds: '/admin/refunds',
  adminReports: '/admin/reports',
  adminRoles: '/admin/roles',
  adminSessions: '/admin/sessions',
  adminTakedowns: '/admin/takedowns',
};
