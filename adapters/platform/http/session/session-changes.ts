import { sql } from 'kysely';

export const SESSION_CHANGED = 'session_changed';

/** A column for `returning` that notifies nodes at the commit. Raw SQL, because several tables have a `user_id`. */
export const notifyChange = (userId?: string) =>
  sql<string>`pg_notify(${sql.lit(SESSION_CHANGED)}, ${userId ?? sql.ref('user_id')})`.as('notifyChange');
