import * as z from 'zod';
import { STAFF_ROLES } from '../../domain/accounts/staff.js';
import { Id, ReasonBody, IsoTime } from '../shared/contract.js';
import { endpointsOf, text } from '../shared/endpoint.js';
import * as approvals from '../approvals/contract.js';
import * as contract from './contract.js';

const admin = endpointsOf({ tag: 'Administration', access: 'admin' });

export const listApprovals = admin('GET /api/admin/approvals', {
  summary: 'Lists approvals, newest first',
  query: approvals.ApprovalsQuery,
  answers: { 200: approvals.ApprovalPage },
});

export const readApproval = admin('GET /api/admin/approvals/:id', {
  summary: 'Reads an approval with the facts for its decision',
  params: { id: Id },
  answers: { 200: approvals.ApprovalFacts },
  problems: ['NotFound'],
});

const DECIDING = {
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
const deciding = endpointsOf({ ...DECIDING, tag: 'Administration', access: 'admin' });

export const approveRequest = deciding('POST /api/admin/approvals/:id/approve', {
  summary: "Approves another person's request and carries it out",
});

export const declineRequest = deciding('POST /api/admin/approvals/:id/decline', {
  summary: "Declines another person's request, with a reason that they can read",
  body: ReasonBody,
});

export const withdrawRequest = deciding('POST /api/admin/approvals/:id/withdraw', {
  summary: "Withdraws the caller's own request",
});

const finance = endpointsOf({ tag: 'Finance', access: 'finance' });
const decidingAsFinance = endpointsOf({ ...DECIDING, tag: 'Finance', access: 'finance' });

export const listFinanceApprovals = finance('GET /api/finance/approvals', {
  summary: 'Lists approvals that finance decides on',
  query: approvals.ApprovalsQuery,
  answers: { 200: approvals.ApprovalPage },
});

export const readFinanceApproval = finance('GET /api/finance/approvals/:id', {
  summary: 'Reads an approval that finance decides on, with the facts for its decision',
  params: { id: Id },
  answers: { 200: approvals.ApprovalFacts },
  problems: ['NotFound'],
});

export const approveFinanceRequest = decidingAsFinance('POST /api/finance/approvals/:id/approve', {
  summary: 'Approves a request as finance and carries it out',
});

export const declineFinanceRequest = decidingAsFinance('POST /api/finance/approvals/:id/decline', {
  summary: 'Declines a request as finance, with a reason that the requester can read',
  body: ReasonBody,
});

export const withdrawFinanceRequest = decidingAsFinance('POST /api/finance/approvals/:id/withdraw', {
  summary: "Withdraws the caller's own request that finance decides on",
});

export const listStaff = admin('GET /api/admin/staff', {
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

export const requestStaffRole = admin('POST /api/admin/staff/:userId/roles/:role', {
  params: contract.StaffRoleParams,
  summary: 'Requests a role for a person; another administrator must approve',
  body: ReasonBody,
  answers: { 202: approvals.WaitingAnswer },
  problems: ['NotFound', 'OwnInterest'],
  idempotent: true,
  freshSignIn: true,
});

export const revokeStaffRole = admin('POST /api/admin/staff/:userId/roles/:role/revoke', {
  params: contract.StaffRoleParams,
  summary: "Revokes the caller's own role, or requests the removal of another person's role",
  body: ReasonBody,
  answers: {
    200: z.object({
      userId: Id,
      role: z.enum(STAFF_ROLES),
      /** False if the user did not hold the role. */
      revoked: z.boolean(),
    }),
    202: approvals.WaitingAnswer,
  },
  status: 200,
  problems: ['LastAdministrator', 'OwnInterest'],
  idempotent: true,
  freshSignIn: true,
});

export const readLimits = admin('GET /api/admin/limits', {
  summary: 'Returns the limits of one person',
  answers: { 200: approvals.LimitsAnswer },
});

export const requestLimits = admin('POST /api/admin/limits', {
  summary: 'Requests a change of the limits; another administrator must approve',
  body: contract.LimitsBody,
  answers: { 202: approvals.WaitingAnswer },
  problems: ['OwnInterest'],
  idempotent: true,
  freshSignIn: true,
});

export const listStaffActs = admin('GET /api/admin/audit', {
  summary: 'Lists acts of the staff, newest first',
  query: contract.StaffActsQuery,
  answers: { 200: contract.StaffActPage },
});

export const exportStaffActs = admin('GET /api/admin/audit.csv', {
  freshSignIn: true,
  summary: 'Exports acts of the staff as CSV, at most 10,000 rows',
  query: contract.StaffActsExportQuery,
  answers: { 200: text('text/csv; charset=utf-8') },
});
