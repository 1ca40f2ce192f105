import type { Decider } from '../shared/decider.js';
import { accept, unreachable, type Decision } from '../shared/decision.js';
import type { StaffRole } from '../shared/staff-role.js';

/** Stream `staff-{userId}`: what somebody may do for the house. */
const streamOf = (userId: string): string => `staff-${userId}`;

export { STAFF_ROLES, type StaffRole } from '../shared/staff-role.js';

/** `by` is an administrator's user id, or `system:operator` for the command line. */
export type StaffCommand =
  /** Without `approvedBy` one person was enough. */
  | { type: 'GrantStaffRole'; userId: string; role: StaffRole; by: string; approvedBy?: string; now: string }
  | { type: 'RevokeStaffRole'; userId: string; role: StaffRole; by: string; reason?: string; now: string };

interface Changed {
  userId: string;
  role: StaffRole;
  by: string;
  at: string;
}

export type StaffEvent =
  | { type: 'StaffRoleGranted'; data: Changed & { approvedBy?: string } }
  | { type: 'StaffRoleRevoked'; data: Changed & { reason?: string } };

/** The roles somebody has, with who granted each and when. */
export type StaffState = ReadonlyMap<StaffRole, { by: string; at: string }>;

const initialState: StaffState = new Map();

function decide(command: StaffCommand, roles: StaffState): Decision<StaffEvent, never> {
  switch (command.type) {
    case 'GrantStaffRole': {
      const { type: _, now: at, ...data } = command;
      return roles.has(data.role) ? accept() : accept({ type: 'StaffRoleGranted', data: { ...data, at } });
    }
    case 'RevokeStaffRole': {
      const { type: _, now: at, ...data } = command;
      return roles.has(data.role) ? accept({ type: 'StaffRoleRevoked', data: { ...data, at } }) : accept();
    }
    default:
      return unreachable(command);
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
