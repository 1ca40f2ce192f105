/** Raw SQL: PostgreSQL builds the JSON, so that one statement reads a pack with all its samples. */
import type { NotNull } from 'kysely';
import type { OwnPack, OwnPackCard, OwnSample } from '../../application/publishing/contract.js';
import {
  OwnPackQueries,
  type DueRelease,
  type MirroredPack,
  type PackPlace,
  type DuplicateSample,
} from '../../application/publishing/queries.js';
import { newSecret } from '../../application/accounts/sessions/sessions.js';
import { decodeCursor, pageOf } from '../platform/database/cursor.js';
import { DatabaseAdapter } from '../platform/database/database.js';
import { PACK_DOCUMENT, PACK_DOCUMENT_SOURCE } from './postgres-pack-document.js';
import { isoTime, likeLiteral } from '../platform/database/json-shapes.js';

const downloadsOf = (kind: string, id: string): string =>
  `coalesce((select downloads from download_count where kind = '${kind}' and id = ${id}), 0)`;

/** SQL for the number of samples in a pack, including samples that are not on sale. */
const SAMPLES_IN = `(select count(*)::int from sample s where s.pack_id = p.pack_id and not s.removed)`;

/** SQL for the JSON of `OwnPackCard` from `pack p`. Requires the join `HANDLE`. */
const OWN_PACK = `json_build_object(
  'id', p.pack_id, 'title', p.title, 'slug', p.slug, 'creatorHandle', coalesce(cp.handle, p.creator_id),
  'genre', p.genre, 'mood', p.mood, 'description', p.description, 'status', p.status,
  'takedownReason', p.takedown_reason, 'artworkUrl', '/' || p.cover_key, 'hasOwnCover', p.has_own_cover, 'defaultCreditCost', p.default_cost_credits, 'priceCredits', p.price_credits,
  'sampleCount', ${SAMPLES_IN}, 'downloads', ${downloadsOf('pack', 'p.pack_id')}, 'createdAt', ${isoTime('p.created_at')},
  'publishedAt', ${isoTime('p.published_at')}, 'releaseAt', ${isoTime('p.release_at')}, 'version', p.version)`;

/** SQL for the remark of the strictest claim. Null if the claim has no remark, or if the remark was erased. */
const STATUS_REASON = `(
  select r.text from jsonb_each(s.claims) as c(key, claim) join remark r on r.remark_id = c.claim->>'remarkId'
   where c.key like '% ' || s.original_sha256 and c.claim->>'standing' = s.standing order by r.said_at desc limit 1)`;

/** SQL for the number of plays of a sample on the days that `sample_reach` still contains. */
const PLAYS = `coalesce((select sum(plays)::int from sample_reach r where r.sample_id = s.sample_id), 0)`;

const OWN_SAMPLE = `json_build_object(
  'id', s.sample_id, 'ordinal', s.ordinal, 'name', s.title, 'filename', s.original_filename, 'format', s.format,
  'sampleRateHz', s.sample_rate_hz, 'bitDepth', s.bit_depth, 'sizeBytes', s.original_bytes, 'sha256', s.original_sha256,
  'durationMs', s.duration_ms, 'bpm', s.bpm, 'key', s.key, 'instruments', s.instruments, 'creditCost', s.price_credits,
  'isRoyaltyFree', s.is_royalty_free, 'kind', s.kind, 'origin', s.origin, 'hasStems', s.has_stems, 'hasMidi', s.has_midi, 'previewUrl', '/' || s.preview_key,
  'previewStartMs', coalesce(s.preview_start_ms, 0), 'waveform', s.waveform, 'loudnessLufs', s.loudness_lufs, 'suggestions', s.suggestions,
  'downloads', ${downloadsOf('sample', 's.sample_id')}, 'plays', ${PLAYS}, 'status', s.standing, 'statusReason', ${STATUS_REASON},
  'saved', exists (select 1 from saved_item where user_id = s.creator_id and item_id = s.sample_id))`;

const HANDLE = 'left join creator_profile cp on cp.user_id = p.creator_id';
const OWN_SAMPLES = `coalesce((select json_agg(${OWN_SAMPLE} order by s.ordinal, s.sample_id)
                                 from sample s where s.pack_id = p.pack_id and not s.removed), '[]')`;

