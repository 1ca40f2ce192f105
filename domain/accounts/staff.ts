import type { Decider } from '../shared/decider.js';
import { accept, unreachable, type Decision } from '../shared/decision.js';
import type { StaffRole } from '../shared/staff-role.js';

/** Stream `staff-{userId}`: what somebody may do for the house. */
const streamOf = (userId: string): string => `staff-${userId}`;

export { STAFF_ROLES, type StaffRole } from '../shared/staff-role.js';

/** `by` is an administrator's user id, or `system:operator` for the command line. */
export type StaffCommand =
  | { type: 'GrantStaffRole'; userId: string; role: StaffRole; by: string; now: string }
  | { type: 'RevokeStaffRole'; userId: string; role: StaffRole; by: string; now: string };

export type StaffEvent =
  | { type: 'StaffRoleGranted'; data: { userId: string; role: StaffRole; by: string; at: string } }
  | { type: 'StaffRoleRevoked'; data: { userId: string; role: StaffRole; by: string; at: string } };

/** The roles somebody has, with who granted each and when. */
export type StaffState = ReadonlyMap<StaffRole, { by: string; at: string }>;

const initialState: StaffState = new Map();

function decide(command: StaffCommand, roles: StaffState): Decision<StaffEvent, never> {
  const { type, now: at, ...data } = command;
  switch (type) {
    case 'GrantStaffRole':
      return roles.has(data.role) ? accept() : accept({ type: 'StaffRoleGranted', data: { ...data, at } });
    case 'RevokeStaffRole':
      return roles.has(data.role) ? accept({ type: 'StaffRoleRevoked', data: { ...data, at } }) : accept();
    default:
      return unreachable(type);
  }
}

function evolve(roles: StaffState, { type, data }: StaffEvent): StaffState {
  switch (type) {
    case 'StaffRoleGranted':
      return new Map([...roles, [data.role, { by: data.by, at: data.at }]]);
    case 'StaffRoleRevoked':
      return new Map([...roles].filter(([role]) => role !== data.role));
    default:
      return unreachable(type);
  }
}

export const staffDecider: Decider<StaffCommand, StaffState, StaffEvent, never> = {
  streamOf,
  initialState,
  decide,
  evolve,
};
