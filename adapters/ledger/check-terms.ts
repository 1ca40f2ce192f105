export const quoted = (names: readonly string[]): string => names.map((name) => `'${name}'`).join(', ');

/** Events up to here are posted; everything that compares with the journal stops here. */
export const POSTED = `(select coalesce(max(position), 0) from checkpoint where name = 'journal')`;
/** The business's time, as the check has set it for the transaction. */
export const NOW = `current_setting('offcut.now')::timestamptz`;
/** Transfers take days and disputes months, but somebody looks at items older than this. */
export const AGED = `interval '7 days'`;
/** An invoice is marked as settled right after its credits; a stopped node makes up for it within minutes. */
export const SETTLING = `interval '15 minutes'`;
/** The closing of each month that counts: the newest, unless the month was reopened since. */
export const CLOSINGS = `(select * from (select distinct on (stream) * from readable_event
  where type in ('PeriodClosed', 'PeriodReopened') order by stream, version desc) newest where type = 'PeriodClosed')`;
