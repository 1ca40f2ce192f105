/** Raw SQL: counts of several kinds at once. */
import type { Transparency } from '../../application/complaints/contract.js';
import type { Database } from '../platform/database/database.js';

type Year = Transparency['years'][number];

export async function countedYears({ pool }: Database): Promise<Year[]> {
  const [kinds, totals] = await Promise.all([
    pool.query<Year['rows'][number] & { year: number }>(
      `select extract(year from opened_at at time zone 'UTC')::int as year, kind, count(*)::int as filed,
              (count(*) filter (where status = 'upheld'))::int as upheld,
              (count(*) filter (where status = 'partly'))::int as partly,
              (count(*) filter (where status = 'rejected'))::int as rejected,
              (count(*) filter (where status = 'withdrawn'))::int as withdrawn,
              (count(*) filter (where status = 'open'))::int as waiting
         from complaint where opened_at is not null group by 1, 2 order by 1 desc, 2`,
    ),
    pool.query<Omit<Year, 'rows'>>(
      `select extract(year from opened_at at time zone 'UTC')::int as year,
              (count(*) filter (where measure in ('refuse', 'take down')))::int as "takenDown",
              (count(*) filter (where counter_filed_at is not null))::int as "counterNotices",
              (count(*) filter (where counter_status = 'restored'))::int as restored,
              percentile_cont(0.5) within group (order by extract(epoch from decided_at - opened_at) / 86400)
                filter (where status in ('upheld', 'partly', 'rejected')) as "medianDays"
         from complaint where opened_at is not null group by 1 order by 1 desc`,
    ),
  ]);
  return totals.rows.map((total) => ({
    ...total,
    medianDays: total.medianDays === null ? null : Math.round(total.medianDays * 10) / 10,
    rows: kinds.rows.filter(({ year }) => year === total.year).map(({ year: _, ...row }) => row),
  }));
}
