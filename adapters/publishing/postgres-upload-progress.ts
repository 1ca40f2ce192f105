import { Injectable } from '@nestjs/common';
import {
  UploadProgressStore,
  type UploadName,
  type UploadState,
} from '../../application/publishing/samples/upload-progress.js';
import { Database } from '../platform/database/database.js';

@Injectable()
export class PostgresUploadProgressStore implements UploadProgressStore {
  constructor(private readonly database: Database) {}

  async save({ userId, uploadId }: UploadName, { phase, share }: UploadState, at: Date): Promise<void> {
    const state = { phase, share, changed_at: at };
    await this.database.db
      .insertInto('upload_progress')
      .values({ user_id: userId, upload_id: uploadId, ...state })
      .onConflict((conflict) => conflict.columns(['user_id', 'upload_id']).doUpdateSet(state))
      .execute();
  }

  async find({ userId, uploadId }: UploadName, since: Date): Promise<UploadState | undefined> {
    const found = await this.database.db
      .selectFrom('upload_progress')
      .select(['phase', 'share'])
      .where('user_id', '=', userId)
      .where('upload_id', '=', uploadId)
      .where('changed_at', '>=', since)
      .executeTakeFirst();
    return found as UploadState | undefined;
  }
}
