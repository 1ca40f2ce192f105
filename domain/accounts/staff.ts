import { evolveBy } from '../shared/by-type.js';
import { accept, reject, unreachable, type Decision, type Decider } from '../shared/decision.js';
import type { Reason } from '../shared/remark.js';
import type { StaffRole } from '../shared/second-person.js';

export { STAFF_ROLES, type StaffRole } from '../shared/second-person.js';

/**
 * `by` is the user id of an administrator, or of a user who gives up their own role, or `system:operator` for the
 * command line.
 */
export type StaffCommand =
  /** `approvedBy` is absent if no second person had to approve. */
  | { type: 'GrantStaffRole'; userId: string; role: StaffRole; by: string; approvedBy?: string; now: string }
  | ({
      type: 'RevokeStaffRole';
      userId: string;
      role: StaffRole;
      by: string;
      approvedBy?: string;
      /** The number of administrators besides this user. */
      otherAdministrators: number;
      now: string;
    } & Partial<Reason>)
  /** The operator grants a role without an approval, because no administrator is available. */
  | ({ type: 'BreakGlass'; userId: string; role: StaffRole; by: string; now: string } & Reason);

interface Changed {
  userId: string;
  role: StaffRole;
  by: string;
  at: string;
}

export type StaffEvent =
  | { type: 'StaffRoleGranted'; data: Changed & { approvedBy?: string } }
  | { type: 'StaffRoleRevoked'; data: Changed & { approvedBy?: string } & Partial<Reason> }
  /** The operator granted the role of the next event without an approval. */
  | { type: 'GlassBroken'; data: Changed & Reason };

/** The last administrator keeps the role, because otherwise no one could grant roles. */
export type StaffRejection = { code: 'LastAdministrator' };

export type StaffState = ReadonlyMap<StaffRole, { by: string; at: string }>;

function decide(command: StaffCommand, roles: StaffState): Decision<StaffEvent, StaffRejection> {
  switch (command.type) {
    case 'GrantStaffRole': {
      const { type: _, now: at, ...data } = command;
      return roles.has(data.role) ? accept() : accept({ type: 'StaffRoleGranted', data: { ...data, at } });
    }
    case 'RevokeStaffRole': {
      const { type: _, now: at, otherAdministrators, ...data } = command;
      if (!roles.has(data.role)) return accept();
      if (data.role === 'admin' && otherAdministrators === 0) return reject({ code: 'LastAdministrator' });
      return accept<StaffEvent>({ type: 'StaffRoleRevoked', data: { ...data, at } });
    }
    case 'BreakGlass': {
      const { type: _, now: at, ...broken } = command;
      if (roles.has(command.role)) return accept();
      const { userId, role, by } = command;
      return accept<StaffEvent>(
        { type: 'GlassBroken', data: { ...broken, at } },
        { type: 'StaffRoleGranted', data: { userId, role, by, at } },
      );
    }
    default:
      return unreachable(command);
  }
}

/** Stream `staff-{userId}`: a user's staff roles. */
export const staffDecider: Decider<StaffCommand, StaffState, StaffEvent, StaffRejection> = {
  streamOf: (userId) => `staff-${userId}`,
  initialState: new Map(),
  decide,
  evolve: evolveBy<StaffState, StaffEvent>({
    StaffRoleGranted: (roles, { role, by, at }) => new Map([...roles, [role, { by, at }]]),
    StaffRoleRevoked: (roles, data) => new Map([...roles].filter(([role]) => role !== data.role)),
    GlassBroken: (roles) => roles,
  }),
};

interface AdministratorRevoked {
  type: 'AdministratorRevoked';
  data: { userId: string; by: string; at: string };
}

/** Stream `administrators`: makes concurrent revocations conflict, so that the last two cannot revoke each other. */
export const administratorsDecider: Decider<
  { userId: string; by: string; now: string },
  undefined,
  AdministratorRevoked,
  never,
  void
> = {
  streamOf: () => 'administrators',
  initialState: undefined,
  decide: ({ now: at, ...data }) => accept({ type: 'AdministratorRevoked', data: { ...data, at } }),
  evolve: () => undefined,
};
