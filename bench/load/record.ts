import type { Database } from '../../adapters/platform/database/database.js';
import type { Bought } from './clients.js';

export interface Verdict {
  /** Acknowledged, but not in the log. */
  lost: number;
  /** In the log more than once. */
  doubled: number;
  /** In the log, but not requested by a client. */
  unasked: number;
}

/** Compares the answers that buyers got with the log. @param since position of the log before the first purchase */
export async function compare(
  database: Database,
  bought: readonly Bought[],
  since: number,
): Promise<Verdict> {
  // Raw SQL: members of the events' JSON.
  const { rows } = await database.long.query<{ pair: string; times: number }>(
    `select (data->>'buyerId') || ' ' || (data->>'sampleId') as pair, count(*)::int as times
       from event where type = 'SamplePurchased' and position > $1 group by 1`,
    [since],
  );
  const logged = new Map(rows.map(({ pair, times }) => [pair, times]));
  const asked = new Map(
    bought.map(({ buyerId, sampleId, acknowledged }) => [`${buyerId} ${sampleId}`, acknowledged]),
  );
  return {
    lost: [...asked].filter(([pair, acknowledged]) => acknowledged && !logged.has(pair)).length,
    doubled: rows.filter(({ times }) => times > 1).length,
    unasked: rows.filter(({ pair }) => !asked.has(pair)).length,
  };
}
