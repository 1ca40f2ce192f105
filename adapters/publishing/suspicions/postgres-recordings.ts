/** Raw SQL: the time of an upload is only in the JSON of an event. */
import { RecordingQueries, type RecordingFacts } from '../../../application/publishing/suspicions/queries.js';
import type { Recording } from '../../../domain/publishing/suspicion.js';
import { DatabaseAdapter } from '../../platform/database/database.js';

/** SQL for the time at which a version of a sample's audio was uploaded, from the pack's stream. */
export const uploadedAt = (sample: string, version: string): string => `(
  select (e.data->>'at')::timestamptz from readable_event e
   where e.stream = 'pack-' || ${sample}.pack_id and e.type in ('SampleAdded', 'SampleAudioReplaced')
     and e.data->>'sampleId' = ${sample}.sample_id and (e.data->>'audioVersion')::int = ${version}
   order by e.position limit 1)`;

const FACTS = `
  select s.sample_id as "sampleId", r.audio_version as "audioVersion", s.original_sha256 as sha256, s.pack_id as "packId",
         s.creator_id as "creatorId", s.duration_ms as "durationMs",
         coalesce(${uploadedAt('s', 'r.audio_version')}, s.created_at) as "uploadedAt", p.published_at as "publishedAt",
         s.audio_version = r.audio_version and not s.removed and not s.taken_down
           and p.status not in ('deleted', 'taken_down') as "isThere",
         s.available as "isOnSale"
    from sample s join pack p using (pack_id)`;

export class PostgresRecordingQueries extends DatabaseAdapter implements RecordingQueries {
  async find({ sampleId, audioVersion }: Recording): Promise<RecordingFacts | undefined> {
    const { rows } = await this.database.pool.query<RecordingFacts>(
      `${FACTS} cross join (select $2::int as audio_version) r where s.sample_id = $1`,
      [sampleId, audioVersion],
    );
    return rows[0];
  }

  async ofSample(creatorId: string, sampleId: string): Promise<RecordingFacts | undefined> {
    const { rows } = await this.database.pool.query<RecordingFacts>(
      `${FACTS} cross join lateral (select s.audio_version) r where s.sample_id = $1 and s.creator_id = $2 and not s.removed`,
      [sampleId, creatorId],
    );
    return rows[0];
  }

  async publishedFirst({ sha256, creatorId }: RecordingFacts): Promise<RecordingFacts | undefined> {
    const { rows } = await this.database.pool.query<RecordingFacts>(
      `${FACTS} cross join lateral (select s.audio_version) r
        where s.original_sha256 = $1 and s.creator_id <> $2 and not s.removed and s.standing in ('free', 'held')
          and p.published_at is not null and p.status in ('published', 'unpublished')
        order by p.published_at, s.sample_id limit 1`,
      [sha256, creatorId],
    );
    return rows[0];
  }

  async areTogether(oneId: string, otherId: string): Promise<boolean> {
    const found = await this.database.db
      .selectFrom('suspected_copy')
      .select('copy_id')
      .where('and_others', '=', true)
      .where('status', '=', 'allowed')
      .where(({ and, or }) =>
        or([
          and({ creator_id: oneId, like_creator_id: otherId }),
          and({ creator_id: otherId, like_creator_id: oneId }),
        ]),
      )
      .limit(1)
      .executeTakeFirst();
    return found !== undefined;
  }
}
