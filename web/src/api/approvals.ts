import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { LimitsBody } from '../../../application/administration/contract.js';
import { api, pages, query } from './api.js';
import type { StaffArea } from '../shell/staff-area.js';
import type { Answer } from './endpoints.js';
import { sendOnce } from './transport/idempotency-key.js';
import { invalidate } from './query-client.js';

export type Approval = Answer<'GET /api/admin/approvals'>['items'][number];
export type ApprovalFacts = Answer<'GET /api/admin/approvals/:id'>;
export type StaffAct = Answer<'GET /api/admin/audit'>['items'][number];
export type StaffMember = Answer<'GET /api/admin/staff'>['items'][number];
export type StaffRole = StaffMember['role'];

const FRESH_MS = 5_000;
const LIMIT = 100;

/** Approvals that wait for a second person in this staff area, newest first. */
export const waitingQuery = (area: StaffArea) =>
  infiniteQueryOptions({
    ...pages(`GET /api/${area}/approvals`, { query: { state: 'waiting', limit: LIMIT } }),
    staleTime: FRESH_MS,
    refetchInterval: 10_000,
  });

/** A request, with the facts that its approver needs. */
export const approvalQuery = (area: StaffArea, id: string) =>
  queryOptions({ ...query(`GET /api/${area}/approvals/:id`, { params: { id } }), staleTime: FRESH_MS });

export type Limits = Answer<'GET /api/admin/limits'>;
export const limitsQuery = queryOptions({ ...query('GET /api/admin/limits'), staleTime: FRESH_MS });

/** Requests new limits; another administrator must approve them. */
export async function askForLimits(body: LimitsBody): Promise<void> {
  await sendOnce(`limits ${JSON.stringify(body)}`, (idempotencyKey) =>
    api('POST /api/admin/limits', { body, idempotencyKey }),
  );
  refresh();
}

export const staffQuery = queryOptions({ ...query('GET /api/admin/staff'), staleTime: FRESH_MS });

/** Filter for the list of staff acts. */
export interface ChosenActs {
  person?: string | undefined;
  kind?: StaffAct['kind'] | undefined;
  did?: StaffAct['did'] | undefined;
  /** Days (UTC). */
  from?: string | undefined;
  to?: string | undefined;
}

export const actsQuery = (chosen: ChosenActs) =>
  infiniteQueryOptions({
    ...pages('GET /api/admin/audit', { query: { ...chosen, limit: 50 } }),
    staleTime: FRESH_MS,
  });

/** Address of the same list as a CSV file. */
export function actsFile(chosen: ChosenActs): string {
  const given = Object.entries(chosen).filter(([, value]) => value);
  return `/api/admin/audit.csv?${new URLSearchParams(given as [string, string][])}`;
}

function refresh(): void {
  for (const key of [
    'GET /api/admin/limits',
    'GET /api/admin/audit',
    'GET /api/admin/staff',
    'GET /api/admin/adjustments',
  ] as const)
    void invalidate(key);
  for (const key of ['GET /api/finance/open-items', 'GET /api/finance/periods'] as const)
    void invalidate(key);
  for (const area of ['admin', 'finance'] as const) {
    void invalidate(`GET /api/${area}/approvals`);
    void invalidate(`GET /api/${area}/approvals/:id`);
  }
}

/** @param reason required to decline */
export async function decideOn(
  area: StaffArea,
  { id }: Pick<Approval, 'id'>,
  decision: 'approve' | 'decline' | 'withdraw',
  reason: string,
): Promise<Answer<'POST /api/admin/approvals/:id/approve'>> {
  const params = { id };
  try {
    return await sendOnce(`${decision} ${id} ${reason}`, (idempotencyKey) =>
      decision === 'decline'
        ? api(`POST /api/${area}/approvals/:id/decline`, { params, body: { reason }, idempotencyKey })
        : decision === 'approve'
          ? api(`POST /api/${area}/approvals/:id/approve`, { params, idempotencyKey })
          : api(`POST /api/${area}/approvals/:id/withdraw`, { params, idempotencyKey }),
    );
  } finally {
    refresh();
  }
}

/** Requests a role; another administrator must approve it. */
export async function askForRole(userId: string, role: StaffRole, reason: string): Promise<void> {
  const input = { params: { userId, role }, body: { reason } };
  await sendOnce(`role ${userId} ${role} ${reason}`, (idempotencyKey) =>
    api('POST /api/admin/staff/:userId/roles/:role', { ...input, idempotencyKey }),
  );
  refresh();
}

/** @returns true if the role is gone, false if a second person must approve it first */
export async function takeRole(userId: string, role: StaffRole, reason: string): Promise<boolean> {
  const input = { params: { userId, role }, body: { reason } };
  const answer = await sendOnce(`take ${userId} ${role} ${reason}`, (idempotencyKey) =>
    api('POST /api/admin/staff/:userId/roles/:role/revoke', { ...input, idempotencyKey }),
  );
  refresh();
  return 'revoked' in answer;
}
