/** Raw SQL: joins samples with packs, and locks writers so that row numbers follow the order of commits. */
import { Injectable } from '@nestjs/common';
import { DescribedSounds } from '../../../application/publishing/sounds/described-sounds.js';
import type { SampleVersion } from '../../../application/publishing/sounds/known-sounds.js';
import { SOUND_VERSION } from '../../../domain/catalogue/sound/facts.js';
import { Database } from '../../platform/database/database.js';

const LACKS = `(d.sample_id is null or d.audio_version < s.audio_version or d.version < ${SOUND_VERSION})`;
/** SQL condition for samples that are on sale or may still go on sale. */
const IS_THERE = `(not s.removed and p.status <> 'deleted')`;

@Injectable()
export class PostgresDescribedSounds implements DescribedSounds {
  constructor(private readonly database: Database) {}

  async keep({ sampleId, audioVersion }: SampleVersion, descriptors: Float32Array | null): Promise<void> {
    await this.database.transaction(async (client) => {
      // Writers take turns. Otherwise a reader could miss a row that commits after a row with a higher number.
      await client.query(`select pg_advisory_xact_lock(hashtextextended('sound_descriptor', 0))`);
      await client.query(
        `insert into sound_descriptor as known (sample_id, audio_version, version, descriptors) values ($1, $2, $3, $4)
         on conflict (sample_id) do update
           set audio_version = excluded.audio_version, version = excluded.version,
               descriptors = excluded.descriptors, described_id = excluded.described_id
         where (known.audio_version, known.version) < (excluded.audio_version, excluded.version)`,
        [
          sampleId,
          audioVersion,
          SOUND_VERSION,
          descriptors && Buffer.from(Int8Array.from(descriptors).buffer),
        ],
      );
    });
  }

  async undescribed({ sampleId, audioVersion }: SampleVersion): Promise<string | undefined> {
    const { rows } = await this.database.pool.query<{ originalKey: string }>(
      `select s.original_key as "originalKey" from sample s join pack p using (pack_id)
         left join sound_descriptor d using (sample_id)
        where s.sample_id = $1 and s.audio_version = $2 and ${IS_THERE} and ${LACKS}`,
      [sampleId, audioVersion],
    );
    return rows[0]?.originalKey;
  }

  async missing(limit: number): Promise<SampleVersion[]> {
    const { rows } = await this.database.pool.query<SampleVersion>(
      `select s.sample_id as "sampleId", s.audio_version as "audioVersion"
         from sample s join pack p using (pack_id) left join sound_descriptor d using (sample_id)
        where ${IS_THERE} and ${LACKS} limit $1`,
      [limit],
    );
    return rows;
  }

  async sweep(): Promise<number> {
    const { rowCount } = await this.database.pool.query(
      `delete from sound_descriptor d using sample s, pack p
        where s.sample_id = d.sample_id and p.pack_id = s.pack_id and not ${IS_THERE}`,
    );
    return rowCount ?? 0;
  }
}
