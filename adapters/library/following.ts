/** Raw SQL: PostgreSQL builds the JSON of packs and creators, and matches packs with sets of tags. */
import { Injectable } from '@nestjs/common';
import type { FeedPage, Following as Followed } from '../../application/library/contract.js';
import { FollowerCounts } from '../../application/library/follower-notices.js';
import { type Released, ReleasedPacks } from '../../application/library/release-notices.js';
import { FOLLOWED_LIMIT } from '../../application/library/values.js';
import { Clock } from '../../application/shared/clock.js';
import { foldHandle } from '../../domain/profiles/handle.js';
import { lockAccount } from '../platform/database/conflicts.js';
import { decodeCursor, pageOf } from '../platform/database/cursor.js';
import { Database } from '../platform/database/database.js';
import { CREATOR_JOINS, CREATOR_REF, hasTag, PACK_CARD } from '../platform/database/json-shapes.js';

/** The feed omits older packs. This also limits how many packs a query examines. */
const FEED_AGE = '1 year';

@Injectable()
export class Following implements FollowerCounts, ReleasedPacks {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  async of(userId: string): Promise<Followed> {
    const { rows } = await this.database.pool.query<{
      creator: Followed['creators'][number] | null;
      tag: string;
    }>(
      `select case when f.kind = 'creator' then ${CREATOR_REF} end as creator, f.subject as tag
         from follow f left join (select user_id as creator_id from user_account where erased_at is null) as p
           on f.kind = 'creator' and p.creator_id = f.subject ${CREATOR_JOINS}
        where f.user_id = $1 and (f.kind = 'tag' or p.creator_id is not null)
        order by f.created_at desc, f.subject`,
      [userId],
    );
    return {
      creators: rows.flatMap(({ creator }) => creator ?? []),
      tags: rows.flatMap(({ creator, tag }) => (creator ? [] : [tag])),
    };
  }

  newFollowers(from: Date, to: Date): Promise<{ creatorId: string; followers: number }[]> {
    return this.database.db
      .selectFrom('follow')
      .select(({ fn }) => ['subject as creatorId', fn.countAll<number>().as('followers')])
      .where('kind', '=', 'creator')
      .where('created_at', '>=', from)
      .where('created_at', '<', to)
      .groupBy('subject')
      .execute();
  }

  released(packId: string): Promise<Released | undefined> {
    return this.database.db
      .selectFrom('pack as p')
      .innerJoin('user_account as u', 'u.user_id', 'p.creator_id')
      .leftJoin('creator_profile as c', 'c.user_id', 'p.creator_id')
      .select(['p.title', 'p.slug', 'p.creator_id as creatorId', 'u.display_name as creatorName'])
      .select(({ fn }) => fn.coalesce('c.handle', 'p.creator_id').as('handle'))
      .where('p.pack_id', '=', packId)
      .where('p.status', '=', 'published')
      .executeTakeFirst();
  }

  /** @param handle current or former @returns undefined for an unknown handle or an erased account */
  async creatorOf(handle: string): Promise<string | undefined> {
    const row = await this.database.db
      .selectFrom('handle_history as h')
      .innerJoin('user_account as u', 'u.user_id', 'h.user_id')
      .select('h.user_id as userId')
      .where('h.handle_lower', '=', foldHandle(handle))
      .where('u.erased_at', 'is', null)
      .executeTakeFirst();
    return row?.userId;
  }

  /** @returns false if the user already follows `FOLLOWED_LIMIT` other creators and tags */
  async follow(userId: string, kind: 'creator' | 'tag', subject: string): Promise<boolean> {
    return this.database.transaction(async (_, db) => {
      // Concurrent requests of a user could otherwise exceed the limit together.
      await lockAccount(db, userId);
      const others = await db
        .selectFrom('follow')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where('user_id', '=', userId)
        .where(({ eb, or }) => or([eb('kind', '!=', kind), eb('subject', '!=', subject)]))
        .executeTakeFirstOrThrow();
      if (others.count >= FOLLOWED_LIMIT) return false;
      await db
        .insertInto('follow')
        .values({ user_id: userId, kind, subject, created_at: this.clock.now() })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
      return true;
    });
  }

  async leave(userId: string, kind: 'creator' | 'tag', subject: string): Promise<void> {
    await this.database.db
      .deleteFrom('follow')
      .where('user_id', '=', userId)
      .where('kind', '=', kind)
      .where('subject', '=', subject)
      .execute();
  }

  async feed(userId: string, { limit, cursor }: { limit: number; cursor?: string }): Promise<FeedPage> {
    const [at, packId] = decodeCursor(cursor, ['time', 'text']) ?? [null, null];
    const { rows } = await this.database.pool.query<{
      card: FeedPage['items'][number]['pack'];
      reasons: string[];
      published_at: Date;
      pack_id: string;
    }>(
      `with followed as materialized (select kind, subject from follow where user_id = $1)
       select ${PACK_CARD} as card, reasons.of_pack as reasons, p.published_at, p.pack_id
         from pack p ${CREATOR_JOINS}
        cross join lateral (
          select array_agg(case f.kind when 'creator' then ua.display_name else f.subject end order by f.kind, f.subject) as of_pack
            from followed f
           where (f.kind = 'creator' and f.subject = p.creator_id)
              or (f.kind = 'tag' and ${hasTag('f.subject')})
        ) as reasons
        where p.listed and p.published_at > $2::timestamptz - interval '${FEED_AGE}' and p.creator_id <> $1
          and reasons.of_pack is not null
          and ($3::timestamptz is null or (p.published_at, p.pack_id) < ($3::timestamptz, $4::text))
        order by p.published_at desc, p.pack_id desc limit $5`,
      [userId, this.clock.now(), at, packId, limit + 1],
    );
    const { shown, nextCursor } = pageOf(rows, limit, (last) => [
      last.published_at.toISOString(),
      last.pack_id,
    ]);
    return { items: shown.map(({ card, reasons }) => ({ pack: card, reasons })), nextCursor };
  }
}
