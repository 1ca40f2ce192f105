import { Injectable } from '@nestjs/common';
import { SamplePlaceQueries, type SamplePlace } from '../../application/publishing/queries.js';
import { Database } from '../platform/database/database.js';

@Injectable()
export class PostgresSamplePlaceQueries implements SamplePlaceQueries {
  constructor(private readonly database: Database) {}

  placeOf(sampleId: string): Promise<SamplePlace | undefined> {
    return this.database.db
      .selectFrom('sample')
      .select(['pack_id as packId', 'creator_id as creatorId'])
      .where('sample_id', '=', sampleId)
      .executeTakeFirst();
  }

  async creatorOf(packId: string): Promise<string | undefined> {
    const pack = await this.database.db
      .selectFrom('pack')
      .select('creator_id')
      .where('pack_id', '=', packId)
      .executeTakeFirst();
    return pack?.creator_id;
  }
}
