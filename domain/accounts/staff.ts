import type { Decider } from '../shared/decider.js';
import { accept, unreachable, type Decision } from '../shared/decision.js';

/** Stream `staff-{userId}`: what somebody may do for the house. */
const streamOf = (userId: string): string => `staff-${userId}`;

export const STAFF_ROLES = ['admin', 'finance'] as const;
export type StaffRole = (typeof STAFF_ROLES)[number];

/** `by` is an administrator's user id, or `system:operator` for the command line. */
export type StaffCommand =
  | { type: 'GrantStaffRole'; userId: string; role: StaffRole; by: string; now: string }
  | { type: 'RevokeStaffRole'; userId: string; role: StaffRole; by: string; now: string };

export type StaffEvent =
  | { type: 'StaffRoleGranted'; data: { userId: string; role: StaffRole; by: string; at: string } }
  | { type: 'StaffRoleRevoked'; data: { userId: string; role: StaffRole; by: string; at: string } };

/** The roles somebody has. */
export type StaffState = ReadonlySet<StaffRole>;

const initialState: StaffState = new Set();

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
      return new Set([...roles, data.role]);
    case 'StaffRoleRevoked':
      return new Set([...roles].filter((role) => role !== data.role));
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
