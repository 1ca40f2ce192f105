/** Raw SQL: one statement adds any number of notices and sets when each is mailed, as its user chose. */
import { Injectable } from '@nestjs/common';
import {
  CHOSEN_KINDS,
  DEFAULT_CHOICES,
  Notices,
  type ChosenKind,
  type DueMail,
  type MailChoice,
  type NewNotice,
  type Notice,
  type NoticeKind,
  type NoticedSale,
} from '../../application/mail/notices.js';
import { inDollars } from '../../domain/shared/micro-usd.js';
import { PublicAddress } from '../platform/pages/public-address.js';
import { decodeCursor, pageOf } from '../platform/database/cursor.js';
import { Database, prepared } from '../platform/database/database.js';

interface Row {
  fact: string;
  position: number;
  kind: NoticeKind;
  subject: string;
  path: string | null;
  sales: number;
  micro_usd: number;
  at: Date;
  read_at: Date | null;
}

const COLUMNS = [
  'fact',
  'position',
  'kind',
  'subject',
  'path',
  'sales',
  'micro_usd',
  'at',
  'read_at',
] as const;
const FACTS_AT_ONCE = 100;
/** SQL for the current time in whole milliseconds, the precision of JavaScript dates. */
const NOW = `date_trunc('milliseconds', now())`;

/**
 * SQL for when a notice of `kind` for `user_id` is mailed: at once, at the end of the current day in UTC (digest),
 * or never.
 */
const mailDue = (kind: string, userId: string, isUrgent = 'false'): string => `
  case coalesce((select choice from notice_choice c where c.user_id = ${userId} and c.kind = ${kind}),
                '${JSON.stringify({ account: 'mail', ...DEFAULT_CHOICES })}'::jsonb ->> ${kind})
    when 'mail' then ${NOW}
    when 'digest' then case when ${isUrgent} then ${NOW} else (date_trunc('day', now() at time zone 'UTC') + interval '1 day') at time zone 'UTC' end end`;

const noticeFrom = ({ position, kind, subject, path, sales, micro_usd, at, read_at }: Row): Notice => ({
  position,
  kind,
  subject:
    sales === 0
      ? subject
      : `${sales} ${sales === 1 ? 'sample' : 'samples'} sold on ${subject}, ${micro_usd > 0 ? `${inDollars(micro_usd)} for you` : 'without a share'}`,
  path,
  at,
  isRead: read_at !== null,
});

@Injectable()
export class PostgresNotices implements Notices {
  constructor(
    private readonly database: Database,
    private readonly address: PublicAddress,
  ) {}

  async add(notices: readonly NewNotice[], isMailed = false): Promise<void> {
    if (notices.length === 0) return;
    await this.database.pool.query(
      `insert into notice (user_id, fact, kind, subject, path, at, mail_due)
       select "userId", fact, kind, subject, path, at, ${isMailed ? 'null' : mailDue('n.kind', 'n."userId"', 'n."isUrgent"')}
         from json_to_recordset($1) as n("userId" text, fact text, kind text, subject text, path text, at timestamptz, "isUrgent" boolean)
       on conflict (user_id, fact) do update
         set kind = excluded.kind, subject = excluded.subject, path = excluded.path, at = excluded.at,
             mail_due = excluded.mail_due, read_at = null, position = nextval('notice_position')
       where (notice.subject, notice.path) is distinct from (excluded.subject, excluded.path)`,
      [JSON.stringify(notices.map((notice) => ({ ...notice, path: this.pathOf(notice.path) })))],
    );
  }

  async addToFollowers(
    creatorId: string,
    { fact, kind, subject, path, at }: Omit<NewNotice, 'userId'>,
  ): Promise<void> {
    await this.database.pool.query(
      `insert into notice (user_id, fact, kind, subject, path, at, mail_due)
       select f.user_id, $2, $3, $4, $5, $6, ${mailDue('$3', 'f.user_id')}
         from follow f where f.kind = 'creator' and f.subject = $1 and f.user_id <> $1
       on conflict do nothing`,
      [creatorId, fact, kind, subject, this.pathOf(path), at],
    );
  }

  async addSales(sales: readonly NoticedSale[], path: string): Promise<void> {
    if (sales.length === 0) return;
    const rows = sales.map(({ creatorId, position, shareMicroUsd, at }) => ({
      creatorId,
      position,
      shareMicroUsd,
      at,
      fact: `sales ${at.toISOString().slice(0, 10)}`,
      day: at.toLocaleDateString('en-GB', { day: 'numeric', month: 'long', timeZone: 'UTC' }),
    }));
    await this.database.pool.query(
      `insert into notice (user_id, fact, kind, subject, path, sales, micro_usd, counted, at, mail_due)
       select s."creatorId", s.fact, 'sales', min(s.day), $2, count(*), sum(s."shareMicroUsd"), max(s.position), max(s.at),
              ${mailDue(`'sales'`, 's."creatorId"')}
         from json_to_recordset($1) as s("creatorId" text, position bigint, "shareMicroUsd" bigint, at timestamptz, fact text, day text)
         left join notice n on n.user_id = s."creatorId" and n.fact = s.fact
        where s.position > coalesce(n.counted, 0)
        group by s."creatorId", s.fact
       on conflict (user_id, fact) do update
         set sales = notice.sales + excluded.sales, micro_usd = notice.micro_usd + excluded.micro_usd,
             counted = excluded.counted, at = excluded.at, mail_due = excluded.mail_due, read_at = null,
             position = nextval('notice_position')`,
      [JSON.stringify(rows), path],
    );
  }

