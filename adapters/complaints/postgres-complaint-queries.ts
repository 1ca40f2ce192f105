/** Raw SQL: see `complaint-parts.ts`. */
import type * as z from 'zod';
import { ComplaintQueries, type FoundSubject } from '../../application/complaints/queries.js';
import { measuresFor, type ComplaintSubject } from '../../domain/complaints/complaint.js';
import { foldHandle } from '../../domain/profiles/handle.js';
import { expiredBefore } from '../../domain/publishing/strikes.js';
import { type Dated, withIsoTimes } from '../../application/shared/iso-times.js';
import { decodeCursor, pageOf } from '../platform/database/cursor.js';
import { DatabaseAdapter } from '../platform/database/database.js';
import type * as contract from '../../application/complaints/contract.js';
import type { ComplaintCounts } from '../../application/complaints/contract.js';
import * as parts from './complaint-parts.js';
import type { Clock } from '../../application/shared/clock.js';
import { gauge, type Registered } from '../platform/observability/gauges.js';

/** Selects a subject that is or was on offer. $1 is the id. A creator is also found by the handle $2. */
const FOUND: Record<ComplaintSubject['kind'], string> = {
  sample: `
    select s.sample_id as id, s.creator_id as "creatorId", s.original_sha256 as sha256, ${parts.cardOf(`'sample'`, 's.sample_id')} as card
      from sample s join pack p using (pack_id)
           join user_account u on u.user_id = s.creator_id and u.erased_at is null
           join creator_profile h on h.user_id = s.creator_id
     where s.sample_id = $1 and not s.removed and not s.taken_down
       and p.status in ('published', 'unpublished') and p.published_at is not null`,
  pack: `
    select p.pack_id as id, p.creator_id as "creatorId", null as sha256, ${parts.cardOf(`'pack'`, 'p.pack_id')} as card
      from pack p join user_account u on u.user_id = p.creator_id and u.erased_at is null
           join creator_profile h on h.user_id = p.creator_id
           left join sample s on false
     where p.pack_id = $1 and p.status in ('published', 'unpublished') and p.published_at is not null`,
  creator: `
    select u.user_id as id, u.user_id as "creatorId", null as sha256, ${parts.cardOf(`'creator'`, 'u.user_id')} as card
      from creator_profile h join user_account u on u.user_id = h.user_id and u.erased_at is null
           left join pack p on false left join sample s on false
     where h.user_id = $1 or h.user_id = (select user_id from handle_history where handle_lower = $2)`,
};

const ITEM = `
  c.complaint_id as id, c.kind, ${parts.SUBJECT} as subject, c.status, c.filed_at as "filedAt", c.due_at as "dueAt",
  coalesce(c.due_at < $1, false) as "isOverdue", coalesce(c.counter_status = 'open', false) as "isCounterNotice",
  c.is_held as "isHeld"`;

/** A complaint as the complainant (`filed`) or the accused creator (`about`) sees it. The query joins `q.side`. */
const OWN = `
  c.complaint_id as id, q.side, c.kind, ${parts.SUBJECT} as subject, c.status, c.filed_at as "filedAt",
  c.due_at as "answerBy", c.is_held as "isHeld",
  case when q.side = 'filed' or not c.in_confidence then ${parts.remarkOf('c.remark_id')} end as said,
  case when q.side = 'filed' or (not c.in_confidence and c.kind in ('copyright', 'trademark')) then ${parts.COMPLAINANT_NAME} end
    as "complainantName",
  ${parts.ANSWERED}, ${parts.counterOf(`case when q.side = 'about' then ${parts.remarkOf('c.counter_remark_id')} end`)}`;

/**
 * The accused creator sees confirmed complaints, but confidential complaints only during a hold or after a
 * measure.
 */
const SHOWN = `
  (q.side = 'filed' or (c.status not in ('unconfirmed', 'lapsed')
                        and (not c.in_confidence or c.is_held or c.measure <> 'none')))`;

export class PostgresComplaintQueries extends DatabaseAdapter implements ComplaintQueries {
  async subject({
    kind,
    id,
  }: {
    kind: ComplaintSubject['kind'];
    id: string;
  }): Promise<FoundSubject | undefined> {
    const { rows } = await this.database.pool.query<{
      id: string;
      creatorId: string;
      sha256: string | null;
      card: contract.SubjectCard;
    }>(FOUND[kind], kind === 'creator' ? [id, foldHandle(id)] : [id]);
    const [row] = rows;
    if (!row) return undefined;
    const subject = { kind, id: row.id, ...(row.sha256 !== null && { sha256: row.sha256 }) };
    return { subject, creatorId: row.creatorId, card: row.card };
  }

