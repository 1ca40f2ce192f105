import { Id, ReasonBody } from '../shared/contract.js';
import { endpoint, text } from '../shared/endpoint.js';
import {
  ApprovalAnswer,
  ApprovalFacts,
  ApprovalPage,
  ApprovalsQuery,
  LimitsAnswer,
  WaitingAnswer,
} from '../approvals/contract.js';
import {
  RevokedAnswer,
  StaffActPage,
  StaffActsExportQuery,
  StaffActsQuery,
  StaffMembers,
  StaffRoleParams,
  LimitsBody,
} from './contract.js';

const admin = { tag: 'Administration', access: 'admin' } as const;

export const listApprovals = endpoint('GET /api/admin/approvals', {
  ...admin,
  summary: 'What waits for a second person, or what became of it, newest first',
  query: ApprovalsQuery,
  answers: { 200: ApprovalPage },
});

export const readApproval = endpoint('GET /api/admin/approvals/:id', {
  ...admin,
  summary: 'A request with what whoever decides on it should know',
  params: { id: Id },
  answers: { 200: ApprovalFacts },
  problems: ['NotFound'],
});

const decided = {
  params: { id: Id },
  answers: { 200: ApprovalAnswer },
  problems: [
    'NotFound',
    'NotAllowed',
    'SecondPersonNeeded',
    'OwnInterest',
    'AlreadyDecided',
    'RevocationTooLarge',
    'MadeGoodAlready',
    'FinanceNeeded',
  ],
  idempotent: true,
  freshSignIn: true,
} as const;
const approving = { ...admin, ...decided };

export const approveRequest = endpoint('POST /api/admin/approvals/:id/approve', {
  ...approving,
  summary: 'Agrees to what somebody else asked for; it is done at once',
});

export const declineRequest = endpoint('POST /api/admin/approvals/:id/decline', {
  ...approving,
  summary: 'Declines what somebody else asked for, with the reason that they read',
  body: ReasonBody,
});

export const withdrawRequest = endpoint('POST /api/admin/approvals/:id/withdraw', {
  ...approving,
  summary: 'Takes back what oneself asked for',
});

const finance = { tag: 'Finance', access: 'finance' } as const;

export const listFinanceApprovals = endpoint('GET /api/finance/approvals', {
  ...finance,
  summary: 'The same of the kinds that finance decides on',
  query: ApprovalsQuery,
  answers: { 200: ApprovalPage },
});

export const readFinanceApproval = endpoint('GET /api/finance/approvals/:id', {
  ...finance,
  summary: 'A request that finance decides on, with what whoever does so should know',
  params: { id: Id },
  answers: { 200: ApprovalFacts },
  problems: ['NotFound'],
});

export const approveFinanceRequest = endpoint('POST /api/finance/approvals/:id/approve', {
  ...finance,
  ...decided,
  summary: 'Agrees to what finance decides on; it is done at once',
});

export const declineFinanceRequest = endpoint('POST /api/finance/approvals/:id/decline', {
  ...finance,
  ...decided,
  summary: 'Declines what finance decides on, with the reason that the asker reads',
  body: ReasonBody,
});

export const withdrawFinanceRequest = endpoint('POST /api/finance/approvals/:id/withdraw', {
  ...finance,
  ...decided,
  summary: 'Takes back what oneself asked for, of what finance decides on',
});

export const listStaff = endpoint('GET /api/admin/staff', {
  ...admin,
  summary: 'Who holds which role, since when and by whom',
  answers: { 200: StaffMembers },
});

export const requestStaffRole = endpoint('POST /api/admin/staff/:userId/roles/:role', {
  ...admin,
  params: StaffRoleParams,
  summary: 'Asks for a role for somebody; another administrator has to agree',
  body: ReasonBody,
  answers: { 202: WaitingAnswer },
  problems: ['NotFound', 'OwnInterest'],
  idempotent: true,
  freshSignIn: true,
});

export const revokeStaffRole = endpoint('POST /api/admin/staff/:userId/roles/:role/revoke', {
  ...admin,
  params: StaffRoleParams,
  summary: "Asks to take somebody's role, which a second person agrees to; one's own goes at once",
  body: ReasonBody,
  answers: { 200: RevokedAnswer, 202: WaitingAnswer },
  status: 200,
  problems: ['LastAdministrator', 'OwnInterest'],
  idempotent: true,
  freshSignIn: true,
});

export const readLimits = endpoint('GET /api/admin/limits', {
  ...admin,
  summary: 'What one person may do alone',
  answers: { 200: LimitsAnswer },
});

export const requestLimits = endpoint('POST /api/admin/limits', {
  ...admin,
  summary: 'Asks for other limits; another administrator has to agree',
  body: LimitsBody,
  answers: { 202: WaitingAnswer },
  problems: ['OwnInterest'],
  idempotent: true,
  freshSignIn: true,
});

export const listStaffActs = endpoint('GET /api/admin/audit', {
  ...admin,
  summary: 'What people of the staff asked for, decided and did alone, newest first',
  query: StaffActsQuery,
  answers: { 200: StaffActPage },
});

export const exportStaffActs = endpoint('GET /api/admin/audit.csv', {
  ...admin,
  freshSignIn: true,
  summary: 'The same as a table, at most ten thousand rows',
  query: StaffActsExportQuery,
  answers: { 200: text('text/csv; charset=utf-8') },
});
