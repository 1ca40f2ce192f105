/** Raw SQL: the rules of the books are written in SQL. */
import type { Breach, StoredBookQueries } from '../../../application/ledger/queries.js';
import { Database } from '../../platform/database/database.js';
import type { Projection } from '../../platform/projections/projection.js';
import type { Projector } from '../../platform/projections/projector.js';
import { POSTED } from './check-terms.js';
import { BOOK_CHECKS, EVENT_CHECKS } from './rules.js';

const BREACHES_TOLD = 20;

export class PostgresStoredBookQueries implements StoredBookQueries {
  constructor(
    private readonly database: Database,
    private readonly projector: Projector,
    private readonly projections: readonly Projection[],
  ) {}

  async posted(): Promise<number> {
    return (await this.database.long.query(`select ${POSTED} as position`)).rows[0].position as number;
  }

  breaches(now: Date): Promise<Breach[]> {
    return this.ask(BOOK_CHECKS, now, 0);
  }

  eventBreaches(now: Date, since: number): Promise<Breach[]> {
    return this.ask(EVENT_CHECKS, now, since);
  }

  readModels(): readonly string[] {
    return this.projections.map(({ name }) => name);
  }

  async drift(readModel: string): Promise<number> {
    const projection = this.projections.find(({ name }) => name === readModel);
    if (!projection) throw new RangeError(`there is no read model ${readModel}`);
    return (await this.projector.drift(projection)).reduce((sum, { rows }) => sum + rows, 0);
  }

  private ask(checks: typeof BOOK_CHECKS, now: Date, since: number): Promise<Breach[]> {
    return this.database.longTransaction(async (client) => {
      // All rules read one snapshot, so that no purchase is half visible.
      await client.query('set transaction isolation level repeatable read, read only');
      await client.query(`select set_config('offcut.now', $1, true), set_config('offcut.since', $2, true)`, [
        now.toISOString(),
        String(since),
      ]);
      const breaches: Breach[] = [];
      for (const { invariant, sql } of checks) {
        const { rows } = await client.query(
          `select detail from (${sql}) as breach order by detail limit ${BREACHES_TOLD}`,
        );
        for (const { detail } of rows as { detail: string }[]) breaches.push({ invariant, detail });
      }
      return breaches;
    });
  }
}
