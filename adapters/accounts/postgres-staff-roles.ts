import type { NotNull } from 'kysely';
import type { StaffEvent } from '../../domain/accounts/staff.js';
import type { Database } from '../platform/database/database.js';
import type { InlineProjection } from '../platform/projections/projection.js';

/** Who may do what for the house. */
export const staffRoles: InlineProjection<StaffEvent> = {
  name: 'staff-roles',
  version: 1,
  // A role that was revoked is gone with the very next request.
  lifecycle: 'inline',
  types: ['StaffRoleGranted', 'StaffRoleRevoked'],
  tables: ['staff_role'],
  async apply(client, events) {
    for (const { type, data } of events) {
      if (type === 'StaffRoleRevoked')
        await client.query('delete from staff_role where user_id = $1 and role = $2', [
          data.userId,
          data.role,
        ]);
      else
        await client.query(
          `insert into staff_role (user_id, role, granted_by, granted_at) values ($1, $2, $3, $4)
           on conflict (user_id, role) do update
             set granted_by = excluded.granted_by, granted_at = excluded.granted_at`,
          [data.userId, data.role, data.by, data.at],
        );
    }
  },
};

/** Everybody with a role, by address. */
export const listStaff = ({ db }: Database) =>
  db
    .selectFrom('staff_role as s')
    .innerJoin('user_account as u', 'u.user_id', 's.user_id')
    .select(['s.user_id as userId', 'u.email', 'u.display_name as displayName', 's.role'])
    .select(['s.granted_by as grantedBy', 's.granted_at as grantedAt'])
    .where('u.erased_at', 'is', null)
    .$narrowType<{ email: NotNull }>()
    .orderBy(({ fn }) => fn<string>('lower', ['u.email']))
    .orderBy('s.role')
    .execute();
