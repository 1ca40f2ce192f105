/** Raw SQL: joins the row of a decision with the row of its request in the same table. */
import type * as z from 'zod';
import { decimalDollars } from '../../domain/shared/micro-usd.js';
import type {
  StaffAct,
  StaffActPage,
  StaffActsExportQuery,
  StaffActsQuery,
} from '../../application/administration/contract.js';
import { decodeCursor, pageOf } from '../platform/database/cursor.js';
import { DatabaseAdapter } from '../platform/database/database.js';
import { nameOf, saidAt } from '../platform/database/json-shapes.js';
import { csvCell } from '../../application/shared/csv.js';

type Row = Omit<StaffAct, 'at' | 'id' | 'byName'> & { id: number; at: Date; byName: string | null };

const DAY_MS = 86_400_000;

export class StaffActQueries extends DatabaseAdapter {
  async list({ limit, cursor, ...chosen }: z.infer<typeof StaffActsQuery>): Promise<StaffActPage> {
    const [before] = decodeCursor(cursor, ['integer']) ?? [null];
    const rows = await this.rows(chosen, before, limit + 1);
    const { shown, nextCursor } = pageOf(rows, limit, (last) => [last.id]);
    return { items: shown.map(actOf), nextCursor };
  }

  async newest(chosen: StaffActsExportQuery, limit: number): Promise<StaffAct[]> {
    return (await this.rows(chosen, null, limit)).map(actOf);
  }

  /**
   * Combines the two rows of a request that needed no approval into
   * one. Omits `done` rows, because the approved request has a row.
   */
  private async rows(chosen: StaffActsExportQuery, before: number | null, limit: number): Promise<Row[]> {
    const { person = null, kind = null, did = null, from = null, to } = chosen;
    const until = to === undefined ? null : new Date(Date.parse(to) + DAY_MS);
    const { rows } = await this.database.pool.query<Row>(
      `with act as (
         select a.position, a.at, a.by_id, a.did, a.note, a.request_id, asked.by_id as asker_id, asked.at as asked_at,
                coalesce(a.kind, asked.kind) as kind, coalesce(a.subject, asked.subject) as subject,
                coalesce(a.beneficiary_id, asked.beneficiary_id) as beneficiary_id,
                coalesce(a.credits, asked.credits) as credits, coalesce(a.micro_usd, asked.micro_usd) as micro_usd,
                case when a.did = 'alone' then asked.note end as note_alone,
                case when a.did = 'alone' then asked.position end as position_alone
           from staff_act a left join staff_act asked
                  on asked.request_id = a.request_id and asked.did = 'asked' and a.did <> 'asked' and a.kind is null
          where a.did <> 'done'
            and not (a.did = 'asked' and exists (select 1 from staff_act alone where alone.request_id = a.request_id
                                                    and alone.did = 'alone' and alone.kind is null)))
       select a.position as id, a.at, a.by_id as by, u.display_name as "byName", a.did, a.kind,
              coalesce(p.title, a.subject) as subject, a.beneficiary_id as beneficiary,
              b.display_name as "beneficiaryName", a.credits, a.micro_usd as "microUsd",
              -- Reasons about people who deleted their account are not shown.
              case when a.beneficiary_id is null or b.user_id is not null
                   then coalesce(a.note, a.note_alone, ${saidAt('a.position')}, ${saidAt('a.position_alone')}) end as note,
              case when a.did <> 'alone' then asker.display_name end as "askedByName",
              case when a.did <> 'alone' then (extract(epoch from a.at - a.asked_at) * 1000)::bigint end as "waitedMs",
              a.did = 'asked' and not exists (select 1 from staff_act later where later.request_id = a.request_id
                                                 and later.did in ('approved', 'declined', 'withdrew', 'lapsed')) as waits
         from act a
              left join user_account u on u.user_id = a.by_id and u.erased_at is null
              left join user_account b on b.user_id = a.beneficiary_id and b.erased_at is null
              left join user_account asker on asker.user_id = a.asker_id and asker.erased_at is null
              left join pack p on a.kind = 'takedown' and p.pack_id = a.subject
        where ($1::text is null or $1 in (a.by_id, a.beneficiary_id))
          and ($2::text is null or a.kind = $2) and ($3::text is null or a.did = $3)
          and ($4::timestamptz is null or a.at >= $4) and ($5::timestamptz is null or a.at < $5)
          and ($6::bigint is null or a.position < $6)
        order by a.position desc limit $7`,
      [person, kind, did, from === null ? null : new Date(from), until, before, limit],
    );
    return rows;
  }
}

const actOf = ({ id, at, ...row }: Row): StaffAct => ({
  ...row,
  id: String(id),
  at: at.toISOString(),
  byName: nameOf(row.by, row.byName),
  beneficiaryName: row.beneficiary === null ? null : nameOf(row.beneficiary, row.beneficiaryName),
});

type Cell = string | number | null;

const COLUMNS: Record<string, (act: StaffAct) => Cell> = {
  at: ({ at }) => at,
  by: ({ by }) => by,
  by_name: ({ byName }) => byName,
  did: ({ did }) => did,
  kind: ({ kind }) => kind,
  subject: ({ subject }) => subject,
  beneficiary: ({ beneficiary }) => beneficiary,
  beneficiary_name: ({ beneficiaryName }) => beneficiaryName,
  credits: ({ credits }) => credits,
  usd: ({ microUsd }) => (microUsd === null ? null : decimalDollars(microUsd)),
  note: ({ note }) => note,
  asked_by: ({ askedByName }) => askedByName,
  waited_seconds: ({ waitedMs }) => (waitedMs === null ? null : Math.round(waitedMs / 1_000)),
};

export function staffActsCsv(acts: readonly StaffAct[]): string {
  const rows = acts.map((act) => Object.values(COLUMNS).map((cellOf) => csvCell(cellOf(act) ?? '')));
  return [Object.keys(COLUMNS), ...rows].map((cells) => `${cells.join(',')}\r\n`).join('');
}
