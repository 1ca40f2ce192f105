import { ReportFetches, type ReportFetch } from '../../../application/ledger/tie-outs/fetch-tie-out.js';
import { DatabaseAdapter } from '../../platform/database/database.js';

export class PostgresReportFetches extends DatabaseAdapter implements ReportFetches {
  async read(): Promise<ReportFetch | undefined> {
    return this.database.db
      .selectFrom('report_fetch')
      .select(['runs', 'problem', 'covers_from as from', 'covers_to as to', 'asked_at as askedAt'])
      .select(['next_at as nextAt', 'compared_to as comparedTo', 'compared_at as comparedAt'])
      .executeTakeFirst();
  }

  async keep(fetch: ReportFetch): Promise<void> {
    const row = {
      runs: fetch.runs,
      covers_from: fetch.from,
      covers_to: fetch.to,
      asked_at: fetch.askedAt,
      next_at: fetch.nextAt,
      compared_to: fetch.comparedTo,
      compared_at: fetch.comparedAt,
      problem: fetch.problem,
    };
    await this.database.db
      .insertInto('report_fetch')
      .values(row)
      .onConflict((conflict) => conflict.column('only_row').doUpdateSet(row))
      .execute();
  }

  async firstMovement(): Promise<Date | undefined> {
    const row = await this.database.db
      .selectFrom('balance_transaction')
      .select('at')
      .orderBy('position')
      .limit(1)
      .executeTakeFirst();
    return row?.at;
  }
}
