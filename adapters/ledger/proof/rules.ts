/** Raw SQL: each rule is one query over all of the books. */
import { FINANCIAL_EVENT_TYPES } from '../../../domain/ledger/entry.js';
import { sharesIn } from '../../platform/database/shares.js';
import { CASH_CHECKS } from './cash-checks.js';
import { CLOSINGS, NOW, POSTED, SETTLING, SINCE, dollars, quoted, standing } from './check-terms.js';

const GRANTED = `(select * from readable_event where type = 'CreditsGranted' and position <= ${POSTED})`;
const EARNED = `(select share->>'creatorId' as creator_id,
                       case type when 'SamplePurchased' then (share->>'shareMicroUsd')::bigint
                                 when 'PurchaseReturned' then -(share->>'shareMicroUsd')::bigint
                                 when 'ShareTakenBack' then -(data->>'shareMicroUsd')::bigint
                                 when 'WithdrawalRequested' then -(data->>'amountMicroUsd')::bigint
                                 else (data->>'amountMicroUsd')::bigint end as amount
                   from readable_event cross join lateral json_array_elements(${sharesIn('data')}) share
                  where type in ('SamplePurchased', 'PurchaseReturned', 'ShareTakenBack', 'WithdrawalRequested', 'WithdrawalFailed', 'TransferReversed', 'CreatorDebtWrittenOff')
                    and position > ${SINCE} and position <= ${POSTED})`;
/** Event types that always have an entry. The excluded types may have none, for example for a share or fee of 0. */
const ALWAYS_POSTED = FINANCIAL_EVENT_TYPES.filter(
  (type) =>
    ![
      'SamplePurchased',
      'PurchaseReturned',
      'BalanceTransactionRecorded',
      'DisputeWon',
      'DisputeLost',
      'MovementHeldInSuspense',
      'MovementExplained',
    ].includes(type),
);

/** The expected body of the trigger function that keeps the log append-only, on one line and quoted for SQL. */
const GUARD = `begin raise exception ''the event log is append-only: % refused'', tg_op using errcode = ''insufficient_privilege''; end`;

const SINGLE_PRICE = `coalesce(p.data->'packPart'->>'singleCredits', p.data->>'priceCredits')::int`;

interface RuleCheck {
  invariant: number;
  /** Selects `detail`, one row per breach. */
  sql: string;
}

