import * as z from 'zod';
import { STAFF_ROLES } from '../../domain/accounts/staff.js';
import { Id, IsoTime, page, pageQuery } from '../shared/contract.js';

export const APPROVAL_STATUSES = [
  'waiting',
  'approved',
  'declined',
  'withdrawn',
  'lapsed',
  'carried out',
  'not carried out',
] as const;

/** What is done once somebody agreed. */
export const ApprovalWork = z.strictObject({
  kind: z.literal('grant-role'),
  userId: Id,
  role: z.enum(STAFF_ROLES),
});

export const ApprovalAnswer = z.object({ id: Id, status: z.enum(APPROVAL_STATUSES) });

/** What one person asked for, and who agreed or did not. */
export const Approval = z
  .object({
    ...ApprovalAnswer.shape,
    work: ApprovalWork,
    reason: z.string(),
    /** A user id, or who asks on behalf of the house. */
    requestedBy: Id,
    requestedByName: z.string(),
    requestedAt: IsoTime,
    /** Who has something of it. */
    beneficiary: Id.nullable(),
    beneficiaryName: z.string().nullable(),
    /** Undecided by then, it is void. */
    lapsesAt: IsoTime,
    decidedBy: Id.nullable(),
    decidedByName: z.string().nullable(),
    decidedAt: IsoTime.nullable(),
    /** Why it was declined, or could not be done. */
    note: z.string().nullable(),
  })
  .meta({ id: 'Approval' });
export const ApprovalPage = page(Approval);
export type ApprovalPage = z.infer<typeof ApprovalPage>;
export const ApprovalsQuery = z.object({
  ...pageQuery,
  state: z.enum(['waiting', 'decided']).default('waiting'),
});
export const StaffRoleParams = { userId: Id, role: z.enum(STAFF_ROLES) };
