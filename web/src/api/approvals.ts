import './staff-caching.js';
import type { LimitsBody } from '../../../application/administration/contract.js';
import { apiOnce, pages, query } from './api.js';
import type { StaffArea } from '../shell/staff-area.js';
import type { Answer } from './endpoints.js';
import { invalidate, outdating } from './query-client.js';

export type Approval = Answer<'GET /api/admin/approvals'>['items'][number];
export type ApprovalFacts = Answer<'GET /api/admin/approvals/:id'>;
export type StaffAct = Answer<'GET /api/admin/audit'>['items'][number];
export type StaffMember = Answer<'GET /api/admin/staff'>['items'][number];
export type StaffRole = StaffMember['role'];
export type Limits = Answer<'GET /api/admin/limits'>;

/** Requests of a staff area that wait for a second person, newest first. @param kind undefined for all kinds */
export const waitingQuery = (area: StaffArea, kind?: Approval['work']['kind']) =>
  pages(`GET /api/${area}/approvals`, { query: { state: 'waiting', kind, limit: 100 } });

export const approvalQuery = (area: StaffArea, id: string) =>
  query(`GET /api/${area}/approvals/:id`, { params: { id } });

export interface ChosenActs {
  person?: string | undefined;
  kind?: StaffAct['kind'] | undefined;
  did?: StaffAct['did'] | undefined;
  /** The first and the last day (UTC) of the staff acts in the list. */
  from?: string | undefined;
  to?: string | undefined;
}

export const actsQuery = (chosen: ChosenActs) =>
  pages('GET /api/admin/audit', { query: { ...chosen, limit: 50 } });

export function actsFile(chosen: ChosenActs): string {
  const given = Object.entries(chosen).filter(([, value]) => value);
  return `/api/admin/audit.csv?${new URLSearchParams(given as [string, string][])}`;
}

const DECIDED = [
  'GET /api/admin/limits',
  'GET /api/admin/audit',
  'GET /api/admin/staff',
  'GET /api/admin/approvals',
  'GET /api/admin/approvals/:id',
  'GET /api/finance/approvals',
  'GET /api/finance/approvals/:id',
  'GET /api/finance/open-items',
  'GET /api/finance/periods',
] as const;

/** @param reason required to decline */
export async function decideOn(
  area: StaffArea,
  { id }: Pick<Approval, 'id'>,
  decision: 'approve' | 'decline' | 'withdraw',
  reason: string,
): Promise<Answer<'POST /api/admin/approvals/:id/approve'>> {
  const params = { id };
  try {
    if (decision === 'decline')
      return await apiOnce(`POST /api/${area}/approvals/:id/decline`, { params, body: { reason } });
    return await apiOnce(`POST /api/${area}/approvals/:id/${decision}`, { params });
  } finally {
    void invalidate(...DECIDED);
  }
}

export const askForLimits = (body: LimitsBody) =>
  outdating(apiOnce('POST /api/admin/limits', { body }), ...DECIDED);

export const askForRole = (userId: string, role: StaffRole, reason: string) => {
  const input = { params: { userId, role }, body: { reason } };
  return outdating(apiOnce('POST /api/admin/staff/:userId/roles/:role', input), ...DECIDED);
};

/** @returns true if the role is gone, false if a second person must approve it first */
export async function takeRole(userId: string, role: StaffRole, reason: string): Promise<boolean> {
  const input = { params: { userId, role }, body: { reason } };
  const taken = apiOnce('POST /api/admin/staff/:userId/roles/:role/revoke', input);
  return 'revoked' in (await outdating(taken, ...DECIDED));
}
