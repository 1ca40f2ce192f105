import type { StaffRole } from './staff-role.js';

/** A role that the asker granted so recently is no second opinion on what they ask for. */
export const FRESH_ROLE_MS = 86_400_000;

/** What is known of the person who decides on what another one asked for. */
export interface Approver {
  by: string;
  /** Who granted each role they hold, and when. */
  roles: ReadonlyMap<StaffRole, { by: string; at: string }>;
  /** The beneficiary bought from packs of theirs lately. */
  boughtFromThem: boolean;
}

export type ApproverRejection =
  | { code: 'NotAllowed' }
  /** It was their own request, or they owe the role to who asks. */
  | { code: 'SecondPersonNeeded' }
  | { code: 'OwnInterest' };

/** Why this person may not decide on a request. @param decidedBy one of these roles has to be held at that moment */
export function obstacleTo(
  { by, roles, boughtFromThem, now }: Approver & { now: string },
  request: { by: string; beneficiary?: string },
  decidedBy: readonly StaffRole[],
): ApproverRejection | undefined {
  if (by === request.by) return { code: 'SecondPersonNeeded' };
  const held = decidedBy.flatMap((role) => roles.get(role) ?? []);
  if (held.length === 0) return { code: 'NotAllowed' };
  if (by === request.beneficiary || boughtFromThem) return { code: 'OwnInterest' };
  // On the command line the first administrator alone is made without a second person.
  const isPerson = !request.by.startsWith('system:');
  const since = new Date(Date.parse(now) - FRESH_ROLE_MS).toISOString();
  if (isPerson && held.every((role) => role.by === request.by && role.at > since))
    return { code: 'SecondPersonNeeded' };
  return undefined;
}
