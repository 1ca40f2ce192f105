import { newSecret } from '../../application/accounts/sessions/sessions.js';
import { reject } from '../../domain/shared/decision.js';
import type { Queries } from '../platform/database/database.js';
import type { Refusable } from './collection-rows.js';

/** The tables whose rows their owners share by secret links, with the columns of their ids. */
const IDS = { own_collection: 'collection_id', workbench: 'workbench_id' } as const;

interface SharedRow {
  table: keyof typeof IDS;
  userId: string;
  id: string;
}

/** Returns the secret part of a link; makes it if there is none. */
export async function secretOf(
  db: Queries,
  { table, userId, id }: SharedRow,
  column: 'share_token' | 'invitation_token' = 'share_token',
): Refusable<'NotFound', { token: string }> {
  const row = await db
    .updateTable(table)
    .set(({ fn, ref, val }) => ({ [column]: fn.coalesce(ref(column), val(newSecret())) }))
    .where('user_id', '=', userId)
    .where(IDS[table], '=', id)
    .returning(`${column} as token`)
    .executeTakeFirst();
  return row?.token ? { accepted: true, token: row.token } : reject({ code: 'NotFound' });
}

export async function endLink(db: Queries, { table, userId, id }: SharedRow): Refusable<'NotFound'> {
  const ended = await db
    .updateTable(table)
    .set({ share_token: null })
    .where('user_id', '=', userId)
    .where(IDS[table], '=', id)
    .returning('user_id')
    .executeTakeFirst();
  return ended ? { accepted: true } : reject({ code: 'NotFound' });
}
