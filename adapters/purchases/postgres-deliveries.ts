import { Injectable } from '@nestjs/common';
import { Deliveries } from '../../application/purchases/buy-samples.js';
import { Database } from '../platform/database/database.js';

/** Raw SQL: a named statement, which each connection plans once. */
@Injectable()
export class PostgresDeliveries implements Deliveries {
  constructor(private readonly database: Database) {}

  async record(buyerId: string, sampleIds: readonly string[], at: Date): Promise<void> {
    await this.database.pool.query({
      name: 'record-delivery',
      text: `insert into delivery (buyer_id, sample_id, delivered_at) select $1, unnest($2::text[]), $3
             on conflict (buyer_id, sample_id) do update set delivered_at = excluded.delivered_at`,
      values: [buyerId, sampleIds, at],
    });
  }
}
