/** Raw SQL: one statement reserves any number of recordings. */
import { PackSlugs, PublishedRecordings, type RecordingOnSale } from '../../application/publishing/packs.js';
import { slugCandidate, slugFrom } from '../../domain/publishing/slug.js';
import { DatabaseAdapter } from '../platform/database/database.js';
import { SamplePlaceQueries, type SamplePlace } from '../../application/publishing/queries.js';

const CANDIDATES_LIMIT = 10_000;

export class PostgresPackSlugs extends DatabaseAdapter implements PackSlugs {
  async claim(creatorId: string, packId: string, name: string): Promise<string> {
    const slug = slugFrom(name);
    for (let attempt = 1; attempt <= CANDIDATES_LIMIT; attempt++) {
      const candidate = slugCandidate(slug, attempt);
      const owner = await this.database.db
        .insertInto('pack_slug')
        .values({ creator_id: creatorId, slug: candidate, pack_id: packId })
        .onConflict((conflict) =>
          conflict
            .columns(['creator_id', 'slug'])
            .doUpdateSet(({ ref }) => ({ pack_id: ref('pack_slug.pack_id') })),
        )
        .returning('pack_id')
        .executeTakeFirst();
      if (owner?.pack_id === packId) return candidate;
    }
    throw new Error(`No address is left for a pack named ${name}`);
  }
}

export class PostgresSamplePlaceQueries extends DatabaseAdapter implements SamplePlaceQueries {
  placeOf(sampleId: string): Promise<SamplePlace | undefined> {
    return this.database.db
      .selectFrom('sample')
      .select(['pack_id as packId', 'creator_id as creatorId'])
      .where('sample_id', '=', sampleId)
      .executeTakeFirst();
  }

  async creatorOf(packId: string): Promise<string | undefined> {
    const pack = await this.database.db
      .selectFrom('pack')
      .select('creator_id')
      .where('pack_id', '=', packId)
      .executeTakeFirst();
    return pack?.creator_id;
  }
}

/** A recording is reserved for one creator this long. Storing the creator's publication takes less time. */
const TAKEN_FOR = `interval '1 minute'`;

const TAKE = `
  insert into recording_claim (sha256, creator_id, taken_at)
  select distinct sha256, $1, now() from unnest($2::text[]) as w(sha256) order by sha256
  on conflict (sha256) do update set creator_id = excluded.creator_id, taken_at = excluded.taken_at
   where recording_claim.creator_id = excluded.creator_id or recording_claim.taken_at < now() - ${TAKEN_FOR}
  returning sha256`;

/** SQL for recordings that another creator published before $1. Ignores removed, refused and taken down samples. */
const PUBLISHED_BEFORE = `
  select w.sha256 from unnest($2::text[]) as w(sha256)
   where exists (
     select 1 from sample s join pack p using (pack_id)
      where s.original_sha256 = w.sha256 and s.creator_id <> $1 and not s.removed
        and s.standing in ('free', 'held')
        and p.published_at is not null and p.status in ('published', 'unpublished')
        and not exists (
          select 1 from sample m join pack q using (pack_id)
           where m.original_sha256 = w.sha256 and m.creator_id = $1 and not m.removed
             and q.status in ('published', 'unpublished') and q.published_at <= p.published_at))`;

/** SQL for samples whose recording is withheld or was taken down in any sample of the creator. */
const WITHHELD = `
  with withheld as (
    select original_sha256 as sha256 from sample where creator_id = $1 and taken_down
    union
    select split_part(c.key, ' ', 2) from sample s cross join lateral jsonb_each(s.claims) as c(key, claim)
     where s.creator_id = $1 and s.claims <> '{}' and c.claim->>'standing' in ('held', 'refused', 'taken_down')
  )
  select w.sample_id as "sampleId" from unnest($2::text[], $3::text[]) as w(sample_id, sha256) join withheld using (sha256)`;

export class PostgresPublishedRecordings extends DatabaseAdapter implements PublishedRecordings {
  async withheld(creatorId: string, samples: readonly RecordingOnSale[]): Promise<Set<string>> {
    const { rows } = await this.database.pool.query<{ sampleId: string }>(WITHHELD, [
      creatorId,
      samples.map(({ sampleId }) => sampleId),
      samples.map(({ sha256 }) => sha256),
    ]);
    return new Set(rows.map(({ sampleId }) => sampleId));
  }

  async take(creatorId: string, samples: readonly RecordingOnSale[]): Promise<Set<string>> {
    const { db, pool } = this.database;
    const wanted = [creatorId, samples.map(({ sha256 }) => sha256)];
    const taken = await pool.query<{ sha256: string }>(TAKE, wanted);
    // Reads after the reservation, because any creator who reserved earlier has recorded the publication by now.
    const before = await pool.query<{ sha256: string }>(PUBLISHED_BEFORE, wanted);
    const free = new Set(taken.rows.map(({ sha256 }) => sha256));
    for (const { sha256 } of before.rows) free.delete(sha256);
    const refused = samples.filter(({ sha256 }) => !free.has(sha256));
    if (refused.length > 0)
      await db
        .deleteFrom('recording_claim')
        .where('creator_id', '=', creatorId)
        .where(({ eb, fn, val }) => eb('sha256', '=', fn.any(val(samples.map(({ sha256 }) => sha256)))))
        .execute();
    return new Set(refused.map(({ sampleId }) => sampleId));
  }
}
