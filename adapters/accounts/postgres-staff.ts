import type { NotNull } from 'kysely';
import type { StaffEvent, StaffRole } from '../../domain/accounts/staff.js';
import { byType } from '../../domain/shared/by-type.js';
import {
  StaffQueries,
  PeopleQueries,
  type StaffMember,
} from '../../application/accounts/staff/staff-queries.js';
import { DatabaseAdapter, type Queries } from '../platform/database/database.js';
import { notifyChange } from '../platform/http/session/session-changes.js';
import { oneByOne } from '../platform/projections/one-by-one.js';
import type { InlineProjection } from '../platform/projections/projection.js';
import type { NamesAnswer, PeopleAnswer, Person } from '../../application/accounts/contract.js';

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

export const staffRoles: InlineProjection<RoleEvent> = {
  name: 'staff-roles',
  version: 1,
  // A revoked role must have no effect from the next request on.
  lifecycle: 'inline',
  types: rows.types,
  tables: ['staff_role'],
  ...oneByOne<RoleEvent>(async (event, db) => {
    await db.selectNoFrom(notifyChange(event.data.userId)).execute();
    await rows.of(event, db);
  }),
};

export class PostgresStaffQueries extends DatabaseAdapter implements StaffQueries {
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

export class PostgresPeopleQueries extends DatabaseAdapter implements PeopleQueries {
  /** Raw SQL: sorts by how closely a user matches. */
  async people(text: string): Promise<PeopleAnswer> {
    const { rows } = await this.database.pool.query(
      `select user_id as id, display_name as "displayName", email, handle
         from user_account left join creator_profile using (user_id),
              lateral (select lower(email) as mail, lower(display_name) as name, lower(coalesce(handle, '')) as called) as low
        where erased_at is null
          and (user_id = $1 or starts_with(mail, lower($1)) or strpos(name, lower($1)) > 0 or strpos(called, lower($1)) > 0)
        order by lower($1) in (lower(user_id), mail, name, called) desc, starts_with(mail, lower($1)) desc,
                 starts_with(name, lower($1)) desc, name, user_id
        limit 10`,
      [text],
    );
    return { items: rows as Person[] };
  }

  async names(ids: readonly string[]): Promise<NamesAnswer> {
    const items = await this.database.db
      .selectFrom('user_account')
      .select('user_id as id')
      .select(({ eb, ref }) =>
        eb
          .case()
          .when('erased_at', 'is', null)
          .then(ref('display_name'))
          .else('Former member')
          .end()
          .as('name'),
      )
      .where('user_id', 'in', ids)
      .execute();
    return { items };
  }

  async exists(userId: string): Promise<boolean> {
    const found = await this.database.db
      .selectFrom('user_account')
      .select('user_id')
      .where('user_id', '=', userId)
      .where('erased_at', 'is', null)
      .executeTakeFirst();
    return found !== undefined;
  }
}
