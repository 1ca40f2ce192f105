export const STAFF_ROLES = ['admin', 'finance'] as const;
export type StaffRole = (typeof STAFF_ROLES)[number];

/** An approver cannot use a role that the requester granted within this time. */
const FRESH_ROLE_MS = 86_400_000;

/** Staff may not decide about users who bought from the staff member's own packs within this time. */
export const RELATED_BUYER_DAYS = 30;

export interface Approver {
  by: string;
  /** For each role that the approver holds: who granted the role, and when. */
  roles: ReadonlyMap<StaffRole, { by: string; at: string }>;
  /** The beneficiary recently bought from the approver's own packs. */
  boughtFromThem: boolean;
}

export type ApproverRejection =
  | { code: 'NotAllowed' }
  /** The approver made the request, or the requester recently granted the role to the approver. */
  | { code: 'SecondPersonNeeded' }
  | { code: 'OwnInterest' };

/** Returns why this person may not decide. @param decidedBy the approver must hold one of these roles now */
export function obstacleTo(
  { by, roles, boughtFromThem, now }: Approver & { now: string },
  request: { by: string; beneficiary?: string },
  decidedBy: readonly StaffRole[],
): ApproverRejection | undefined {
  if (by === request.by) return { code: 'SecondPersonNeeded' };
  const held = decidedBy.flatMap((role) => roles.get(role) ?? []);
  if (held.length === 0) return { code: 'NotAllowed' };
  if (by === request.beneficiary || boughtFromThem) return { code: 'OwnInterest' };
  // The operator is exempt: the operator grants the first role, and its holder must be able to approve the operator's
  // requests at once.
  const isPerson = !request.by.startsWith('system:');
  const since = new Date(Date.parse(now) - FRESH_ROLE_MS).toISOString();
  if (isPerson && held.every((role) => role.by === request.by && role.at > since))
    return { code: 'SecondPersonNeeded' };
  return undefined;
}