const CHECKS: readonly RuleCheck[] = [
  {
    invariant: 1,
    sql: `select format('the lines of event %s are off by %s', position, case commodity when 'usd' then ${dollars('sum(delta)')} else sum(delta) || ' ' || commodity end) as detail
            from journal_line group by position, commodity having sum(delta) <> 0`,
  },
  {
    invariant: 2,
    sql: `select format('event %s (%s) has no entry', e.position, e.type) as detail
            from readable_event e
           where e.position > ${SINCE} and e.position <= ${POSTED}
             and (e.type in (${quoted(ALWAYS_POSTED)})
                  or e.type = 'DisputeWon' and ((e.data->>'credits')::int > 0 or (e.data->>'amountMicroUsd')::bigint <> 0)
                  or e.type = 'DisputeLost' and ((e.data->>'credits')::int > 0
                     or (e.data->>'amountMicroUsd')::bigint <> coalesce((e.data->'unexplained'->>'amountMicroUsd')::bigint, 0))
                  or e.type in ('MovementHeldInSuspense', 'MovementExplained')
                     and (e.data->'foreign' is not null or (e.data->>'amountMicroUsd')::bigint <> 0 or coalesce((e.data->>'feeMicroUsd')::bigint, 0) <> 0)
                  or e.type in ('SamplePurchased', 'PurchaseReturned') and (e.data->>'shareMicroUsd')::bigint <> 0
                  or e.type = 'BalanceTransactionRecorded'
                     and case e.data->>'kind' when 'dispute' then 0 when 'dispute adjusted' then 0 when 'fee' then (e.data->>'feeMicroUsd')::bigint - (e.data->>'grossMicroUsd')::bigint
                                              else (e.data->>'feeMicroUsd')::bigint end <> 0)
             and not exists (select 1 from journal_line l where l.position = e.position)
          union all
          select format('the entry at %s belongs to no financial event', l.position)
            from (select distinct position from journal_line where position > ${SINCE}) l left join readable_event e using (position)
           where e.type is null or e.type not in (${quoted(FINANCIAL_EVENT_TYPES)})
          union all
          select format('the lines of event %s are of several facts', position)
            from journal_line where position > ${SINCE} group by position having count(distinct fact) > 1 or count(distinct at) > 1`,
  },
  {
    invariant: 3,
    sql: `select format('user %s shows %s credits, the lines add up to %s, the lots have %s', coalesce(a.user_id, l.user_id),
                        coalesce(a.balance, 0), coalesce(l.total, 0), coalesce(lots.remaining, 0)) as detail
            from credit_account a
            full join (select user_id, sum(delta) as total from credit_line group by user_id) l using (user_id)
            left join lateral (select sum((lot->>'credits')::int - (lot->>'spentCredits')::int) as remaining
                                 from jsonb_array_elements(a.lots) lot where not lot ? 'disputedBy') lots on true
           where coalesce(a.balance, 0) <> coalesce(l.total, 0) or coalesce(a.balance, 0) <> coalesce(lots.remaining, 0) or a.balance < 0
          union all
          select format('the journal gives user %s %s credits, the lines give %s', coalesce(j.user_id, l.user_id), coalesce(j.total, 0), coalesce(l.total, 0))
            from (select split_part(account, ':', 2) as user_id, sum(delta) as total from journal_line
                   where account >= 'user:' and account < 'user;' group by 1) j
            full join (select user_id, sum(delta) as total from credit_line where position <= ${POSTED} group by 1) l using (user_id)
           where coalesce(j.total, 0) <> coalesce(l.total, 0)`,
  },
  {
    invariant: 4,
    sql: `with spent as (
            select segment->>'lotId' as lot_id, sum(case when type in ('RefundUndone', 'LostDisputeWon') then -1 else 1 end * (segment->>'credits')::bigint) as credits
              from readable_event, json_array_elements(data->'segments') segment
             where type in ('CreditsSpent', 'CreditsRevoked', 'InvoiceRefunded', 'RefundUndone', 'DisputeLost', 'LostDisputeWon') and position <= ${POSTED} group by 1
          ), deferred as (
            select substr(account, 10) as lot_id, -sum(delta) as value from journal_line
             where account >= 'deferred:' and account < 'deferred;' group by account
          )
          select format('lot %s spent %s of %s credits and defers %s', coalesce(g.lot_id, s.lot_id, d.lot_id), coalesce(s.credits, 0), g.credits, ${dollars('coalesce(d.value, 0)')}) as detail
            from (select * from credit_grant where position <= ${POSTED}) g
            full join spent s using (lot_id) full join deferred d using (lot_id)
           where g.lot_id is null or coalesce(s.credits, 0) > g.credits
              or coalesce(d.value, 0) <> g.value_micro_usd - floor(g.value_micro_usd * coalesce(s.credits, 0)::numeric / g.credits)`,
  },
  {
    invariant: 5,
    sql: `select format('granted %s, recognised %s, forfeited %s, refunded and charged back %s, deferred %s', ${['granted', 'recognised', 'forfeited', 'returned', 'deferred'].map(dollars).join(', ')}) as detail
            from (select (select coalesce(sum((data->>'valueMicroUsd')::bigint), 0) from ${GRANTED} g where data->>'reason' <> 'refund') as granted,
                         coalesce(-sum(delta) filter (where account = 'credits'), 0) as recognised,
                         coalesce(-sum(delta) filter (where account = 'forfeited' and fact <> 'adjusting-entry'), 0) as forfeited,
                         -- The deferred value that was paid back. Payments beyond it do not change earned income.
                         coalesce(sum(delta) filter (where fact in ('invoice-refunded', 'refund-undone', 'dispute-lost', 'dispute-won')
                                                       and (account >= 'deferred:' and account < 'deferred;' or account = 'forfeited')), 0) as returned,
                         coalesce(-sum(delta) filter (where account >= 'deferred:' and account < 'deferred;'), 0) as deferred
                    from journal_line) b
           where granted <> recognised + forfeited + returned + deferred`,
  },
  {
    invariant: 6,
    sql: `select format('%s was charged %s times and returned %s times', stream, count(*) filter (where type = 'SamplePurchased'),
                        count(*) filter (where type = 'PurchaseReturned')) as detail
            from readable_event
           where type in ('SamplePurchased', 'PurchaseReturned')
             and stream in (select stream from event where type in ('SamplePurchased', 'PurchaseReturned') and position > ${SINCE})
           group by stream
          having count(*) filter (where type = 'SamplePurchased') > count(*) filter (where type = 'PurchaseReturned') + 1`,
  },
  {
    invariant: 7,
    // A part of a pack is checked against the price of the sample, the price of the pack and the allocation.
    // If a price changes during a purchase, the buyer may still pay the old price for one minute.
    sql: `select format('event %s charged %s credits for sample %s, which cost %s', p.position, p.data->>'priceCredits', p.data->>'sampleId', prices.list) as detail
            from readable_event p
            cross join lateral (
              select array_agg(price) as list from (
                select (c.data->>'priceCredits')::int as price, c.recorded_at,
                       lead(c.recorded_at) over (order by c.version) as replaced_at
                  from readable_event c
                 where c.stream = 'pack-' || (p.data->>'packId') and c.type in ('SampleAdded', 'SamplePriceChanged')
                   and c.data->>'sampleId' = p.data->>'sampleId' and c.position < p.position) history
               where replaced_at is null or replaced_at > p.recorded_at - interval '1 minute') prices
           where p.type = 'SamplePurchased' and p.data->'promotion' is null and p.position > ${SINCE} and prices.list is not null and not ${SINGLE_PRICE} = any(prices.list)
          union all
          -- A code is redeemed once a person, up to its limit. Only then it gives samples, for nothing.
          select format('event %s was received with code %s, which was not redeemed for it or cost something', p.position, p.data->>'promotion')
            from readable_event p
           where p.type = 'SamplePurchased' and p.data->'promotion' is not null and p.position > ${SINCE}
             and ((p.data->>'priceCredits')::int <> 0 or (p.data->>'valueMicroUsd')::bigint <> 0 or json_array_length(p.data->'shares') <> 0
                  or not exists (select 1 from readable_event r
                                  where r.stream = 'promotion-' || (p.data->>'promotion') and r.type = 'PromotionCodeRedeemed'
                                    and r.data->>'buyerId' = p.data->>'buyerId'
                                    -- Older redemptions list their purchases. Later ones are appended together with them.
                                    and case when r.data->'received' is null then abs(p.position - r.position) <= (r.data->>'samples')::int
                                             else exists (select 1 from json_array_elements(r.data->'received') item
                                                           where item->>'purchaseId' = p.data->>'purchaseId') end))
          union all
          select format('event %s says that code %s gave %s samples, it gave %s', r.position, r.data->>'code', r.data->>'samples', given.samples)
            from readable_event r
            cross join lateral (select count(*) as samples from readable_event p
                                 where p.position between r.position - (r.data->>'samples')::int and r.position + (r.data->>'samples')::int
                                   and p.type = 'SamplePurchased' and p.data->>'promotion' = r.data->>'code'
                                   and p.data->>'buyerId' = r.data->>'buyerId') given
           where r.type = 'PromotionCodeRedeemed' and r.data->'received' is null and r.position > ${SINCE}
             and given.samples <> (r.data->>'samples')::int
          union all
          select format('code %s was redeemed %s times by %s people, its limit is %s', created.data->>'code', used.times, used.people, created.data->>'limit')
            from readable_event created
            cross join lateral (select count(*) as times, count(distinct r.data->>'buyerId') as people
                                  from readable_event r where r.stream = created.stream and r.type = 'PromotionCodeRedeemed') used
           where created.type = 'PromotionCodeCreated' and (used.times > used.people or used.times > (created.data->>'limit')::int)
          union all
          select format('event %s charged a part of %s credits for pack %s, which cost %s', p.position, p.data->'packPart'->>'packCredits', p.data->>'packId', prices.list)
            from readable_event p
            cross join lateral (
              select array_agg(price) as list from (
                select (c.data->>'priceCredits')::int as price, lead(c.recorded_at) over (order by c.version) as replaced_at
                  from readable_event c
                 where c.stream = 'pack-' || (p.data->>'packId') and c.type = 'PackPriced' and c.position < p.position) history
               where replaced_at is null or replaced_at > p.recorded_at - interval '1 minute') prices
           where p.type = 'SamplePurchased' and p.position > ${SINCE} and p.data->'packPart' is not null
             and (p.data->'packPart'->>'packCredits')::int = any(prices.list) is not true
          union all
          -- Allocates the credits of each order once more, by largest remainders.
          select format('event %s charged %s credits for a part of a pack, not %s', position, charged, allocated)
            from (select position, charged, own_part + case when row_number() over (partition by order_id order by remainder desc, position)
                                                              <= paid - sum(own_part) over (partition by order_id) then 1 else 0 end as allocated,
                         single_sum <> ordered as incomplete, begun
                    from (select position, order_id, bool_or(purchase_id = order_id) over (partition by order_id) as begun, charged, paid, ordered, paid * single / ordered as own_part, paid * single % ordered as remainder,
                                 sum(single) over (partition by order_id) as single_sum
                            from (select position, part->>'orderId' as order_id, data->>'purchaseId' as purchase_id, (data->>'priceCredits')::bigint as charged,
                                         (part->>'singleCredits')::bigint as single, (part->>'orderSumCredits')::bigint as ordered,
                                         ceil((part->>'packCredits')::numeric * (part->>'orderSumCredits')::int / (part->>'packSumCredits')::int)::bigint as paid
                                    from readable_event cross join lateral (select data->'packPart' as part) parts
                                   where type = 'SamplePurchased' and position > ${SINCE} and part is not null) sold) exact) allocation
           -- An order that began before the checked events was checked then.
           where (begun or ${SINCE} = 0) and (charged <> allocated or incomplete)`,
  },
  {
    invariant: 8,
    sql: `select format('invoice line %s granted %s times', data->'invoice'->>'invoiceLineId', count(*)) as detail
            from readable_event where type = 'CreditsGranted' and data->'invoice' is not null
           group by data->'invoice'->>'invoiceLineId' having count(*) > 1
          union all
          select format('%s %s was recorded %s times', type, coalesce(data->>'refundId', data->>'disputeId'), count(*))
            from readable_event where type in ('InvoiceRefunded', 'RefundPending', 'RefundNoLongerPending', 'RefundFailed', 'RefundUndone', 'DisputeOpened', 'DisputeWon', 'DisputeLost', 'LostDisputeWon')
           group by type, data->>'lotId', coalesce(data->>'refundId', data->>'disputeId') having count(*) > 1
          union all
          select format('%s %s was recorded %s times', type, coalesce(data->>'transactionId', data->>'reversalId', data->>'transferId'), count(*))
            from readable_event where type in ('BalanceTransactionRecorded', 'TransferCreated', 'TransferReversed')
           group by type, coalesce(data->>'transactionId', data->>'reversalId', data->>'transferId') having count(*) > 1
          union all
          select format('lot %s granted %s times', data->>'lotId', count(*))
            from readable_event where type = 'CreditsGranted' group by data->>'lotId' having count(*) > 1`,
  },
  {
    invariant: 9,
    sql: `select format('the charge behind certificate %s answers %s keys', item->>'certificateId', count(*)) as detail
            from purchase_request, json_array_elements(outcome->'items') item
           where outcome->>'status' = 'bought' and (item->>'charged')::int > 0
           group by item->>'certificateId' having count(*) > 1`,
  },
  {
    invariant: 10,
    sql: `select format('invoice %s is paid and has no lot', i.invoice_id) as detail from stripe_invoice i
           where i.sells_plan and not exists (select 1 from readable_event e where e.type = 'CreditsGranted' and e.data->'invoice'->>'invoiceId' = i.invoice_id)
          union all
          select format('lot %s has an invoice %s that is not known as paid', data->>'lotId', data->'invoice'->>'invoiceId')
            from readable_event where type = 'CreditsGranted' and data->'invoice' is not null and recorded_at < ${NOW} - ${SETTLING}
             and not exists (select 1 from stripe_invoice i where i.invoice_id = data->'invoice'->>'invoiceId')`,
  },
  {
    invariant: 11,
    sql: `select format('royalties of %s on %s collected and promoted', ${dollars('royalties')}, ${dollars('collected')}) as detail
            from (select coalesce(sum(delta) filter (where account = 'royalties'), 0) as royalties,
                         coalesce(sum(delta) filter (where (account in ('stripe:balance', 'tax', 'suspense') or account like 'tax:%') and fact = 'invoice-paid' or account = 'promotions'), 0) as collected
                    from journal_line) b
           where royalties > collected
          union all
          -- Computes the agreed share from the value of each sale instead of reading it.
          select format('royalties of %s, where the sales give %s', ${dollars('royalties')}, ${dollars('agreed')})
            from (select coalesce(sum(delta), 0) as royalties from journal_line where account = 'royalties') posted,
                 (select coalesce(sum(case type when 'SamplePurchased' then floor((data->>'valueMicroUsd')::numeric * (data->>'shareBps')::int / 10000)
                                                else -(data->>'shareMicroUsd')::bigint end), 0) as agreed
                    from readable_event where type in ('SamplePurchased', 'PurchaseReturned', 'ShareTakenBack') and position <= ${POSTED}) sales
           where royalties > agreed
          union all
          select format('the shares of event %s sum to %s, not %s', position, ${dollars('coalesce(parts, 0)')}, ${dollars('whole')})
            from (select position, (data->>'shareMicroUsd')::bigint as whole,
                         (select coalesce(sum((share->>'shareMicroUsd')::bigint), 0) from json_array_elements(data->'shares') share) as parts
                    from readable_event
                   where type in ('SamplePurchased', 'PurchaseReturned') and data->'shares' is not null and position <= ${POSTED}) shared
           where parts is distinct from whole`,
  },
  {
    invariant: 12,
    // A return after a payout may make a balance negative. Only a withdrawal of more than the balance breaks the rule.
    sql: `select format('event %s withdraws more than %s had', position, account) as detail
            from (select position, account, fact, sum(delta) over (partition by account order by position, line) as balance
                    from journal_line where account >= 'creator:' and account < 'creator;') b
           where fact = 'withdrawal-requested' and balance > 0`,
  },
  {
    invariant: 13,
    sql: `select format('creator %s has %s in the journal, earned %s', coalesce(j.creator_id, e.creator_id), ${dollars('coalesce(j.balance, 0)')}, ${dollars('coalesce(e.earned, 0)')}) as detail
            from (select substr(account, 9) as creator_id, -sum(delta) as balance from journal_line
                   where account >= 'creator:' and account < 'creator;' and position > ${SINCE} group by account) j
            full join (select creator_id, sum(amount) as earned from ${EARNED} s group by creator_id) e using (creator_id)
           where coalesce(j.balance, 0) <> coalesce(e.earned, 0)`,
  },
  ...CASH_CHECKS,
  {
    invariant: 16,
    sql: `select format('%s events behind position %s up to %s, the head is at %s', count(*), ${SINCE}, max(position), (select max(position) from log_end)) as detail
            from event where position > ${SINCE}
          having count(*) <> coalesce(max(position), ${SINCE}) - ${SINCE} or coalesce(max(position), ${SINCE}) <> (select max(position) from log_end)
          union all
          select format('stream %s has %s events from version %s to %s', stream, events, first, last)
            from (select stream, count(*) as events, min(version) as first, max(version) as last
                    from event where position > ${SINCE} group by stream) s
           where events <> last - first + 1
              or first > 1 and not exists (select 1 from event before where before.stream = s.stream and before.version = s.first - 1)`,
  },
  {
    invariant: 17,
    // Bits of pg_trigger.tgtype: 1 for each row, 2 before, 8 delete, 16 update, 32 truncate.
    sql: `select format('the trigger %s that guards the log is not there', name) as detail
            from (values ('event_is_append_only', 1 + 2 + 8 + 16), ('event_is_never_emptied', 2 + 32)) guard(name, kind)
           where not exists (select 1 from pg_trigger t join pg_proc p on p.oid = t.tgfoid
                              where tgname = name and tgrelid = 'event'::regclass and tgenabled = 'O'
                                and tgtype = kind and tgqual is null and tgattr = ''
                                and regexp_replace(btrim(prosrc, E' \\n\\t'), '\\s+', ' ', 'g') = '${GUARD}')`,
  },
  {
    invariant: 19,
    sql: `select format('user %s received certificate %s, which the log does not contain', r.user_id, item->>'certificateId') as detail
            from purchase_request r, json_array_elements(r.outcome->'items') item
           where r.outcome->>'status' = 'bought'
             and not exists (select 1 from readable_event e where e.stream = 'purchase-' || r.user_id || '.' || (item->>'sampleId')
                                                     and e.data->>'certificateId' = item->>'certificateId')`,
  },
  {
    invariant: 20,
    sql: `with closed as (
            select data->>'month' as month, position as closed_position,
                   ((data->>'month') || '-01')::timestamp at time zone 'UTC' + interval '1 month' as ended, data->'balances' as balances
              from ${CLOSINGS} closing
          )
          select format('event %s is posted into %s, which was closed', l.position, c.month) as detail
            from closed c join journal_line l on l.at < c.ended and l.position > c.closed_position group by c.month, l.position
          union all
          select format('%s ended %s with %s, its books now say %s', account, month, ${standing('account', 'was')}, ${standing('account', 'now')})
            from (select c.month, account, max(was) as was, max(now) as now from closed c
                   cross join lateral (
                     select b->>'account' as account, (b->>'balance')::bigint as was, null::bigint as now from json_array_elements(c.balances) b
                     union all
                     select account, null, sum(delta)::bigint from journal_line where at < c.ended group by account having sum(delta) <> 0) both_ways
                   group by c.month, account) compared
           where was is distinct from now`,
  },
  {
    invariant: 22,
    sql: `select format('sample %s went to user %s, who never got it', d.sample_id, d.buyer_id) as detail from delivery d
           where not exists (select 1 from owned_sample o where o.buyer_id = d.buyer_id and o.sample_id = d.sample_id)`,
  },
  {
    invariant: 24,
    sql: `select format('%s has %s, the events come to %s', account, ${dollars('coalesce(j.owed, 0)')}, ${dollars('coalesce(e.owed, 0)')}) as detail
            from (select account, -sum(delta) as owed from journal_line
                   where (account = 'tax' or account > 'tax:' and account < 'tax;') and fact <> 'adjusting-entry' group by account) j
            full join (select coalesce('tax:' || place, 'tax') as account, sum(tax) as owed
                         from (select data->'invoice'->'taxed'->>'place' as place, (data->'invoice'->>'taxMicroUsd')::bigint as tax
                                 from ${GRANTED} g where data->'invoice' is not null
                               union all
                               select data->>'taxPlace', case when type in ('RefundUndone', 'LostDisputeWon') then 1 else -1 end * coalesce((data->>'taxMicroUsd')::bigint, 0)
                                 from readable_event where type in ('InvoiceRefunded', 'RefundUndone', 'DisputeLost', 'LostDisputeWon') and position <= ${POSTED}) t
                        group by 1) e using (account)
           where coalesce(j.owed, 0) <> coalesce(e.owed, 0)
          union all
          select format('event %s gives tax of lot %s back for %s, it was collected for %s', back.position, back.data->>'lotId',
                        coalesce(back.data->>'taxPlace', 'no place'), coalesce(sold.data->'invoice'->'taxed'->>'place', 'no place'))
            from readable_event back
            join credit_grant g on g.lot_id = back.data->>'lotId'
            join readable_event sold on sold.position = g.position
           where back.type in ('InvoiceRefunded', 'RefundUndone', 'DisputeLost', 'LostDisputeWon') and (back.data->>'taxMicroUsd')::bigint <> 0
             and back.data->>'taxPlace' is distinct from sold.data->'invoice'->'taxed'->>'place'`,
  },
  {
    invariant: 25,
    // An entry may be posted in the month of recording, the month of its fact, or a month that two people chose.
    sql: `select format('the entry of event %s is posted in %s', position, month) as detail
            from (select distinct position, to_char(at at time zone 'UTC', 'YYYY-MM') as month from journal_line where position > ${SINCE}) l
            join readable_event e using (position)
           where month not in (to_char(e.recorded_at at time zone 'UTC', 'YYYY-MM'), coalesce(left(e.data->>'effectiveAt', 7), ''),
                               coalesce(left(e.data->>'at', 7), ''), coalesce(left(e.data->>'grantedAt', 7), ''))`,
  },
];

const judgesEvents = ({ sql }: RuleCheck): boolean => sql.includes(SINCE);

/**
 * Rules about single events check only events after `SINCE`, the position from which the check
 * starts. Rules about totals check all of the books.
 */
export const EVENT_CHECKS = CHECKS.filter(judgesEvents);
export const BOOK_CHECKS = CHECKS.filter((check) => !judgesEvents(check));
