import * as z from 'zod';
import { STAFF_ROLES } from '../../domain/accounts/staff.js';
import { Id, ReasonBody, IsoTime } from '../shared/contract.js';
import { endpoint, text } from '../shared/endpoint.js';
import * as approvals from '../approvals/contract.js';
import * as contract from './contract.js';

const admin = { tag: 'Administration', access: 'admin' } as const;

export const listApprovals = endpoint('GET /api/admin/approvals', {
  ...admin,
  summary: 'Lists approvals, newest first',
  query: approvals.ApprovalsQuery,
  answers: { 200: approvals.ApprovalPage },
});

export const readApproval = endpoint('GET /api/admin/approvals/:id', {
  ...admin,
  summary: 'Reads an approval with the facts for its decision',
  params: { id: Id },
  answers: { 200: approvals.ApprovalFacts },
  problems: ['NotFound'],
});

const decided = {
  params: { id: Id },
  answers: { 200: approvals.ApprovalAnswer },
  problems: [
    'NotFound',
    'NotAllowed',
    'SecondPersonNeeded',
    'OwnInterest',
    'AlreadyDecided',
    'FinanceNeeded',
  ],
  idempotent: true,
  freshSignIn: true,
} as const;
const approving = { ...admin, ...decided };

export const approveRequest = endpoint('POST /api/admin/approvals/:id/approve', {
  ...approving,
  summary: "Approves another person's request and carries it out",
});

export const declineRequest = endpoint('POST /api/admin/approvals/:id/decline', {
  ...approving,
  summary: "Declines another person's request, with a reason that they can read",
  body: ReasonBody,
});

export const withdrawRequest = endpoint('POST /api/admin/approvals/:id/withdraw', {
  ...approving,
  summary: "Withdraws the caller's own request",
});

const finance = { tag: 'Finance', access: 'finance' } as const;

export const listFinanceApprovals = endpoint('GET /api/finance/approvals', {
  ...finance,
  summary: 'Lists approvals that finance decides on',
  query: approvals.ApprovalsQuery,
  answers: { 200: approvals.ApprovalPage },
});

export const readFinanceApproval = endpoint('GET /api/finance/approvals/:id', {
  ...finance,
  summary: 'Reads an approval that finance decides on, with the facts for its decision',
  params: { id: Id },
  answers: { 200: approvals.ApprovalFacts },
  problems: ['NotFound'],
});

export const approveFinanceRequest = endpoint('POST /api/finance/approvals/:id/approve', {
  ...finance,
  ...decided,
  summary: 'Approves a request as finance and carries it out',
});

export const declineFinanceRequest = endpoint('POST /api/finance/approvals/:id/decline', {
  ...finance,
  ...decided,
  summary: 'Declines a request as finance, with a reason that the requester can read',
  body: ReasonBody,
});

export const withdrawFinanceRequest = endpoint('POST /api/finance/approvals/:id/withdraw', {
  ...finance,
  ...decided,
  summary: "Withdraws the caller's own request that finance decides on",
});

export const listStaff = endpoint('GET /api/admin/staff', {
  ...admin,
  summary: 'Lists staff members and their roles',
  answers: {
    200: z.object({
      items: z.array(
        z.object({
          userId: Id,
          displayName: z.string(),
          email: z.string(),
          role: z.enum(STAFF_ROLES),
          grantedBy: approvals.Who,
          grantedByName: z.string(),
          grantedAt: IsoTime,
          hasSecondFactor: z.boolean(),
        }),
      ),
    }),
  },
});

export const requestStaffRole = endpoint('POST /api/admin/staff/:userId/roles/:role', {
  ...admin,
  params: contract.StaffRoleParams,
  summary: 'Requests a role for a person; another administrator must approve',
  body: ReasonBody,
  answers: { 202: approvals.WaitingAnswer },
  problems: ['NotFound', 'OwnInterest'],
  idempotent: true,
  freshSignIn: true,
});

export const revokeStaffRole = endpoint('POST /api/admin/staff/:userId/roles/:role/revoke', {
  ...admin,
  params: contract.StaffRoleParams,
  summary: "Revokes the caller's own role, or requests the removal of another person's role",
  body: ReasonBody,
  answers: {
    200: z.object({
      userId: Id,
      role: z.enum(STAFF_ROLES),
      /** False if the person did not hold the role. */
      revoked: z.boolean(),
    }),
    202: approvals.WaitingAnswer,
  },
  status: 200,
  problems: ['LastAdministrator', 'OwnInterest'],
  idempotent: true,
  freshSignIn: true,
});

export const readLimits = endpoint('GET /api/admin/limits', {
  ...admin,
  summary: 'Returns the limits of one person',
  answers: { 200: approvals.LimitsAnswer },
});

export const requestLimits = endpoint('POST /api/admin/limits', {
  ...admin,
  summary: 'Requests a change of the limits; another administrator must approve',
  body: contract.LimitsBody,
  answers: { 202: approvals.WaitingAnswer },
  problems: ['OwnInterest'],
  idempotent: true,
  freshSignIn: true,
});

export const listStaffActs = endpoint('GET /api/admin/audit', {
  ...admin,
  summary: 'Lists acts of the staff, newest first',
  query: contract.StaffActsQuery,
  answers: { 200: contract.StaffActPage },
});

export const exportStaffActs = endpoint('GET /api/admin/audit.csv', {
  ...admin,
  freshSignIn: true,
  summary: 'Exports acts of the staff as CSV, at most 10,000 rows',
  query: contract.StaffActsExportQuery,
  answers: { 200: text('text/csv; charset=utf-8') },
});