  async addReleased(day: Date, now: Date, path: string): Promise<void> {
    const name = day.toISOString().slice(0, 10);
    await this.database.pool.query(
      `insert into notice (user_id, fact, kind, subject, path, at, mail_due)
       select user_id, 'released ' || $1, 'payouts', 'The hold on your sales of ' || subject || ' has ended', $3, $2,
              ${mailDue(`'payouts'`, 'notice.user_id')}
         from notice where fact = 'sales ' || $1 and at >= $1::date and at < $1::date + 2
       on conflict do nothing`,
      [name, now, path],
    );
  }

  async list(userId: string, { limit, cursor }: { limit: number; cursor?: string }) {
    const [before] = decodeCursor(cursor, ['integer']) ?? [null];
    const rows = await this.database.db
      .selectFrom('notice')
      .select(COLUMNS)
      .where('user_id', '=', userId)
      .$if(before !== null, (query) => query.where('position', '<', before))
      .orderBy('position', 'desc')
      .limit(limit + 1)
      .execute();
    const { shown, nextCursor } = pageOf(rows as Row[], limit, (last) => [last.position]);
    return { items: shown.map(noticeFrom), nextCursor };
  }

  async state(userId: string): Promise<{ newest: number; unread: number }> {
    const { rows } = await this.database.pool.query<{ newest: number; unread: number }>(
      prepared(
        'inbox-state',
        `select coalesce((select max(position) from notice where user_id = $1), 0) as newest,
                (select count(*) from notice where user_id = $1 and read_at is null)::int as unread`,
        [userId],
      ),
    );
    return rows[0] ?? { newest: 0, unread: 0 };
  }

  async markRead(userId: string, position: number): Promise<void> {
    await this.database.db
      .updateTable('notice')
      .set({ read_at: new Date() })
      .where('user_id', '=', userId)
      .where('position', '<=', position)
      .where('read_at', 'is', null)
      .execute();
  }

  async choices(userId: string): Promise<Record<ChosenKind, MailChoice>> {
    const rows = await this.database.db
      .selectFrom('notice_choice')
      .select(['kind', 'choice'])
      .where('user_id', '=', userId)
      .execute();
    return { ...DEFAULT_CHOICES, ...Object.fromEntries(rows.map(({ kind, choice }) => [kind, choice])) };
  }

  async choose(userId: string, choices: Partial<Record<ChosenKind, MailChoice>>): Promise<void> {
    const values = CHOSEN_KINDS.flatMap((kind) =>
      choices[kind] ? [{ user_id: userId, kind, choice: choices[kind] }] : [],
    );
    if (values.length === 0) return;
    await this.database.db
      .insertInto('notice_choice')
      .values(values)
      .onConflict((conflict) =>
        conflict.columns(['user_id', 'kind']).doUpdateSet({ choice: ({ ref }) => ref('excluded.choice') }),
      )
      .execute();
  }

  async due(now: Date, limit: number): Promise<DueMail[]> {
    const { rows } = await this.database.pool.query<DueMail>(
      `select n.user_id as "userId", u.email, (array_agg(n.fact order by n.position))[1:${FACTS_AT_ONCE}] as facts,
              max(n.position) as newest
         from notice n join user_account u using (user_id)
        where n.mail_due <= $1 and u.erased_at is null and u.email_verified_at is not null
        group by n.user_id, u.email limit $2`,
      [now, limit],
    );
    return rows;
  }

  async markMailed({ userId, facts, newest }: DueMail): Promise<void> {
    await this.database.db
      .updateTable('notice')
      .set({ mail_due: null })
      .where('user_id', '=', userId)
      .where('fact', 'in', facts)
      .where('position', '<=', newest)
      .execute();
  }

  async named(userId: string, facts: readonly string[]): Promise<Notice[]> {
    const rows = await this.database.db
      .selectFrom('notice')
      .select(COLUMNS)
      .where('user_id', '=', userId)
      .where('fact', 'in', facts)
      .orderBy('position')
      .execute();
    return (rows as Row[]).map(noticeFrom);
  }

  private pathOf(address: string | null): string | null {
    if (address === null || address.startsWith('/')) return address;
    const { origin, pathname, search } = new URL(address);
    return origin === new URL(this.address.url).origin ? pathname + search : null;
  }
}