  async list({ state, limit, cursor }: z.infer<typeof contract.ComplaintsQuery>, now: Date) {
    const waits = state === 'waiting';
    const [first, id] = decodeCursor(cursor, ['time', 'text']) ?? [null, null];
    const order = waits ? 'c.due_at' : 'c.decided_at';
    const [where, passed, direction] = waits
      ? ['c.due_at is not null', '>', 'asc']
      : [`c.due_at is null and c.status not in ('unconfirmed', 'lapsed')`, '<', 'desc'];
    const { rows } = await this.database.pool.query<Dated<contract.ComplaintItem> & { order: Date }>(
      `select ${ITEM}, ${order} as "order" from ${parts.WITH_SUBJECT}
        where ${where} and ($2::timestamptz is null
          or (date_trunc('milliseconds', ${order}), c.complaint_id) ${passed} ($2, $3::text))
        order by ${order} ${direction}, c.complaint_id ${direction} limit $4`,
      [now, first, id, limit + 1],
    );
    const { shown, nextCursor } = pageOf(rows, limit, (last) => [last.order.toISOString(), last.id]);
    return { items: shown.map(({ order: _, ...item }) => withIsoTimes(item)), nextCursor };
  }

  async counts(now: Date): Promise<contract.ComplaintCounts> {
    const { rows } = await this.database.pool.query<contract.ComplaintCounts>(
      `select count(*)::int as waiting, (count(*) filter (where due_at < $1))::int as overdue
         from complaint where due_at is not null`,
      [now],
    );
    return rows[0] ?? { waiting: 0, overdue: 0 };
  }

  async find(complaintId: string, now: Date): Promise<contract.Complaint | undefined> {
    const { rows } = await this.database.pool.query<Dated<contract.Complaint>>(
      `select ${ITEM}, ${parts.remarkOf('c.remark_id')} as said, ${parts.ANSWERED}, c.is_strike as "isStrike",
              case when c.decided_by is not null then coalesce(d.display_name, '${parts.FORMER_MEMBER}') end as "decidedBy",
              ${parts.counterOf(parts.remarkOf('c.counter_remark_id'))},
              (select coalesce(jsonb_agg(jsonb_build_object('title', t.title, 'url', '/' || t.preview_key)
                                         order by t.created_at, t.sample_id), '[]')
                 from sample t
                where case c.subject_kind when 'sample' then t.sample_id = c.subject_id
                                          when 'pack' then t.pack_id = c.subject_id and not t.removed end) as previews,
              '/' || p.cover_key as "artworkUrl", coalesce(p.genre, '') as genre,
              (select count(*)::int from owned_sample o where o.returned_at is null
                and case c.subject_kind when 'sample' then o.sample_id = c.subject_id
                                        when 'pack' then o.pack_id = c.subject_id end) as licences,
              jsonb_build_object(
                'id', w.id, 'userId', c.by_id, 'name', ${parts.COMPLAINANT_NAME}, 'email', coalesce(b.email, k.email),
                'filed', (select count(*) from complaint o left join complaint_contact ok using (complaint_id)
                           where coalesce(o.by_id, ok.complainant_id) = w.id),
                'rejected', (select count(*) from complaint o left join complaint_contact ok using (complaint_id)
                              where coalesce(o.by_id, ok.complainant_id) = w.id and o.status = 'rejected'),
                'isBarred', coalesce((select e.type = 'ComplainantBarred' from event e
                                       where e.stream = 'complainant-' || w.id order by e.version desc limit 1), false)
              ) as complainant,
              jsonb_build_object(
                'id', c.creator_id, 'name', coalesce(u.display_name, '${parts.FORMER_MEMBER}'), 'handle', h.handle,
                'strikes', (select count(*) from strike t where t.user_id = c.creator_id and t.at > $3),
                'complaints', (select count(*) from complaint o where o.creator_id = c.creator_id
                                and o.status not in ('unconfirmed', 'lapsed')),
                'upheld', (select count(*) from complaint o where o.creator_id = c.creator_id
                            and o.status in ('upheld', 'partly'))) as creator
         from ${parts.WITH_SUBJECT}
              left join complaint_contact k on k.complaint_id = c.complaint_id
              left join user_account b on b.user_id = c.by_id and b.erased_at is null
              left join user_account d on d.user_id = c.decided_by and d.erased_at is null
              cross join lateral (select coalesce(c.by_id, k.complainant_id) as id) w
        where c.complaint_id = $2 and c.status not in ('unconfirmed', 'lapsed')`,
      [now, complaintId, expiredBefore(now)],
    );
    const [row] = rows;
    if (!row) return undefined;
    const measures = [...measuresFor(row.subject.kind)];
    return { ...withIsoTimes(row), measures, counter: counterIn(row.counter) };
  }

