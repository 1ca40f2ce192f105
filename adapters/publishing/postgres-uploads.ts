import { DirectUploadStore, type DirectUpload } from '../../application/publishing/samples/direct-uploads.js';
import {
  type UploadName,
  UploadProgressStore,
  type UploadState,
} from '../../application/publishing/samples/upload-progress.js';
import { DatabaseAdapter } from '../platform/database/database.js';
import {
  EncodingStore,
  type Encoding,
  type EncodingName,
  type EncodingOrder,
  type EncodingOutcome,
} from '../../application/publishing/samples/encodings.js';

const uploadOf = ({ userId, uploadId }: UploadName) => ({ user_id: userId, upload_id: uploadId });
const encodingOf = ({ packId, ...upload }: EncodingName) => ({ ...uploadOf(upload), pack_id: packId });

export class PostgresDirectUploadStore extends DatabaseAdapter implements DirectUploadStore {
  async save(name: UploadName, upload: DirectUpload, at: Date): Promise<void> {
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
      .values({ ...uploadOf(name), ...values })
      .onConflict((conflict) => conflict.columns(['user_id', 'upload_id']).doUpdateSet(values))
      .execute();
  }

  async find({ userId, uploadId }: UploadName): Promise<DirectUpload | undefined> {
    return this.found(userId).where('upload_id', '=', uploadId).executeTakeFirst();
  }

  async remove(name: UploadName, key: string): Promise<void> {
    await this.database.db
      .deleteFrom('direct_upload')
      .where(({ and }) => and({ ...uploadOf(name), object_key: key }))
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

export class PostgresEncodingStore extends DatabaseAdapter implements EncodingStore {
  async save(name: EncodingName, order: EncodingOrder, at: Date): Promise<void> {
    const values = {
      object_key: order.key,
      filename: order.filename,
      becomes: JSON.stringify(order.becomes),
      outcome: null,
      ordered_at: at,
    };
    await this.database.db
      .insertInto('sample_encoding')
      .values({ ...encodingOf(name), ...values })
      .onConflict((conflict) => conflict.columns(['user_id', 'pack_id', 'upload_id']).doUpdateSet(values))
      .execute();
  }

  find(name: EncodingName): Promise<Encoding | undefined> {
    return this.database.db
      .selectFrom('sample_encoding')
      .select(['object_key as key', 'filename', 'becomes', 'outcome'])
      .where(({ and }) => and(encodingOf(name)))
      .executeTakeFirst();
  }

  async end(name: EncodingName, key: string, outcome: EncodingOutcome): Promise<void> {
    await this.database.db
      .updateTable('sample_encoding')
      .set({ outcome: JSON.stringify(outcome) })
      .where(({ and }) => and({ ...encodingOf(name), object_key: key }))
      .execute();
  }
}

export class PostgresUploadProgressStore extends DatabaseAdapter implements UploadProgressStore {
  async save(name: UploadName, { phase, share }: UploadState, at: Date): Promise<void> {
    const state = { phase, share, changed_at: at };
    await this.database.db
      .insertInto('upload_progress')
      .values({ ...uploadOf(name), ...state })
      .onConflict((conflict) => conflict.columns(['user_id', 'upload_id']).doUpdateSet(state))
      .execute();
  }

  async find(name: UploadName, since: Date): Promise<UploadState | undefined> {
    const found = await this.database.db
      .selectFrom('upload_progress')
      .select(['phase', 'share'])
      .where(({ and }) => and(uploadOf(name)))
      .where('changed_at', '>=', since)
      .executeTakeFirst();
    return found as UploadState | undefined;
  }
}
