import { Inject, Injectable } from '@nestjs/common';
import { MediaUses, type MediaCaller, type MediaUse } from '../../application/media/uses.js';
import { Batcher } from '../../application/shared/batcher.js';
import { CATALOGUE_DATABASE, Database, prepared } from '../platform/database/database.js';
import { APPLICATION_PACKS } from '../platform/database/json-shapes.js';
import { isLostConnection } from '../platform/database/lost-connection.js';

/** SQL condition: the creator of `pack p` shows it before its release, on its page or by a secret link. */
const SHOWN = `(p.status in ('draft', 'unpublished')
  and (p.release_at is not null or exists (select 1 from pack_preview v where v.pack_id = p.pack_id)))`;

/**
 * Separate subqueries, so that PostgreSQL uses the indexes of `sample.preview_key` and
 * `pack.cover_key`. Concurrent requests share one query.
 */
const openStatement = (keys: readonly string[]) =>
  prepared(
    'open-media',
    `
  select coalesce(
           (select case when bool_or(s.available) then 'everybody'
                        when bool_or(s.standing = 'free' and not s.removed
                               and exists (select 1 from pack p where p.pack_id = s.pack_id and ${SHOWN})) then 'shown'
                        when bool_or(s.taken_down) then 'taken down' end
              from sample s where s.preview_key = k.key),
           (select case when bool_or(p.status = 'published') then 'everybody'
                        when bool_or(${SHOWN}) then 'shown'
                        when bool_or(p.status = 'taken_down') then 'taken down' end
              from pack p where p.cover_key = k.key),
           'nobody') as access,
         coalesce(
           (select bool_and(coalesce(a.trains, false)) from sample s left join ai_preference a on a.user_id = s.creator_id
             where s.preview_key = k.key and s.available),
           (select bool_and(coalesce(a.trains, false)) from pack p left join ai_preference a on a.user_id = p.creator_id
             where p.cover_key = k.key and p.status = 'published'),
           false) as trains
    from unnest($1::text[]) with ordinality as k(key, place) order by k.place`,
    [keys],
  );

/** SQL condition: an administrator must decide whether this sample is a copy, or was copied. */
const isSuspected = (sample: string) =>
  `exists (select 1 from suspected_copy c where c.status = 'open' and (c.sample_id = ${sample} or c.like_sample_id = ${sample}))`;

const ownStatement = (key: string, { userId, decides }: MediaCaller) =>
  prepared(
    'own-media',
    `
  select 1 from sample s
   where s.preview_key = $1 and not s.taken_down
     and (s.creator_id = $2 or ($3 and (s.standing <> 'free' or ${isSuspected('s.sample_id')}
       or exists (select from ${APPLICATION_PACKS} a where a.pack_id = s.pack_id and not s.removed))) or exists (
       select 1 from owned_sample o where o.buyer_id = $2 and o.sample_id = s.sample_id and o.returned_at is null))
  union all
  select 1 from pack p
   where p.cover_key = $1 and p.status <> 'taken_down'
     and (p.creator_id = $2 or ($3 and exists (
       select 1 from sample s where s.pack_id = p.pack_id and ${isSuspected('s.sample_id')})) or exists (
       select 1 from owned_sample o where o.buyer_id = $2 and o.pack_id = p.pack_id and o.returned_at is null))
   limit 1`,
    [key, userId, decides],
  );

/** Queries the catalogue, which may be a replica. Asks the primary before it denies access, because a replica lags. */
@Injectable()
export class PostgresMediaUses implements MediaUses {
  private readonly open = new Batcher<string, MediaUse>({
    run: (keys) => openTo(this.catalogue, keys),
    isOutage: isLostConnection,
  });

  constructor(
    @Inject(CATALOGUE_DATABASE) private readonly catalogue: Database,
    private readonly primary: Database,
  ) {}

  async of(key: string, caller: MediaCaller | undefined): Promise<MediaUse> {
    const open = await this.open.submit(key);
    if (open.access === 'everybody' || open.access === 'shown') return open;
    if (caller && (await this.isOwn(key, caller))) return { access: 'caller', trains: false };
    if (this.catalogue === this.primary) return open;
    const [now = open] = await openTo(this.primary, [key]);
    return now;
  }

  async keysOf(packId: string, sampleId?: string): Promise<string[]> {
    const { db } = this.primary;
    const previews = await db
      .selectFrom('sample')
      .select('preview_key')
      .distinct()
      .where('pack_id', '=', packId)
      .$if(sampleId !== undefined, (samples) => samples.where('sample_id', '=', sampleId as string))
      .execute();
    const keys = previews.map(({ preview_key: key }) => key);
    if (sampleId !== undefined) return keys;
    const pack = await db
      .selectFrom('pack')
      .select('cover_key')
      .where('pack_id', '=', packId)
      .executeTakeFirst();
    return pack?.cover_key ? [pack.cover_key, ...keys] : keys;
  }

  private async isOwn(key: string, caller: MediaCaller): Promise<boolean> {
    const found = await this.primary.pool.query(ownStatement(key, caller));
    return found.rowCount === 1;
  }
}

async function openTo(database: Database, keys: readonly string[]): Promise<MediaUse[]> {
  const { rows } = await database.pool.query<MediaUse>(openStatement(keys));
  return rows.map(({ access, trains }) => ({ access, trains }));
}