  async seenBy(complaintId: string, side: contract.OwnComplaint['side']) {
    const { rows } = await this.database.pool.query<Dated<contract.OwnComplaint, 'answerBy'>>(
      `select ${OWN} from ${parts.WITH_SUBJECT} cross join (select $2::text as side) q
        where c.complaint_id = $1 and ${SHOWN}`,
      [complaintId, side],
    );
    return rows[0] && ownIn(rows[0]);
  }

  async sideOf(complaintId: string, userId: string): Promise<contract.OwnComplaint['side'] | undefined> {
    const found = await this.database.db
      .selectFrom('complaint')
      .select(['by_id', 'creator_id'])
      .where('complaint_id', '=', complaintId)
      .executeTakeFirst();
    if (found?.by_id === userId) return 'filed';
    return found?.creator_id === userId ? 'about' : undefined;
  }

  async of(userId: string): Promise<contract.OwnComplaints> {
    const { rows } = await this.database.pool.query<Dated<contract.OwnComplaint, 'answerBy'>>(
      `select ${OWN} from ${parts.WITH_SUBJECT}
              cross join lateral (select 'filed' as side where c.by_id = $1
                                  union all select 'about' where c.creator_id = $1) q
        where (c.by_id = $1 or c.creator_id = $1) and ${SHOWN}
        order by c.filed_at desc, c.complaint_id limit 100`,
      [userId],
    );
    return { items: rows.map(ownIn) };
  }

  async isOpen(userId: string, subjectId: string): Promise<boolean> {
    const found = await this.database.db
      .selectFrom('complaint')
      .select('complaint_id')
      .where('by_id', '=', userId)
      .where('subject_id', '=', subjectId)
      .where('status', '=', 'open')
      .limit(1)
      .executeTakeFirst();
    return found !== undefined;
  }

  async unconfirmedSince(before: Date): Promise<string[]> {
    const rows = await this.database.db
      .selectFrom('complaint')
      .select('complaint_id as id')
      .where('status', '=', 'unconfirmed')
      .where('filed_at', '<=', before)
      .limit(1_000)
      .execute();
    return rows.map(({ id }) => id);
  }

  async transparency(): Promise<contract.Transparency> {
    type Year = contract.Transparency['years'][number];
    const { pool } = this.database;
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
    const years = totals.rows.map((total) => ({
      ...total,
      medianDays: total.medianDays === null ? null : Math.round(total.medianDays * 10) / 10,
      rows: kinds.rows.filter(({ year }) => year === total.year).map(({ year: _, ...row }) => row),
    }));
    return { years };
  }
}

const counterIn = (counter: contract.OwnComplaint['counter']): contract.OwnComplaint['counter'] =>
  counter && { ...counter, until: new Date(counter.until).toISOString() };

const ownIn = (row: Dated<contract.OwnComplaint, 'answerBy'>): contract.OwnComplaint => ({
  ...withIsoTimes(row),
  counter: counterIn(row.counter),
});

const GAUGES: Record<string, [help: string, value: (counts: ComplaintCounts) => number]> = {
  complaints_waiting: ['Complaints and counter-notices that wait for an answer', ({ waiting }) => waiting],
  complaints_overdue: ['Those whose deadline is over', ({ overdue }) => overdue],
};

export function registerComplaintMetrics(
  metrics: Registered,
  complaints: Pick<ComplaintQueries, 'counts'>,
  clock: Clock,
): void {
  for (const [name, [help, value]] of Object.entries(GAUGES))
    gauge(metrics, [name, help], async () => value(await complaints.counts(clock.now())));
}
