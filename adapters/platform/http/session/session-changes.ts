import { sql } from 'kysely';

export const SESSION_CHANGED = 'session_changed';

/** Notifies at the commit. Raw SQL, because `user_id` of the returned rows is a column of several tables. */
export const notifyChange = (userId?: string) =>
  sql<string>`pg_notify(${sql.lit(SESSION_CHANGED)}, ${userId ?? sql.ref('user_id')})`.as('notifyChange');
