import { Injectable } from '@nestjs/common';
import { OwnedFileQueries, type OwnedFile } from '../../application/purchases/queries.js';
import { Database } from '../platform/database/database.js';

/**
 * `owned_sample` with the present files. Buyers keep a sample after it has left the catalogue. Raw SQL: its
 * statements are named, so that a connection plans each once.
 */
@Injectable()
export class PostgresOwnedFileQueries implements OwnedFileQueries {
  constructor(private readonly database: Database) {}

  async find(userId: string, sampleIds: readonly string[]): Promise<OwnedFile[]> {
    const found = await this.database.pool.query({
      name: 'find-owned-files',
      text: `select s.sample_id as "sampleId", s.pack_id as "packId", s.title, p.title as "packTitle", s.creator_id as "creatorId",
                    coalesce(c.display_name, 'Former creator') as "creatorName", s.original_key as "originalKey",
                    s.content_type as "contentType", s.format, s.original_sha256 as sha256, s.bpm, s.key,
                    s.midi is not null as "hasMidi", s.stems is not null as "hasStems", s.taken_down as "takenDown", o.certificate_id as "certificateId",
                    'Users/' || coalesce(f.folder, s.creator_id) || '/' || (s.stems->>'path') as "stemsKey",
                    'Users/' || coalesce(f.folder, s.creator_id) || '/' || (s.midi->>'path') as "midiKey"
               from unnest($2::text[]) with ordinality as w(sample_id, n)
               join owned_sample o on o.buyer_id = $1 and o.sample_id = w.sample_id and o.returned_at is null
               join sample s on s.sample_id = w.sample_id
               join pack p on p.pack_id = s.pack_id
               left join user_account c on c.user_id = s.creator_id
               left join creator_folder f on f.user_id = s.creator_id
              order by w.n`,
      values: [userId, sampleIds],
    });
    return found.rows as OwnedFile[];
  }
}
