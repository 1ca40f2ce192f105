/** Raw SQL: joins sounds with samples and packs, and builds the JSON of pairs. */
import { sql } from 'kysely';
import {
  ALGORITHM,
  KnownSounds,
  type KnownSound,
  type LearntSound,
  type PresentSound,
  type SampleVersion,
  type SoundCounts,
} from '../../../application/publishing/sounds/known-sounds.js';
import type { SuspectedPair } from '../../../application/publishing/suspicions/suspect-copy.js';
import { mirrored, type Match } from '../../../domain/publishing/suspicion.js';
import { DatabaseAdapter } from '../../platform/database/database.js';

/** SQL condition for sounds that are present, bought, or taken down (to catch re-uploads). Requires `s` and `p`. */
const IS_THERE = `(
  s.taken_down or (not s.removed and p.status <> 'deleted')
  or exists (select 1 from owned_sample o where o.sample_id = s.sample_id and o.returned_at is null))`;
/** SQL condition for sounds that are or were on sale, or were taken down. Excludes held and refused ones. */
const isKnown = (s: string): string =>
  `(${s}.taken_down or (p.published_at is not null and p.status <> 'deleted' and not ${s}.removed and ${s}.standing = 'free'))`;
const SIDE = (s: string): string =>
  `json_build_object('sampleId', ${s}.sample_id, 'audioVersion', ${s}.audio_version, 'sha256', ${s}.original_sha256,
                     'packId', ${s}.pack_id, 'creatorId', ${s}.creator_id)`;

/** SQL for similar pairs. `sound` is the pack's sample. `isTurned`: the check had started from the other sound. */
const PAIRS_OF = `
  select a.likeness, ${SIDE('s')} as sound, ${SIDE('l')} as "like", a.is_turned as "isTurned"
    from sample s
    join lateral (
      select sample_id, audio_version, like_sample_id, like_audio_version, likeness, false as is_turned
        from alike_sounds where sample_id = s.sample_id
      union all
      select like_sample_id, like_audio_version, sample_id, audio_version, likeness, true
        from alike_sounds where like_sample_id = s.sample_id) as a on a.audio_version = s.audio_version
    join sample l on l.sample_id = a.like_sample_id and l.audio_version = a.like_audio_version
    join pack p on p.pack_id = l.pack_id
   where s.pack_id = $2 and s.creator_id = $1 and not s.removed and l.creator_id <> s.creator_id and ${isKnown('l')}
   order by s.ordinal, s.sample_id, l.sample_id`;

/** SQL condition: the current audio of a sample was not compared with all known sounds by the current algorithm. */
const UNCOMPARED = `f.sample_id is null or f.audio_version < s.audio_version or f.algorithm < ${ALGORITHM} or f.compared_at is null`;

export class PostgresKnownSounds extends DatabaseAdapter implements KnownSounds {
  async keep({ sampleId, audioVersion }: SampleVersion, fingerprint: Uint8Array | null): Promise<void> {
    const kept = {
      audio_version: audioVersion,
      algorithm: ALGORITHM,
      signs: fingerprint && Buffer.from(fingerprint),
    };
    await this.database.db
      .insertInto('sound_fingerprint')
      .values({ sample_id: sampleId, ...kept })
      .onConflict((conflict) =>
        conflict
          .column('sample_id')
          .doUpdateSet({
            ...kept,
            compared_at: null,
            sound_id: sql`nextval(pg_get_serial_sequence('sound_fingerprint', 'sound_id'))`,
          })
          .where(({ eb, or }) =>
            or([
              eb('sound_fingerprint.audio_version', '<', audioVersion),
              eb('sound_fingerprint.algorithm', '<', ALGORITHM),
            ]),
          ),
      )
      .execute();
  }

  async present(sampleId: string): Promise<PresentSound | undefined> {
    const { rows } = await this.database.pool.query<PresentSound & { isMade: boolean }>(
      `select s.sample_id as "sampleId", s.audio_version as "audioVersion", s.original_sha256 as sha256,
              s.pack_id as "packId", s.creator_id as "creatorId", s.original_key as "originalKey",
              s.preview_key as "previewKey", f.signs as fingerprint, f.sample_id is not null as "isMade"
         from sample s join pack p using (pack_id)
         left join sound_fingerprint f
           on f.sample_id = s.sample_id and f.audio_version = s.audio_version and f.algorithm = $2
        where s.sample_id = $1 and ${IS_THERE}`,
      [sampleId, ALGORITHM],
    );
    if (!rows[0]) return undefined;
    const { isMade, ...sound } = rows[0];
    return isMade ? sound : { ...sound, fingerprint: undefined };
  }