export class PostgresOwnPackQueries extends DatabaseAdapter implements OwnPackQueries {
  async list(creatorId: string, { limit, cursor }: { limit: number; cursor?: string }) {
    const [createdAt, packId] = decodeCursor(cursor, ['integer', 'text']) ?? [null, null];
    const { rows } = await this.database.pool.query<{
      card: OwnPackCard;
      created_at: Date;
      pack_id: string;
      total: number;
    }>(
      `select ${OWN_PACK} as card, p.created_at, p.pack_id,
              (select count(*)::int from pack where creator_id = $1 and status <> 'deleted') as total
         from pack p ${HANDLE} where p.creator_id = $1 and p.status <> 'deleted'
          and ($2::timestamptz is null or p.created_at < $2 or (p.created_at = $2 and p.pack_id > $3::text))
        order by p.created_at desc, p.pack_id limit $4`,
      [creatorId, createdAt === null ? null : new Date(createdAt), packId, limit + 1],
    );
    const { shown, nextCursor } = pageOf(rows, limit, (last) => [last.created_at.getTime(), last.pack_id]);
    return { items: shown.map((row) => row.card), nextCursor, total: rows[0]?.total ?? 0 };
  }

  async find(creatorId: string, idOrSlug: string): Promise<OwnPack | undefined> {
    const { rows } = await this.database.pool.query<{ card: OwnPackCard; samples: OwnSample[] }>(
      `select ${OWN_PACK} as card, ${OWN_SAMPLES} as samples from pack p ${HANDLE}
        where p.creator_id = $1 and p.status <> 'deleted' and (p.pack_id = $2 or p.slug = $2)
        order by p.pack_id = $2 desc limit 1`,
      [creatorId, idOrSlug],
    );
    return rows[0] && { ...rows[0].card, samples: rows[0].samples };
  }

  async findRenamed(creatorId: string, formerSlug: string): Promise<OwnPack | undefined> {
    const renamed = await this.database.db
      .selectFrom('pack_slug')
      .select('pack_id')
      .where('creator_id', '=', creatorId)
      .where('slug', '=', formerSlug)
      .executeTakeFirst();
    return renamed && this.find(creatorId, renamed.pack_id);
  }

  async sample(creatorId: string, packId: string, sampleId: string): Promise<OwnSample | undefined> {
    const { rows } = await this.database.pool.query<{ sample: OwnSample }>(
      `select ${OWN_SAMPLE} as sample from sample s
        where s.sample_id = $3 and s.pack_id = $2 and s.creator_id = $1 and not s.removed`,
      [creatorId, packId, sampleId],
    );
    return rows[0]?.sample;
  }

  findDuplicate(
    creatorId: string,
    { packId, sampleId, sha256 }: { packId: string; sampleId: string; sha256: string },
  ): Promise<DuplicateSample | undefined> {
    return this.database.db
      .selectFrom('sample as s')
      .innerJoin('pack as p', 'p.pack_id', 's.pack_id')
      .select(['s.sample_id as sampleId', 's.title as name', 'p.pack_id as packId', 'p.title as packTitle'])
      .where('s.creator_id', '=', creatorId)
      .where('s.original_sha256', '=', sha256)
      .where('s.sample_id', '<>', sampleId)
      .where('s.removed', '=', false)
      .where('p.status', '<>', 'deleted')
      .orderBy(({ eb }) => eb('s.pack_id', '=', packId), 'desc')
      .orderBy('s.created_at')
      .orderBy('s.sample_id')
      .limit(1)
      .executeTakeFirst();
  }

  place(creatorId: string, packId: string): Promise<PackPlace | undefined> {
    return this.database.db
      .selectFrom('pack as p')
      .leftJoin('creator_folder as f', 'f.user_id', 'p.creator_id')
      .select(['p.folder', 'p.genre', 'p.status', 'p.takedown_reason as takedownReason'])
      .select(({ selectFrom }) =>
        selectFrom('sample as s')
          .select(({ fn }) => fn.countAll<number>().as('samples'))
          .whereRef('s.pack_id', '=', 'p.pack_id')
          .where('s.removed', '=', false)
          .$asScalar()
          .$notNull()
          .as('sampleCount'),
      )
      .select(({ fn }) => fn.coalesce('f.folder', 'p.creator_id').as('creatorFolder'))
      .where('p.pack_id', '=', packId)
      .where('p.creator_id', '=', creatorId)
      .executeTakeFirst();
  }

  async isPreviewUsed(previewKey: string): Promise<boolean> {
    const used = await this.database.db
      .selectFrom('sample')
      .select('sample_id')
      .where('preview_key', '=', previewKey)
      .limit(1)
      .executeTakeFirst();
    return used !== undefined;
  }

