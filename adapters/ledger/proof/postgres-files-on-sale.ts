import {
  FilesOnSale,
  type FileOnSale,
  type FileRead,
  type FileSelection,
} from '../../../application/ledger/published-files.js';
import { DatabaseAdapter } from '../../platform/database/database.js';

export class PostgresFilesOnSale extends DatabaseAdapter implements FilesOnSale {
  newest(limit: number): Promise<FileOnSale[]> {
    return this.onSale().orderBy('sample.created_at', 'desc').limit(limit).execute();
  }

  page(which: FileSelection, { after, limit }: { after: string; limit: number }): Promise<FileOnSale[]> {
    let files = this.onSale().where('sample.sample_id', '>', after);
    if (which === 'new') files = files.where('file_check.sample_id', 'is', null);
    if (which === 'faulty') files = files.where('file_check.fault', 'is not', null);
    return files.orderBy('sample.sample_id').limit(limit).execute();
  }

  readBefore(time: Date, limit: number): Promise<FileOnSale[]> {
    return this.onSale()
      .where('file_check.checked_at', '<', time)
      .orderBy('file_check.checked_at')
      .limit(limit)
      .execute();
  }

  async keep(read: readonly FileRead[], at: Date): Promise<void> {
    if (read.length === 0) return;
    await this.database.db
      .insertInto('file_check')
      .values(
        read.map(({ sampleId, key, sha256, fault }) => ({
          sample_id: sampleId,
          object_key: key,
          sha256,
          checked_at: at,
          fault,
        })),
      )
      .onConflict((conflict) =>
        conflict.column('sample_id').doUpdateSet((row) => ({
          object_key: row.ref('excluded.object_key'),
          sha256: row.ref('excluded.sha256'),
          checked_at: row.ref('excluded.checked_at'),
          fault: row.ref('excluded.fault'),
        })),
      )
      .execute();
  }

  faults(limit: number): Promise<{ sampleId: string; fault: string }[]> {
    return this.checked()
      .select(['sample.sample_id as sampleId', 'file_check.fault'])
      .where('file_check.fault', 'is not', null)
      .$narrowType<{ fault: string }>()
      .orderBy('sample.sample_id')
      .limit(limit)
      .execute();
  }

  async allReadSince(now: Date): Promise<Date | undefined> {
    const { files, read, oldest } = await this.checked()
      .select(({ fn }) => [
        fn.countAll<number>().as('files'),
        fn.count<number>('file_check.sample_id').as('read'),
        fn.min('file_check.checked_at').as('oldest'),
      ])
      .executeTakeFirstOrThrow();
    return read < files ? undefined : (oldest ?? now);
  }

  async forgetGone(): Promise<void> {
    await this.database.db
      .deleteFrom('file_check')
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('sample')
              .select('sample.sample_id')
              .whereRef('sample.sample_id', '=', 'file_check.sample_id'),
          ),
        ),
      )
      .execute();
  }

  private onSale() {
    return this.checked().select([
      'sample.sample_id as sampleId',
      'sample.original_key as key',
      'sample.original_bytes as sizeBytes',
      'sample.original_sha256 as sha256',
    ]);
  }

  /** Joins only checks of the current file. A file that was replaced after its check counts as unchecked. */
  private checked() {
    return this.database.db
      .selectFrom('sample')
      .leftJoin('file_check', (join) =>
        join
          .onRef('file_check.sample_id', '=', 'sample.sample_id')
          .onRef('file_check.object_key', '=', 'sample.original_key')
          .onRef('file_check.sha256', '=', 'sample.original_sha256'),
      )
      .where('sample.available', '=', true);
  }
}
