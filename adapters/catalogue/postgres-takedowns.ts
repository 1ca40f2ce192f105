import { Inject, Injectable } from '@nestjs/common';
import { TakedownQueries } from '../../application/catalogue/queries.js';
import { foldHandle } from '../../domain/profiles/handle.js';
import { CATALOGUE_DATABASE, Database } from '../platform/database/database.js';

/** Raw SQL: its statements are named, so that a connection plans each once. */
@Injectable()
export class PostgresTakedownQueries extends TakedownQueries {
  constructor(@Inject(CATALOGUE_DATABASE) private readonly database: Database) {
    super();
  }

  override async hasPack(handle: string, slug: string): Promise<boolean> {
    const { rowCount } = await this.database.pool.query({
      name: 'taken-down-pack',
      text: `select 1 from handle_history h
               join pack_slug k on k.creator_id = h.user_id and k.slug = $2
               join pack p on p.pack_id = k.pack_id and p.status = 'taken_down'
              where h.handle_lower = $1`,
      values: [foldHandle(handle), slug.toLowerCase()],
    });
    return rowCount !== 0;
  }

  override async hasSample(sampleId: string): Promise<boolean> {
    const { rowCount } = await this.database.pool.query({
      name: 'taken-down-sample',
      text: 'select 1 from sample where sample_id = $1 and taken_down',
      values: [sampleId],
    });
    return rowCount !== 0;
  }
}
