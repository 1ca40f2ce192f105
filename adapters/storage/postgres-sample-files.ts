import { Injectable } from '@nestjs/common';
import { SampleFileQueries, type SampleFile } from '../../application/storage/queries.js';
import { Batcher } from '../../application/shared/batcher.js';
import { foldHandle } from '../../domain/profiles/handle.js';
import { keyOfFileUrl, percentDecoded } from '../../application/storage/layout.js';
import { Database, prepared } from '../platform/database/database.js';
import { KIND } from '../platform/database/json-shapes.js';
import { isLostConnection } from '../platform/database/lost-connection.js';
import { MEANT_FOLDER } from './postgres-creator-folders.js';

/** Every purchase calls `find`, so concurrent calls share one statement. */
@Injectable()
export class PostgresSampleFileQueries implements SampleFileQueries {
  private readonly lookUps = new Batcher<readonly string[], SampleFile[]>({
    run: (asked) => this.findAll(asked),
    isOutage: isLostConnection,
  });

  constructor(private readonly database: Database) {}

  find(sampleIds: readonly string[]): Promise<SampleFile[]> {
    return this.lookUps.submit(sampleIds);
  }

  private async findAll(asked: readonly (readonly string[])[]): Promise<SampleFile[][]> {
    const found = await this.database.pool.query(
      prepared(
        'find-sample-files',
        `select s.sample_id as "sampleId", s.pack_id as "packId", s.title, p.title as "packTitle", s.creator_id as "creatorId",
                    coalesce(c.display_name, 'Former creator') as "creatorName", s.original_key as "originalKey",
                    s.content_type as "contentType", s.format, p.genre, p.mood, s.instruments,
                    s.bpm, s.key, s.duration_ms as "durationMs", ${KIND} as kind, s.midi is not null as "hasMidi", s.stems is not null as "hasStems"
               from unnest($1::text[]) as w(sample_id)
               join sample s using (sample_id)
               join pack p on p.pack_id = s.pack_id
               left join user_account c on c.user_id = s.creator_id`,
        [[...new Set(asked.flat())]],
      ),
    );
    const files = new Map((found.rows as SampleFile[]).map((file) => [file.sampleId, file]));
    return asked.map((sampleIds) => sampleIds.flatMap((sampleId) => files.get(sampleId) ?? []));
  }

  async ofPack(packId: string): Promise<string[] | undefined> {
    const found = await this.database.pool.query(
      prepared(
        'samples-of-pack',
        `select s.sample_id from pack p left join sample s on s.pack_id = p.pack_id and s.available
              where p.pack_id = $1 and p.status = 'published' order by s.ordinal`,
        [packId],
      ),
    );
    if (found.rowCount === 0) return undefined;
    return (found.rows as { sample_id: string | null }[]).flatMap((row) => row.sample_id ?? []);
  }

  async resolve(idOrFileUrl: string): Promise<string | undefined> {
    const address = /(?:^|\/)(Users\/[^?#]+)/.exec(idOrFileUrl)?.[1];
    const key = keyOfFileUrl(idOrFileUrl) ?? (address === undefined ? undefined : percentDecoded(address));
    const [, name = '', rest = ''] = /^Users\/([^/]+)\/(.+)$/.exec(key ?? '') ?? [];
    const found = await this.database.pool.query(
      prepared(
        'resolve-sample', // Finds the folder by its name, or by its owner's handle.
        `select sample_id from sample where sample_id = $3
             union all select sample_id from sample where original_key = 'Users/' || $1 || '/' || $4
             union all select sample_id from sample where original_key = 'Users/' || ${MEANT_FOLDER} || '/' || $4 limit 1`,
        [name, foldHandle(name), idOrFileUrl, rest],
      ),
    );
    return (found.rows[0] as { sample_id: string } | undefined)?.sample_id;
  }

  async mayRead(userId: string | undefined, originalKey: string): Promise<boolean> {
    if (userId === undefined) return false;
    const found = await this.database.pool.query(
      prepared(
        'may-read-original',
        `select 1 from sample s where s.original_key = $2 and not s.taken_down
                and (s.creator_id = $1 or exists (select 1 from owned_sample o where o.buyer_id = $1 and o.sample_id = s.sample_id and o.returned_at is null))`,
        [userId, originalKey],
      ),
    );
    return found.rowCount === 1;
  }
}
