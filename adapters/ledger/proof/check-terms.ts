import { FOREIGN, OWED } from '../../../domain/ledger/accounts.js';
import { RESERVE } from '../../../domain/shared/balance-movement.js';

export const quoted = (names: readonly string[]): string => names.map((name) => `'${name}'`).join(', ');

/** SQL that formats micro-dollars as "-5.01 USD", with two to six decimal places. */
export const dollars = (microUsd: string): string =>
  `to_char((${microUsd})::numeric / 1000000, 'FM999999999999990.009999') || ' USD'`;

/** SQL for the name of the user who owns an account. Null for an account that belongs to no user. */
export const nameOf = (account: string): string =>
  `(select case when u.erased_at is null then u.display_name else 'Former member' end from user_account u
     where u.user_id = substring(${account} from '^(?:user|frozen|creator):(.+)$'))`;

/** Formats an amount in the unit of its account: credits, dollars or another currency. */
export const standing = (account: string, amount: string): string =>
  `case when ${account} ~ '^(user:|frozen:|(issued|spent|revoked)$)' then ${amount} || ' credits'
        when ${account} ~ '${FOREIGN.source}' then replace(${dollars(amount)}, 'USD', upper(substring(${account} from '[^:]+$')))
        else ${dollars(amount)} end`;

/** The position of the last event that the journal has posted. Checks compare the log with the journal up to there. */
export const POSTED = `(select coalesce(max(position), 0) from checkpoint where name = 'journal')`;
/** The time of the check, by the application's clock. The check sets it in its transaction. */
export const NOW = `current_setting('offcut.now')::timestamptz`;
/** Rules about single events check only events after this position. The check sets it in its transaction. */
export const SINCE = `current_setting('offcut.since')::bigint`;
/** Most open items, such as transfers, are settled within days. Staff should look at older ones. */
export const AGED = `interval '7 days'`;
/** Debts to customers may stay open this long: staff may have to find customers whose card no longer works. */
const LONG_OWED = `interval '180 days'`;
/** The account `name` in any currency, such as `name:eur`. The range ends at ';', which follows ':' in byte order. */
export const inAnyCurrency = (account: string, name: string): string =>
  `(${account} = '${name}' or ${account} > '${name}:' and ${account} < '${name};')`;
/**
 * Whether an item is open too long. Disputes and reserves with a debit balance never are: the bank or the provider
 * decides how long.
 */
export const isAged = (now: string): string => `case
  when account = 'disputes:held' or ${inAnyCurrency('account', RESERVE)} and balance > 0 then false
  when ${inAnyCurrency('account', OWED)} and balance < 0 then since < ${now} - ${LONG_OWED}
  else since < ${now} - ${AGED} end`;

/** A node marks an invoice as settled right after it grants the credits, or minutes later if a node crashed. */
export const SETTLING = `interval '15 minutes'`;
/** The valid closing of each month: the newest one. A month that was reopened afterwards has none. */
export const CLOSINGS = `(select * from (select distinct on (stream) * from readable_event
  where type in ('PeriodClosed', 'PeriodReopened') order by stream, version desc) newest where type = 'PeriodClosed')`;
