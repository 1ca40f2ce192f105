/** Raw SQL: compares the sounds of an application with the catalogue, and computes the median time until a decision. */
import type { ApplicationSound, ApprovalTime } from '../../application/publishing/contract.js';
import {
  ApplicationPacks,
  type ApplicationPack,
} from '../../application/publishing/creators/application-packs.js';
import { DatabaseAdapter } from '../platform/database/database.js';

export class PostgresApplicationPacks extends DatabaseAdapter implements ApplicationPacks {
  async find(userId: string): Promise<string | undefined> {
    const found = await this.database.db
      .selectFrom('application_pack as a')
      .innerJoin('pack as p', 'p.pack_id', 'a.pack_id')
      .select('a.pack_id as packId')
      .where('a.user_id', '=', userId)
      .where('p.status', '<>', 'deleted')
      .executeTakeFirst();
    return found?.packId;
  }

  async keep({ userId, packId }: ApplicationPack, at: Date): Promise<string> {
    const { rows } = await this.database.pool.query<{ packId: string }>(
      `insert into application_pack as a (user_id, pack_id, created_at) values ($1, $2, $3)
       on conflict (user_id) do update
          set pack_id = case when exists (select 1 from pack p where p.pack_id = a.pack_id and p.status <> 'deleted')
                             then a.pack_id else excluded.pack_id end
       returning pack_id as "packId"`,
      [userId, packId, at],
    );
    return rows[0]?.packId ?? packId;
  }

  async sounds(userId: string): Promise<ApplicationSound[]> {
    const { rows } = await this.database.pool.query<ApplicationSound>(
      `select s.sample_id as id, s.title as name, s.duration_ms as "durationMs", '/' || s.preview_key as "previewUrl"
         from application_pack a join sample s on s.pack_id = a.pack_id
        where a.user_id = $1 and not s.removed order by s.ordinal, s.sample_id`,
      [userId],
    );
    return rows;
  }

  async outlived(before: Date, limit: number): Promise<ApplicationPack[]> {
    const { rows } = await this.database.pool.query<ApplicationPack>(
      `select a.user_id as "userId", a.pack_id as "packId"
         from application_pack a
         left join user_account u on u.user_id = a.user_id and u.erased_at is null
         left join creator_standing c on c.user_id = a.user_id
        where u.user_id is null
           or coalesce(c.status, 'none') in ('none', 'declined') and greatest(a.created_at, c.updated_at) < $1
        order by a.created_at limit $2`,
      [before, limit],
    );
    return rows;
  }

  async forget(packId: string): Promise<void> {
    await this.database.db.deleteFrom('application_pack').where('pack_id', '=', packId).execute();
  }
}

/** The median covers this many of the newest decisions. */
const NEWEST = 20;

export class ApprovalTimes extends DatabaseAdapter {
  /** Returns the median time from an application to the decision of a person, over the newest decisions. */
  async median(): Promise<ApprovalTime> {
    const { rows } = await this.database.pool.query<ApprovalTime>(
      `with decided as (
         select stream, version, (data->>'at')::timestamptz as at from readable_event
          where type in ('CreatorApproved', 'CreatorDeclined') and data->>'by' not like 'system:%'
          order by position desc limit ${NEWEST}),
       waited as (
         select extract(epoch from d.at - (
                  select min((a.data->>'at')::timestamptz) from readable_event a
                   where a.stream = d.stream and a.version < d.version and a.type = 'CreatorApplied'
                     and a.version > coalesce((
                       select max(e.version) from readable_event e
                        where e.stream = d.stream and e.version < d.version
                          and e.type in ('CreatorApproved', 'CreatorDeclined', 'ApplicationWithdrawn')), 0))) as seconds
           from decided d)
       select (percentile_cont(0.5) within group (order by seconds) / 3600)::float8 as hours,
              count(seconds)::int as decisions
         from waited`,
    );
    return rows[0] ?? { hours: null, decisions: 0 };
  }
}
