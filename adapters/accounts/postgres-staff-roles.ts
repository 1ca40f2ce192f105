import { Injectable } from '@nestjs/common';
import type { NotNull } from 'kysely';
import { StaffQueries, type StaffMember } from '../../application/accounts/staff/staff-queries.js';
import type { StaffEvent, StaffRole } from '../../domain/accounts/staff.js';
import { byType } from '../../domain/shared/by-type.js';
import { Database, queries, type Queries } from '../platform/database/database.js';
import { notifyChange } from '../platform/http/session/session-changes.js';
import type { InlineProjection } from '../platform/projections/projection.js';

type RoleEvent = Exclude<StaffEvent, { type: 'GlassBroken' }>;

const rows = byType<RoleEvent, [db: Queries], Promise<unknown>>({
  StaffRoleGranted({ data: { userId, role, by, at } }, db) {
    const granted = { granted_by: by, granted_at: at };
    return db
      .insertInto('staff_role')
      .values({ user_id: userId, role, ...granted })
      .onConflict((conflict) => conflict.columns(['user_id', 'role']).doUpdateSet(granted))
      .execute();
  },
  StaffRoleRevoked: ({ data: { userId, role } }, db) =>
    db.deleteFrom('staff_role').where('user_id', '=', userId).where('role', '=', role).execute(),
});

/** The roles of the staff. */
export const staffRoles: InlineProjection<RoleEvent> = {
  name: 'staff-roles',
  version: 1,
  // A revoked role must not work in the next request.
  lifecycle: 'inline',
  types: rows.types,
  tables: ['staff_role'],
  async apply(client, events) {
    const db = queries(client);
    for (const event of events) {
      await db.selectNoFrom(notifyChange(event.data.userId)).execute();
      await rows.of(event, db);
    }
  },
};

@Injectable()
export class PostgresStaffQueries implements StaffQueries {
  constructor(private readonly database: Database) {}

  members(): Promise<StaffMember[]> {
    return this.database.db
      .selectFrom('staff_role as s')
      .innerJoin('user_account as u', 'u.user_id', 's.user_id')
      .select(['s.user_id as userId', 'u.email', 'u.display_name as displayName', 's.role'])
      .select(['s.granted_by as grantedBy', 's.granted_at as grantedAt'])
      .select(({ exists, or, selectFrom }) =>
        or([
          exists(selectFrom('passkey as p').select('p.user_id').whereRef('p.user_id', '=', 's.user_id')),
          exists(
            selectFrom('authenticator_app as a')
              .select('a.user_id')
              .whereRef('a.user_id', '=', 's.user_id')
              .where('a.confirmed', '=', true),
          ),
        ]).as('hasSecondFactor'),
      )
      .where('u.erased_at', 'is', null)
      .$narrowType<{ email: NotNull; role: StaffRole; hasSecondFactor: boolean }>()
      .orderBy(({ fn }) => fn<string>('lower', ['u.email']))
      .orderBy('s.role')
      .execute();
  }
}
