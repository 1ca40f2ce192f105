/** Raw SQL: each rule is one query over all of the books. */
import { REFUND_FAILED, REFUND_ON_ITS_WAY } from '../../../application/ledger/values.js';
import { CASH_ACCOUNTS } from '../../../domain/ledger/accounts.js';
import { CLEARED_ACCOUNTS } from '../../../domain/ledger/adjusting-entry.js';
import { HELD_MOVEMENTS } from '../postgres-recorded-movements.js';
import {
  AGED,
  NOW,
  POSTED,
  SETTLING,
  dollars,
  inAnyCurrency,
  isAged,
  quoted,
  standing,
} from './check-terms.js';

export const isCleared = (account: string): string =>
  `(${CLEARED_ACCOUNTS.map((name) => inAnyCurrency(account, name)).join(' or ')})`;

/**
 * SQL for open items; a debit is positive. `since` is when the item's first event was
 * recorded. @param which SQL condition on line `l`
 */
export const openItems = (which = 'true'): string => `
  select account, about, min(at) as since, min(position) as position, sum(delta)::bigint as balance,
         (array_agg(reason order by position desc) filter (where reason is not null))[1] as reason
    from (select l.account, e.recorded_at as at, l.position, l.delta,
                 coalesce(case when e.type = 'AdjustingEntryPosted' then e.data->'lines'->(l.line::int)->>'about' end, e.data->>'withdrawalId', e.data->>'payoutId', e.data->>'disputeId', e.data->>'refundId',
                          e.data->>'item', e.data->'invoice'->>'invoiceId', e.stream) as about,
                 case when ${isCleared('l.account')} and e.type <> 'AdjustingEntryPosted'
                      then coalesce(case when l.account like 'suspense%' then coalesce(e.data->'unexplained'->>'reason', e.data->'invoice'->'unexplained'->>'reason') end,
                                    case e.type when 'RefundPending' then '${REFUND_ON_ITS_WAY}: ' else '' end || (e.data->>'reason'),
                                    '${REFUND_FAILED}: ' || (e.data->>'failure')) end as reason
            from journal_line l join readable_event e using (position)
           where (l.account in ('bank:in-transit', 'disputes:held', 'payouts-in-transit') or ${isCleared('l.account')}) and ${which}) as lines
   group by account, about having sum(delta) <> 0`;

/**
 * Counts the later facts of a refund as the refund itself, so that a refund that was refused or not sent sums to
 * 0.
 */
const refundIn = (fact: string): string =>
  `case when ${fact} in ('refund-failed', 'refund-undone', 'refund-pending', 'refund-no-longer-pending') then 'invoice-refunded' else ${fact} end`;

export const CASH_CHECKS: readonly { invariant: number; sql: string }[] = [
  {
    invariant: 14,
    sql: `with held as (${HELD_MOVEMENTS})
          select format('event %s moves %s of %s', position, ${standing('account', 'delta')}, account) as detail
            from journal_line where account in (${quoted(CASH_ACCOUNTS)}) and delta % 10000 <> 0
          union all
          -- Both sides record a movement within days. A movement that only one side has after that is a difference.
          select format('%s of %s: %s at the provider, %s in the books', fact, about, ${dollars('coalesce(p.moved, 0)')}, ${dollars('coalesce(b.moved, 0)')})
            from (select case when held.transaction_id is null then ${refundIn('t.fact')} else 'movement-in-suspense' end as fact,
                         case when held.transaction_id is null then t.about else t.transaction_id end as about,
                         sum(moved_micro_usd)::bigint as moved, max(recorded_at) as recorded
                    from balance_transaction t left join held using (transaction_id)
                   where t.fact is not null and t.about is not null or held.transaction_id is not null group by 1, 2) p
            full join (select ${refundIn('fact')} as fact, about, sum(amount_micro_usd)::bigint as moved, max(at) as recorded
                         from cash_fact where fact <> 'stripe-fee' group by 1, 2) b using (fact, about)
           where coalesce(p.moved, 0) <> coalesce(b.moved, 0) and greatest(p.recorded, b.recorded) < ${NOW} - ${AGED}
          union all
          -- A movement without a subject must be in suspense as soon as it is recorded.
          select format('%s moved %s at the provider and is in no account', transaction_id, ${dollars('moved_micro_usd')})
            from balance_transaction t
           where (fact is null or about is null) and kind <> 'fee' and moved_micro_usd <> 0
             and transaction_id not in (select transaction_id from held) and recorded_at < ${NOW} - ${SETTLING}
          union all
          select format('%s moved %s %s and is in no account', r.data->>'transactionId',
                        r.data->'foreign'->>'grossMinorUnits', r.data->'foreign'->>'currency')
            from readable_event r
           where r.type = 'BalanceTransactionRecorded' and r.data->'foreign' is not null
             and r.data->'foreign'->>'grossMinorUnits' <> r.data->'foreign'->>'feeMinorUnits' and r.recorded_at < ${NOW} - ${SETTLING}
             and not exists (select 1 from readable_event h where h.stream = r.stream and h.type = 'MovementHeldInSuspense')
          union all
          select format('the provider’s balance in %s was %s, the books up to event %s have %s', currency, trim_scale(provider_micro / 1000000.0), compared_position, trim_scale(net / 1000000.0))
            from foreign_balance
           cross join lateral (select coalesce(sum(delta), 0)::bigint as net from journal_line
                                where account = 'stripe:balance:' || currency and position <= compared_position) as known
           where compared_position <= ${POSTED} and provider_micro <> net
          union all
          select format('the provider’s balance was %s, its movements up to event %s come to %s', ${dollars('provider_micro_usd')}, compared_position, ${dollars('net')})
            from balance_sweep
           cross join lateral (select coalesce(sum(gross_micro_usd - fee_micro_usd), 0)::bigint as net
                                 from balance_transaction where position <= compared_position) as known
           where compared_position <= ${POSTED} and provider_micro_usd <> net`,
  },
  {
    invariant: 15,
    sql: `select format('%s holds %s of %s since %s%s', account, ${standing('account', 'balance')}, about, since, ': ' || reason) as detail
            from (${openItems()}) as open
           where ${isAged(NOW)}
          union all
          -- A dispute may take months. Its money is held while it is open.
          select format('disputes:held holds %s, open disputes are about %s', ${dollars('held')}, ${dollars('disputed')})
            from (select coalesce(sum(delta), 0) as held from journal_line where account = 'disputes:held') h,
                 (select coalesce(sum(case when type in ('DisputeOpened', 'DisputeAdjusted') then 1 else -1 end
                                      * (coalesce(data->>'amountMicroUsd', data->>'deltaMicroUsd')::bigint - coalesce((data->'unexplained'->>'amountMicroUsd')::bigint, 0))), 0) as disputed
                    from readable_event where type in ('DisputeOpened', 'DisputeAdjusted', 'DisputeWon', 'DisputeLost') and position <= ${POSTED}) d
           where held <> disputed`,
  },
];
