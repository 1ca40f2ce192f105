import { RecordedMovements } from '../../../application/treasury/readers.js';
import { balanceTransactionStream } from '../../../domain/treasury/balance-transaction.js';
import type { Database } from '../database.js';

export class PostgresRecordedMovements extends RecordedMovements {
  constructor(private readonly database: Database) {
    super();
  }

  override async among(transactionIds: readonly string[]): Promise<Set<string>> {
    // By the log itself: the read model may be behind.
    const { rows } = await this.database.pool.query(
      `select data->>'transactionId' as id from event where stream = any($1) and version = 1`,
      [transactionIds.map(balanceTransactionStream)],
    );
    return new Set((rows as { id: string }[]).map(({ id }) => id));
  }

  override async completeUntil(): Promise<Date | undefined> {
    const { rows } = await this.database.pool.query(`select complete_until from balance_sweep`);
    return (rows[0] as { complete_until: Date } | undefined)?.complete_until;
  }

  override async rememberComplete(until: Date): Promise<void> {
    await this.database.pool.query(
      `insert into balance_sweep (complete_until) values ($1)
       on conflict (only_row) do update set complete_until = greatest(balance_sweep.complete_until, excluded.complete_until)`,
      [until],
    );
  }
}
