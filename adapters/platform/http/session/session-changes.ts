import { sql } from 'kysely';

/** The channel that notifies other processes of a changed session, right or account. */
export const SESSION_CHANGED = 'session_changed';

/**
 * Notifies other processes when its statement commits: of the user of the returned rows, or of `userId`. Raw SQL,
 * because `user_id` is a column of several tables.
 */
export const notifyChange = (userId?: string) =>
  sql<string>`pg_notify(${sql.lit(SESSION_CHANGED)}, ${userId ?? sql.ref('user_id')})`.as('notifyChange');