  async learn(after: number, known: readonly number[], limit: number): Promise<LearntSound[]> {
    const { rows } = await this.database.pool.query<LearntSound>(
      `select f.sound_id as "soundId", s.creator_id as "creatorId", f.signs as fingerprint
         from sound_fingerprint f join sample s using (sample_id)
        where f.sound_id > coalesce((select min(id) from unnest($2::bigint[]) as t(id)), $1)
          and f.sound_id <> all($2::bigint[]) and f.signs is not null and f.algorithm = $3
        order by f.sound_id limit $4`,
      [after, known, ALGORITHM, limit],
    );
    // Copies the bytes, because sending a part of a buffer to a thread would send all of the buffer.
    return rows.map((row) => ({ ...row, fingerprint: new Uint8Array(row.fingerprint) }));
  }

  async named(soundIds: readonly number[]): Promise<KnownSound[]> {
    const { rows } = await this.database.pool.query<KnownSound>(
      `select f.sound_id as "soundId", s.sample_id as "sampleId", s.audio_version as "audioVersion",
              s.original_sha256 as sha256, s.pack_id as "packId", s.creator_id as "creatorId",
              s.preview_key as "previewKey", ${isKnown('s')} as "isKnown"
         from unnest($1::bigint[]) with ordinality as w(id, n)
         join sound_fingerprint f on f.sound_id = w.id
         join sample s on s.sample_id = f.sample_id and s.audio_version = f.audio_version
         join pack p using (pack_id)
        where ${IS_THERE} order by w.n`,
      [soundIds],
    );
    return rows;
  }

  async keepPair({ sound, like, ...likeness }: SuspectedPair): Promise<void> {
    const kept = { likeness: JSON.stringify(likeness), found_at: sql<Date>`now()` };
    await this.database.db
      .insertInto('alike_sounds')
      .values({
        sample_id: sound.sampleId,
        audio_version: sound.audioVersion,
        like_sample_id: like.sampleId,
        like_audio_version: like.audioVersion,
        ...kept,
      })
      .onConflict((conflict) =>
        conflict
          .columns(['sample_id', 'audio_version', 'like_sample_id', 'like_audio_version'])
          .doUpdateSet(kept),
      )
      .execute();
  }

  async compared({ sampleId, audioVersion }: SampleVersion): Promise<void> {
    await this.database.db
      .updateTable('sound_fingerprint')
      .set({ compared_at: sql<Date>`now()` })
      .where('sample_id', '=', sampleId)
      .where('audio_version', '=', audioVersion)
      .execute();
  }

  async pairsOf(creatorId: string, packId: string): Promise<SuspectedPair[]> {
    const { rows } = await this.database.pool.query<
      Pick<SuspectedPair, 'sound' | 'like'> & {
        likeness: Match;
        isTurned: boolean;
      }
    >(PAIRS_OF, [creatorId, packId]);
    return rows.map(({ sound, like, likeness, isTurned }) => ({
      sound,
      like,
      ...(isTurned ? mirrored(likeness) : likeness),
    }));
  }

  async uncompared(creatorId: string, packId: string, maxAgeMs: number): Promise<number> {
    const { rows } = await this.database.pool.query<{ count: number }>(
      `select count(*)::int as count from sample s left join sound_fingerprint f using (sample_id)
        where s.creator_id = $1 and s.pack_id = $2 and not s.removed and (${UNCOMPARED})
          and s.updated_at > now() - $3 * interval '1 millisecond'`,
      [creatorId, packId, maxAgeMs],
    );
    return rows[0]?.count ?? 0;
  }

  async missing(after: string, limit: number): Promise<SampleVersion[]> {
    const { rows } = await this.database.pool.query<SampleVersion>(
      `select s.sample_id as "sampleId", s.audio_version as "audioVersion"
         from sample s join pack p using (pack_id) left join sound_fingerprint f using (sample_id)
        where s.sample_id > $1 and ${IS_THERE} and (${UNCOMPARED}) order by s.sample_id limit $2`,
      [after, limit],
    );
    return rows;
  }

  async counts(): Promise<SoundCounts> {
    const { rows } = await this.database.pool.query<SoundCounts>(
      `select count(*)::int as samples,
              count(*) filter (where f.audio_version is distinct from s.audio_version or f.algorithm < $1)::int as missing,
              count(*) filter (where f.audio_version = s.audio_version and f.signs is null)::int as "tooPlain",
              count(*) filter (where ${UNCOMPARED})::int as uncompared
         from sample s join pack p using (pack_id) left join sound_fingerprint f using (sample_id) where ${IS_THERE}`,
      [ALGORITHM],
    );
    return rows[0] as SoundCounts;
  }

  async sweep(): Promise<number> {
    const { rowCount } = await this.database.pool.query(
      `delete from sound_fingerprint f using sample s, pack p
        where s.sample_id = f.sample_id and p.pack_id = s.pack_id and (s.removed or p.status = 'deleted') and not ${IS_THERE}`,
    );
    await this.database.pool.query(
      `delete from alike_sounds a where not exists (select 1 from sound_fingerprint f
                                                     where f.sample_id = a.sample_id and f.audio_version = a.audio_version)
                                     or not exists (select 1 from sound_fingerprint f
                                                     where f.sample_id = a.like_sample_id and f.audio_version = a.like_audio_version)`,
    );
    return rowCount ?? 0;
  }
}
