import type { StaffEvent, StaffRole } from '../../domain/accounts/staff.js';
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

export interface StaffMember {
  userId: string;
  email: string;
  displayName: string;
  role: StaffRole;
  grantedBy: string;
  grantedAt: Date;
}

/** Everybody with a role, by address. */
export async function listStaff(database: Database): Promise<StaffMember[]> {
  const { rows } = await database.pool.query<StaffMember>(
    `select s.user_id as "userId", u.email, u.display_name as "displayName", s.role,
            s.granted_by as "grantedBy", s.granted_at as "grantedAt"
       from staff_role s join user_account u using (user_id)
      where u.erased_at is null order by lower(u.email), s.role`,
  );
  return rows;
}
