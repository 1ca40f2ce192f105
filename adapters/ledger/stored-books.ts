/** Raw SQL runs the rules of the books, which are written in it. */
import type { Breach } from '../../application/ledger/audit-log.js';
import type { StoredBookQueries } from '../../application/ledger/queries.js';
import { Database } from '../platform/database/database.js';
import type { Projection } from '../platform/projections/projection.js';
import type { Projector } from '../platform/projections/projector.js';
import { BOOK_CHECKS } from './rules.js';

const BREACHES_TOLD = 20;

export class PostgresStoredBookQueries implements StoredBookQueries {
  constructor(
    private readonly database: Database,
    private readonly projector: Projector,
    private readonly projections: readonly Projection[],
  ) {}

  async breaches(now: Date): Promise<Breach[]> {
    return this.database.longTransaction(async (client) => {
      // One snapshot for all of them, so that no purchase is half visible.
      await client.query('set transaction isolation level repeatable read, read only');
      await client.query(`select set_config('offcut.now', $1, true)`, [now.toISOString()]);
      const breaches: Breach[] = [];
      for (const { invariant, sql } of BOOK_CHECKS) {
        const { rows } = await client.query(
          `select detail from (${sql}) as breach order by detail limit ${BREACHES_TOLD}`,
        );
        for (const { detail } of rows as { detail: string }[]) breaches.push({ invariant, detail });
      }
      return breaches;
    });
  }

  async drift(): Promise<{ projection: string; rows: number }[]> {
    const found: { projection: string; rows: number }[] = [];
    for (const projection of this.projections) {
      const tables = await this.projector.drift(projection);
      found.push({ projection: projection.name, rows: tables.reduce((sum, { rows }) => sum + rows, 0) });
    }
    return found;
  }
}
