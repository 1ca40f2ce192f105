import { Injectable } from '@nestjs/common';
import type { DownloadPage } from '../../application/library/contract.js';
import { ListedSampleQueries } from '../../application/library/queries.js';
import { decodeCursor, encodeCursor } from '../platform/database/cursor.js';
import { Database } from '../platform/database/database.js';

interface Row {
  id: string;
  sampleId: string;
  filename: string;
  format: string;
  sizeBytes: number;
  track: string;
  pack: string;
  creator: string;
  coverKey: string | null;
  certificateId: string;
  createdAt: Date;
}

/**
 * A buyer's samples, sorted by their last purchase or download. Raw SQL: its statements are named, so that a
 * connection plans each once.
 */
@Injectable()
export class DownloadedSampleQueries {
  constructor(
    private readonly database: Database,
    private readonly listed: ListedSampleQueries,
  ) {}

  async list(userId: string, page: { limit: number; cursor?: string }): Promise<DownloadPage> {
    const [at, sampleId] = decodeCursor(page.cursor, ['time', 'text']) ?? [null, null];
    const found = await this.database.pool.query({
      name: 'downloaded-samples',
      text: `select * from (
               select o.purchase_id as id, o.sample_id as "sampleId", s.original_filename as filename, s.format,
                      s.original_bytes as "sizeBytes", s.title as track, p.title as pack,
                      coalesce(c.display_name, 'Former creator') as creator, p.cover_key as "coverKey",
                      o.certificate_id as "certificateId",
                      date_trunc('milliseconds', greatest(o.purchased_at, coalesce(d.delivered_at, o.purchased_at))) as "createdAt"
                 from owned_sample o
                 join sample s using (sample_id)
                 join pack p on p.pack_id = s.pack_id
                 left join user_account c on c.user_id = o.creator_id
                 left join delivery d on d.buyer_id = o.buyer_id and d.sample_id = o.sample_id
                where o.buyer_id = $1 and o.returned_at is null) as owned
              where $2::timestamptz is null or ("createdAt", "sampleId") < ($2, $3)
              order by "createdAt" desc, "sampleId" desc limit $4`,
      values: [userId, at, sampleId, page.limit + 1],
    });
    const rows = (found.rows as Row[]).slice(0, page.limit);
    const samples = await this.listed.byIds(
      rows.map((row) => row.sampleId),
      userId,
    );
    const last = rows.at(-1);
    return {
      items: rows.map(({ coverKey, createdAt, ...row }) => ({
        ...row,
        sample: samples.get(row.sampleId) ?? null,
        artwork: coverKey ? `/${coverKey}` : null,
        createdAt: createdAt.toISOString(),
      })),
      nextCursor:
        found.rows.length > page.limit && last
          ? encodeCursor([last.createdAt.toISOString(), last.sampleId])
          : null,
    };
  }
}
