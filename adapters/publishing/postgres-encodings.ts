import { Injectable } from '@nestjs/common';
import {
  EncodingStore,
  type Encoding,
  type EncodingName,
  type EncodingOrder,
  type EncodingOutcome,
} from '../../application/publishing/samples/encodings.js';
import { Database } from '../platform/database/database.js';

@Injectable()
export class PostgresEncodingStore implements EncodingStore {
  constructor(private readonly database: Database) {}

  async save({ userId, packId, uploadId }: EncodingName, order: EncodingOrder, at: Date): Promise<void> {
    const values = {
      object_key: order.key,
      filename: order.filename,
      becomes: JSON.stringify(order.becomes),
      outcome: null,
      ordered_at: at,
    };
    await this.database.db
      .insertInto('sample_encoding')
      .values({ user_id: userId, pack_id: packId, upload_id: uploadId, ...values })
      .onConflict((conflict) => conflict.columns(['user_id', 'pack_id', 'upload_id']).doUpdateSet(values))
      .execute();
  }

  find({ userId, packId, uploadId }: EncodingName): Promise<Encoding | undefined> {
    return this.database.db
      .selectFrom('sample_encoding')
      .select(['object_key as key', 'filename', 'becomes', 'outcome'])
      .where('user_id', '=', userId)
      .where('pack_id', '=', packId)
      .where('upload_id', '=', uploadId)
      .executeTakeFirst();
  }

  async end(
    { userId, packId, uploadId }: EncodingName,
    key: string,
    outcome: EncodingOutcome,
  ): Promise<void> {
    await this.database.db
      .updateTable('sample_encoding')
      .set({ outcome: JSON.stringify(outcome) })
      .where('user_id', '=', userId)
      .where('pack_id', '=', packId)
      .where('upload_id', '=', uploadId)
      .where('object_key', '=', key)
      .execute();
  }
}
