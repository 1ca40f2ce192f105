import { Inject, Injectable } from '@nestjs/common';
import { TakedownQueries } from '../../application/catalogue/queries.js';
import { foldHandle } from '../../domain/profiles/handle.js';
import { CATALOGUE_DATABASE, Database } from '../platform/database/database.js';

@Injectable()
export class PostgresTakedownQueries implements TakedownQueries {
  constructor(@Inject(CATALOGUE_DATABASE) private readonly database: Database) {}

  async hasPack(handle: string, slug: string): Promise<boolean> {
    const found = await this.database.db
      .selectFrom('handle_history as h')
      .innerJoin('pack_slug as k', 'k.creator_id', 'h.user_id')
      .innerJoin('pack as p', 'p.pack_id', 'k.pack_id')
      .select('p.pack_id')
      .where('h.handle_lower', '=', foldHandle(handle))
      .where('k.slug', '=', slug.toLowerCase())
      .where('p.status', '=', 'taken_down')
      .executeTakeFirst();
    return found !== undefined;
  }

  async hasSample(sampleId: string): Promise<boolean> {
    const found = await this.database.db
      .selectFrom('sample')
      .select('sample_id')
      .where('sample_id', '=', sampleId)
      .where('taken_down', '=', true)
      .executeTakeFirst();
    return found !== undefined;
  }
}
