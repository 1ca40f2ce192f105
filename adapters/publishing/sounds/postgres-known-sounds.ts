import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import {
  ALGORITHM,
  KnownSounds,
  type SampleVersion,
} from '../../../application/publishing/sounds/known-sounds.js';
import { Database } from '../../platform/database/database.js';

@Injectable()
export class PostgresKnownSounds implements KnownSounds {
  constructor(private readonly database: Database) {}

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
}
