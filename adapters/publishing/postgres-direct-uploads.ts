import { Injectable } from '@nestjs/common';
import { DirectUploadStore, type DirectUpload } from '../../application/publishing/samples/direct-uploads.js';
import type { UploadName } from '../../application/publishing/samples/upload-progress.js';
import { Database } from '../platform/database/database.js';

@Injectable()
export class PostgresDirectUploadStore implements DirectUploadStore {
  constructor(private readonly database: Database) {}

  async save({ userId, uploadId }: UploadName, upload: DirectUpload, at: Date): Promise<void> {
    const values = {
      pack_id: upload.packId,
      filename: upload.filename,
      size_bytes: upload.sizeBytes,
      object_key: upload.key,
      multipart_id: upload.multipartId,
      begun_at: at,
    };
    await this.database.db
      .insertInto('direct_upload')
      .values({ user_id: userId, upload_id: uploadId, ...values })
      .onConflict((conflict) => conflict.columns(['user_id', 'upload_id']).doUpdateSet(values))
      .execute();
  }

  async find({ userId, uploadId }: UploadName): Promise<DirectUpload | undefined> {
    return this.found(userId).where('upload_id', '=', uploadId).executeTakeFirst();
  }

  async remove({ userId, uploadId }: UploadName, key: string): Promise<void> {
    await this.database.db
      .deleteFrom('direct_upload')
      .where('user_id', '=', userId)
      .where('upload_id', '=', uploadId)
      .where('object_key', '=', key)
      .execute();
  }

  beyond(userId: string, count: number): Promise<Array<UploadName & DirectUpload>> {
    return this.found(userId)
      .select(['user_id as userId', 'upload_id as uploadId'])
      .orderBy('begun_at', 'desc')
      .offset(count)
      .execute();
  }

  private found(userId: string) {
    return this.database.db
      .selectFrom('direct_upload')
      .select(['pack_id as packId', 'filename', 'size_bytes as sizeBytes'])
      .select(['object_key as key', 'multipart_id as multipartId'])
      .where('user_id', '=', userId);
  }
}
