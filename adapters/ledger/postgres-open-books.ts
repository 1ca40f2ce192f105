/** Raw SQL: it sums up lines of the journal, and joins the JSON of the log. */
import { Injectable } from '@nestjs/common';
import type { LateFacts, OpenItems } from '../../application/ledger/contract.js';
import { REFUND_FAILED, REFUND_ON_ITS_WAY } from '../../application/ledger/values.js';
import { OpenBookQueries } from '../../application/ledger/queries.js';
import { PaymentWords } from '../../application/payments/payment-gateway.js';
import { type Dated, withIsoTimes } from '../../application/shared/iso-times.js';
import { decodeCursor, pageOf } from '../platform/database/cursor.js';
import { Database } from '../platform/database/database.js';
import { isCleared, openItems } from './proof/cash-checks.js';
import { isAged } from './proof/check-terms.js';

const DAY_MS = 86_400_000;

const LATE_MONTH = `to_char(at at time zone 'UTC', 'YYYY-MM')`;

@Injectable()
export class PostgresOpenBookQueries implements OpenBookQueries {
  constructor(
    private readonly database: Database,
    private readonly words: PaymentWords,
  ) {}

  openItems(now: Date): Promise<OpenItems> {
    return this.open(now, null, 'open-items', '');
  }

  clearable(now: Date, by?: Date): Promise<OpenItems> {
    return this.open(now, by ?? null, 'clearable-items', `where ${isCleared('open.account')}`);
  }

  private async open(now: Date, by: Date | null, name: string, where: string): Promise<OpenItems> {
    const { rows } = await this.database.long.query({
      name,
      text: `select open.account, open.about, since, open.position, coalesce(reason, '') as reason, ${isAged('$1::timestamptz')} as aged,
                    case when open.account ~ '^(suspense|owed-to-customers|payouts-in-transit)' then -balance else balance end as "amountMicro",
                    coalesce(substring(open.account from '^(?:suspense|owed-to-customers|stripe:reserve):(.+)$'), 'usd') as currency,
                    note.at as "notedAt", note.by as "notedBy", note.text as note,
                    (select approval_id from approval where status = 'waiting' and work->>'kind' = 'adjusting-entry'
                        and work @> jsonb_build_object('lines', jsonb_build_array(jsonb_build_object('account', open.account, 'about', open.about)))
                      limit 1) as "requestId"
               from (${openItems('($2::timestamptz is null or l.at <= $2)')}) as open
               left join lateral (
                 select e.data->>'at' as at, coalesce(u.display_name, 'Former member') as by, coalesce(r.text, '') as text
                   from readable_event e left join remark r on r.remark_id = e.data->>'remarkId'
                   left join user_account u on u.user_id = e.data->>'by' and u.erased_at is null
                  where e.stream = 'explained-' || open.account || '.' || open.about order by e.version desc limit 1) note on true
               ${where}
              order by since, open.position`,
      values: [now, by],
    });
    type Row = Omit<OpenItems['items'][number], 'since' | 'ageDays' | 'note' | 'amountMicroUsd'> & {
      since: Date;
      note: string | null;
      notedBy: string;
      notedAt: string;
    };
    return {
      items: (rows as Row[]).map(({ since, note, notedBy, notedAt, ...row }) => ({
        ...row,
        reason: this.inWords(row.reason),
        amountMicroUsd: row.currency === 'usd' ? row.amountMicro : 0,
        since: since.toISOString(),
        ageDays: Math.max(0, Math.floor((now.getTime() - since.getTime()) / DAY_MS)),
        note: note === null ? null : { text: note, byName: notedBy, at: notedAt },
      })),
    };
  }

  async lateFacts({ limit, cursor }: { limit: number; cursor?: string }): Promise<LateFacts> {
    const [before] = decodeCursor(cursor, ['integer']) ?? [null];
    const { rows } = await this.database.long.query({
      name: 'late-facts',
      text: `select ${LATE_MONTH} as month, position, fact, about, at, e.recorded_at as "postedAt", f.amount_micro_usd as "amountMicroUsd"
               from late_fact f join (select position, recorded_at from event) e using (position)
              where $1::bigint is null or position < $1
              order by position desc limit $2`,
      values: [before, limit + 1],
    });
    const { rows: counts } = await this.database.long.query<LateFacts['counts'][number]>({
      name: 'late-facts-by-month',
      text: `select ${LATE_MONTH} as month, count(*)::int as facts from late_fact group by 1 order by 1`,
    });
    const found = rows as Dated<LateFacts['items'][number]>[];
    const { shown, nextCursor } = pageOf(found, limit, ({ position }) => [position]);
    return { items: shown.map(withIsoTimes), nextCursor, counts };
  }

  private inWords(reason: string): string {
    const [, kind, code = ''] = /^(.+?): (.*)$/.exec(reason) ?? [];
    if (kind === REFUND_ON_ITS_WAY) return `${kind}: ${this.words.ofWaitingRefund(code)}`;
    return kind === REFUND_FAILED ? `${kind}: ${this.words.ofFailedRefund(code)}` : reason;
  }
}
