/** Raw SQL: joins ids with the JSON of the log, and adds up earnings with a window function. */
import {
  TracedEvents,
  TracedSearch,
  type PaidSale,
  type Traced,
} from '../../../application/ledger/trace/traced-events.js';
import type { TracedId } from '../../../application/ledger/trace/traced-ids.js';
import { UPCASTERS } from '../../../application/shared/event-store.js';
import type { Span } from '../../../domain/payouts/spans.js';
import { DatabaseAdapter, prepared } from '../../platform/database/database.js';

/**
 * The maximum number of events that `naming` returns for one id: a
 * dispute of an invoice with many lots has one event per lot.
 */
const MOST_EVENTS = 500;
const EVENT = 'e.position, e.stream, e.type, e.data, e.recorded_at as "recordedAt"';
/**
 * The last Unicode code point. Every id that begins with a text sorts between the text and the text followed by
 * `LAST`.
 */
const LAST = '\u{10FFFF}';

const upcast = (row: Traced): Traced => ({ ...row, data: UPCASTERS[row.type]?.(row.data) ?? row.data });

export class PostgresTracedEvents extends DatabaseAdapter implements TracedEvents, TracedSearch {
  async naming(id: string): Promise<Traced[]> {
    return this.events(
      'events-naming',
      `select ${EVENT} from traced_id t join event e using (position) where t.id = $1 order by position limit $2`,
      [id, MOST_EVENTS],
    );
  }

  async at(position: number): Promise<Traced | undefined> {
    const [event] = await this.events('event-at', `select ${EVENT} from event e where position = $1`, [
      position,
    ]);
    return event;
  }

  ofLot(userId: string, lotId: string): Promise<Traced[]> {
    return this.events(
      'events-of-lot',
      `select ${EVENT} from event e
        where stream in (select $1 union all
                         select 'credits-' || coalesce(data->>'to', data->>'from') from readable_event
                          where stream = $1 and type in ('GiftGiven', 'GiftReceived') and data->>'lotId' = $2)
          and position >= coalesce((select position from credit_grant where lot_id = $2), 0)
          and strpos(data::text, $3) > 0
        order by position`,
      [`credits-${userId}`, lotId, JSON.stringify(lotId)],
    );
  }

  payoutsOf(creatorId: string): Promise<Traced[]> {
    return this.events('payouts-of', `select ${EVENT} from event e where stream = $1 order by version`, [
      `payouts-${creatorId}`,
    ]);
  }

  async earnedBefore(creatorId: string, position: number): Promise<number> {
    const { rows } = await this.database.pool.query(
      prepared(
        'earned-before',
        `select coalesce(sum(share_micro_usd), 0)::bigint as earned from earning
          where creator_id = $1 and position < $2 and share_micro_usd > 0`,
        [creatorId, position],
      ),
    );
    return (rows[0] as { earned: number }).earned;
  }

  async salesIn(creatorId: string, spans: readonly Span[]): Promise<PaidSale[]> {
    const { rows } = await this.database.pool.query(
      prepared(
        'sales-in-spans',
        `with laid as (select purchase_id, position, share_micro_usd as share, sum(share_micro_usd) over (order by position) as upto
                         from earning where creator_id = $1 and share_micro_usd > 0)
         select purchase_id as "purchaseId", share as "shareMicroUsd",
                (least(upto, s."toMicroUsd") - greatest(upto - share, s."fromMicroUsd"))::bigint as "amountMicroUsd"
           from jsonb_to_recordset($2::jsonb) as s("fromMicroUsd" bigint, "toMicroUsd" bigint)
           join laid on laid.upto > s."fromMicroUsd" and laid.upto - laid.share < s."toMicroUsd"
          order by position, s."fromMicroUsd"`,
        [creatorId, JSON.stringify(spans)],
      ),
    );
    return rows as PaidSale[];
  }

  people(ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    return this.names(
      'names-of-people',
      'select user_id as id, display_name as name from user_account where user_id = any($1) and erased_at is null',
      ids,
    );
  }

  samples(ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    return this.names(
      'names-of-samples',
      'select sample_id as id, title as name from sample where sample_id = any($1)',
      ids,
    );
  }

  async idsLike(beginning: string, limit: number): Promise<(TracedId & { event: Traced })[]> {
    const { rows } = await this.database.pool.query(
      prepared(
        'ids-like',
        `select t.id, t.kind, ${EVENT}
           from (select distinct on (id) * from traced_id where id >= $1 collate "C" and id <= $2 collate "C"
                  order by id, position limit $3) as t
           join event e using (position) order by t.id`,
        [beginning, beginning + LAST, limit],
      ),
    );
    return (rows as (TracedId & Traced)[]).map(({ id, kind, ...event }) => ({
      id,
      kind,
      event: upcast(event),
    }));
  }

  movingCash(amountMicroUsd: number, limit: number): Promise<Traced[]> {
    return this.events(
      'events-moving-cash',
      `select ${EVENT} from traced_amount a join event e using (position)
        where a.amount_micro_usd = $1 order by position desc limit $2`,
      [amountMicroUsd, limit],
    );
  }

  payoutsLeftWith(amountMicroUsd: number, limit: number): Promise<Traced[]> {
    return this.events(
      'payouts-left-with',
      `select ${EVENT} from payout p
         join event e on e.stream = 'payouts-' || p.creator_id and e.type = 'WithdrawalRequested'
                     and e.data->>'withdrawalId' = p.withdrawal_id
        where p.reversed_usd_cents > 0 and (p.amount_usd_cents - p.reversed_usd_cents) * 10000 = $1
        order by position desc limit $2`,
      [amountMicroUsd, limit],
    );
  }

  private async events(name: string, text: string, values: unknown[]): Promise<Traced[]> {
    const { rows } = await this.database.pool.query(prepared(name, text, values));
    return (rows as Traced[]).map(upcast);
  }

  private async names(name: string, text: string, ids: readonly string[]) {
    if (ids.length === 0) return new Map();
    const { rows } = await this.database.pool.query(prepared(name, text, [ids]));
    return new Map((rows as { id: string; name: string }[]).map((row) => [row.id, row.name]));
  }
}
