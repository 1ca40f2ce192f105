import { FINANCIAL_EVENT_TYPES, entryFor } from '../../../domain/ledger/entry.js';
import type { AsyncProjection } from '../projection.js';

/** The entries of financial events as lines; an event's lines are written once, whoever applies it again. */
export const journal: AsyncProjection = {
  name: 'journal',
  version: 2, // 2: payouts to creators
  lifecycle: 'async', // Nobody waits for the books while buying.
  types: FINANCIAL_EVENT_TYPES,
  tables: ['journal_line'],
  async apply(client, events) {
    const columns: unknown[][] = [[], [], [], [], [], [], []];
    for (const event of events) {
      const entry = entryFor(event);
      entry?.postings.forEach(({ account, commodity, delta }, line) => {
        const row = [event.position, line, event.recordedAt, entry.fact, account, commodity, delta];
        row.forEach((value, column) => columns[column]?.push(value));
      });
    }
    if (columns[0]?.length === 0) return;
    await client.query(
      `insert into journal_line (position, line, at, fact, account, commodity, delta)
       select * from unnest($1::bigint[], $2::smallint[], $3::timestamptz[], $4::text[], $5::text[], $6::text[], $7::bigint[])
       on conflict do nothing`,
      columns,
    );
  },
};
