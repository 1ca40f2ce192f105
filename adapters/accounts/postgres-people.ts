import { Injectable } from '@nestjs/common';
import type { NamesAnswer, PeopleAnswer, Person } from '../../application/accounts/contract.js';
import { PeopleQueries } from '../../application/accounts/staff/people-queries.js';
import { Database } from '../platform/database/database.js';

@Injectable()
export class PostgresPeopleQueries implements PeopleQueries {
  constructor(private readonly database: Database) {}

  /** Raw SQL: it ranks by the kind of match. */
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
