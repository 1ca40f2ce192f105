import { sql } from 'kysely';

/** The channel on which processes hear whose session, rights or account another one has changed. */
export const SESSION_CHANGED = 'session_changed';

/**
 * Tells, when its statement commits, of the user of the rows that it returns, or of a user by id. Raw SQL, because
 * `user_id` stands for a column of several tables.
 */
export const told = (userId?: string) =>
  sql<string>`pg_notify(${sql.lit(SESSION_CHANGED)}, ${userId ?? sql.ref('user_id')})`.as('told');
