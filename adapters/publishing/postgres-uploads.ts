import { Injectable } from '@nestjs/common';
import { DirectUploadStore, type DirectUpload } from '../../application/publishing/samples/direct-uploads.js';
import {
  type UploadName,
  UploadProgressStore,
  type UploadState,
} from '../../application/publishing/samples/upload-progress.js';
import { Database } from '../platform/database/database.js';
import {
  EncodingStore,
  type Encoding,
  type EncodingName,
  type EncodingOrder,
  type EncodingOutcome,
} from '../../application/publishing/samples/encodings.js';

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