  async isOriginalUsed(originalPath: string, packId: string): Promise<boolean> {
    const used = await this.database.db
      .selectFrom('sample')
      .select('sample_id')
      .where('pack_id', '=', packId)
      .where('original_key', 'like', `%/${likeLiteral(originalPath)}`)
      .limit(1)
      .executeTakeFirst();
    return used !== undefined;
  }

  async filesOfNobody(packId: string, sampleId: string): Promise<string[]> {
    const kept = await this.database.db
      .selectFrom('sample as s')
      .innerJoin('pack as p', 'p.pack_id', 's.pack_id')
      .leftJoin('creator_folder as f', 'f.user_id', 's.creator_id')
      .select(['s.original_key', 's.stems', 's.midi'])
      .select(({ fn }) => fn.coalesce('f.folder', 's.creator_id').as('folder'))
      .where('s.sample_id', '=', sampleId)
      .where('s.pack_id', '=', packId)
      .where('s.removed', '=', true)
      .where('p.status', '=', 'draft')
      .where(({ exists, not, selectFrom }) =>
        not(
          exists(
            selectFrom('owned_sample as o').select('o.sample_id').whereRef('o.sample_id', '=', 's.sample_id'),
          ),
        ),
      )
      .executeTakeFirst();
    if (!kept) return [];
    const beside = [kept.stems, kept.midi].flatMap((file) =>
      file ? `Users/${kept.folder}/${file.path}` : [],
    );
    return [kept.original_key, ...beside];
  }

  async creatorFolder(creatorId: string): Promise<string | undefined> {
    const own = await this.database.db
      .selectFrom('creator_folder')
      .select('folder')
      .where('user_id', '=', creatorId)
      .executeTakeFirst();
    return own?.folder;
  }

  async usedCovers(coverKeys: readonly string[]): Promise<Set<string>> {
    const rows = await this.covers()
      .distinct()
      .where(({ eb, fn, val }) => eb('cover_key', '=', fn.any(val(coverKeys))))
      .execute();
    return new Set(rows.map((row) => row.cover_key));
  }

  async ownCovers(creatorId: string): Promise<string[]> {
    const rows = await this.covers().where('creator_id', '=', creatorId).execute();
    return rows.map((row) => row.cover_key);
  }

  async previewLink(creatorId: string, packId: string): Promise<string | undefined> {
    const { rows } = await this.database.pool.query<{ token: string }>(
      `insert into pack_preview (pack_id, token)
       select pack_id, $3 from pack where pack_id = $2 and creator_id = $1 and status not in ('deleted', 'taken_down')
       on conflict (pack_id) do update set token = pack_preview.token returning token`,
      [creatorId, packId, newSecret()],
    );
    return rows[0]?.token;
  }

  async endPreviewLink(creatorId: string, packId: string): Promise<boolean> {
    const own = await this.place(creatorId, packId);
    if (own) await this.database.db.deleteFrom('pack_preview').where('pack_id', '=', packId).execute();
    return own !== undefined;
  }

  dueReleases(now: Date, limit: number): Promise<DueRelease[]> {
    return this.database.db
      .selectFrom('pack')
      .select(['pack_id as packId', 'creator_id as creatorId', 'title', 'slug'])
      .where('release_at', '<=', now)
      .orderBy('release_at')
      .limit(limit)
      .execute();
  }

  private covers() {
    return this.database.db
      .selectFrom('pack')
      .select('cover_key')
      .where('status', '<>', 'deleted')
      .where('cover_key', 'is not', null)
      .$narrowType<{ cover_key: NotNull }>();
  }

  async packIds(creatorId: string): Promise<string[]> {
    const rows = await this.database.db
      .selectFrom('pack')
      .select('pack_id')
      .where('creator_id', '=', creatorId)
      .where('status', '<>', 'deleted')
      .execute();
    return rows.map((row) => row.pack_id);
  }

  async mirrored(packId: string): Promise<MirroredPack | undefined> {
    const { rows } = await this.database.pool.query<MirroredPack>(
      `select p.position, coalesce(f.folder, p.creator_id) as "creatorFolder", p.folder, p.status = 'deleted' as deleted,
              ${PACK_DOCUMENT} as document
         from ${PACK_DOCUMENT_SOURCE}
        where p.pack_id = $1`,
      [packId],
    );
    return rows[0];
  }
}
