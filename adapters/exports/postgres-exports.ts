import type { ExportKind, ExportSubject } from '../../application/exports/export-contents.js';
import { ExportStore, type OrderedExport } from '../../application/exports/prepared-exports.js';
import { DatabaseAdapter } from '../platform/database/database.js';

export class PostgresExports extends DatabaseAdapter implements ExportStore {
  async order(order: Parameters<ExportStore['order']>[0]): Promise<OrderedExport> {
    const { exportId, userId, filename, contentType, orderedAt } = order;
    const { kind, ...parameters } = order.subject;
    const wanted = { user_id: userId, kind, parameters: JSON.stringify(parameters) };
    const row = {
      export_id: exportId,
      ...wanted,
      filename,
      content_type: contentType,
      ordered_at: orderedAt,
    };
    await this.database.db
      .insertInto('prepared_export')
      .values({ ...row, state: 'preparing' })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    const found = await this.rows()
      .where('user_id', '=', userId)
      .where('kind', '=', kind)
      .where('parameters', '=', wanted.parameters)
      .orderBy('ordered_at', 'desc')
      .limit(1)
      .executeTakeFirstOrThrow();
    return orderedOf(found);
  }

  async find(exportId: string): Promise<OrderedExport | undefined> {
    const found = await this.rows().where('export_id', '=', exportId).executeTakeFirst();
    return found && orderedOf(found);
  }

  list(userId: string, kind: ExportKind): Promise<OrderedExport[]> {
    return all(
      this.rows().where('user_id', '=', userId).where('kind', '=', kind).orderBy('ordered_at', 'desc'),
    );
  }

  async finish(exportId: string, { sizeBytes, expiresAt }: { sizeBytes: number; expiresAt: Date }) {
    const { numUpdatedRows } = await this.database.db
      .updateTable('prepared_export')
      .set({ state: 'ready', size_bytes: sizeBytes, expires_at: expiresAt })
      .where('export_id', '=', exportId)
      .executeTakeFirst();
    return numUpdatedRows > 0n;
  }

  async fail(exportId: string, expiresAt: Date): Promise<void> {
    await this.database.db
      .updateTable('prepared_export')
      .set({ state: 'failed', expires_at: expiresAt })
      .where('export_id', '=', exportId)
      .execute();
  }

  async remove(exportId: string): Promise<void> {
    await this.database.db.deleteFrom('prepared_export').where('export_id', '=', exportId).execute();
  }

  expired(now: Date, limit: number): Promise<OrderedExport[]> {
    return all(this.rows().where('expires_at', '<=', now).orderBy('expires_at').limit(limit));
  }

  preparing(limit: number): Promise<OrderedExport[]> {
    return all(this.rows().where('state', '=', 'preparing').orderBy('ordered_at').limit(limit));
  }

  async among(exportIds: readonly string[]): Promise<ReadonlySet<string>> {
    if (exportIds.length === 0) return new Set();
    const found = await this.database.db
      .selectFrom('prepared_export')
      .select('export_id')
      .where('export_id', 'in', exportIds)
      .execute();
    return new Set(found.map(({ export_id }) => export_id));
  }

  private rows() {
    return this.database.db
      .selectFrom('prepared_export')
      .select(['export_id as exportId', 'user_id as userId', 'kind', 'parameters', 'filename', 'state'])
      .select(['content_type as contentType', 'size_bytes as sizeBytes'])
      .select(['ordered_at as orderedAt', 'expires_at as expiresAt']);
  }
}

type Row = Omit<OrderedExport, 'subject' | 'state'> & { kind: string; parameters: unknown; state: string };

const orderedOf = ({ kind, parameters, state, ...row }: Row): OrderedExport => ({
  ...row,
  state: state as OrderedExport['state'],
  subject: { kind, ...(parameters as object) } as ExportSubject,
});

const all = async (query: { execute(): Promise<Row[]> }): Promise<OrderedExport[]> =>
  (await query.execute()).map(orderedOf);
