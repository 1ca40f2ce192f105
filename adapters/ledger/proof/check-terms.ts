import { OWED } from '../../../domain/ledger/accounts.js';
import { RESERVE } from '../../../domain/shared/balance-movement.js';

export const quoted = (names: readonly string[]): string => names.map((name) => `'${name}'`).join(', ');

/** An amount in micro-dollars as people read it: "-5.01 USD", with as many places as it needs. */
export const dollars = (microUsd: string): string =>
  `to_char((${microUsd})::numeric / 1000000, 'FM999999999999990.009999') || ' USD'`;

/** The person behind an account of somebody's; null of any other. */
export const nameOf = (account: string): string =>
  `(select case when u.erased_at is null then u.display_name else 'Former member' end from user_account u
     where u.user_id = substring(${account} from '^(?:user|frozen|creator):(.+)$'))`;

/** What stands on an account, in its own commodity. */
export const standing = (account: string, amount: string): string =>
  `case when ${account} ~ '^(user:|frozen:|(issued|spent|revoked)$)' then ${amount} || ' credits'
        when ${account} ~ '^(suspense|owed-to-customers|stripe:balance|stripe:reserve|opening-balances):' then replace(${dollars(amount)}, 'USD', upper(substring(${account} from '[^:]+$')))
        else ${dollars(amount)} end`;

/** Events up to here are posted; everything that compares with the journal stops here. */
export const POSTED = `(select coalesce(max(position), 0) from checkpoint where name = 'journal')`;
/** The business's time, as the check has set it for the transaction. */
export const NOW = `current_setting('offcut.now')::timestamptz`;
/** Rules that judge each event by itself look at those behind this position, as the check has set it. */
export const SINCE = `current_setting('offcut.since')::bigint`;
/** Transfers take days and disputes months, but somebody looks at items older than this. */
export const AGED = `interval '7 days'`;
/** Customers whose card is gone take months to find. */
const LONG_OWED = `interval '180 days'`;
/** Lines of an account and of the same account in other currencies. ';' follows ':' in byte order. */
export const inAnyCurrency = (account: string, name: string): string =>
  `(${account} = '${name}' or ${account} > '${name}:' and ${account} < '${name};')`;
/**
 * Whether an open item has waited for too long. A dispute takes months, and a reserve as long as the provider wants; a
 * debt or a reserve on its wrong side has no such excuse.
 */
export const isAged = (now: string): string => `case
  when account = 'disputes:held' or ${inAnyCurrency('account', RESERVE)} and balance > 0 then false
  when ${inAnyCurrency('account', OWED)} and balance < 0 then since < ${now} - ${LONG_OWED}
  else since < ${now} - ${AGED} end`;

/** An invoice is marked as settled right after its credits; a stopped node makes up for it within minutes. */
export const SETTLING = `interval '15 minutes'`;
/** The closing of each month that counts: the newest, unless the month was reopened since. */
export const CLOSINGS = `(select * from (select distinct on (stream) * from readable_event
  where type in ('PeriodClosed', 'PeriodReopened') order by stream, version desc) newest where type = 'PeriodClosed')`;
