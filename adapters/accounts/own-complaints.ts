import type { SelectQueryBuilder } from 'kysely';
import type { Queries } from '../platform/database/database.js';

/**
 * Selects complaints by the user, also those filed without a session under the user's confirmed address, and
 * complaints about the user's work unless they are confidential, unconfirmed or lapsed.
 */
export const complaintsOf = (db: Queries, userId: string) =>
  db
    .selectFrom('complaint as c')
    .select('c.complaint_id')
    .where(({ eb, exists, and, or, selectFrom }) => {
      const byMail = selectFrom('complaint_contact as k')
        .innerJoin('user_account as a', (join) =>
          join.on(({ eb, fn }) => eb(fn('lower', ['k.email']), '=', fn('lower', ['a.email']))),
        )
        .select('k.complaint_id')
        .whereRef('k.complaint_id', '=', 'c.complaint_id')
        .where('a.user_id', '=', userId)
        .where('a.email_verified_at', 'is not', null);
      const about = and([
        eb('c.creator_id', '=', userId),
        eb('c.in_confidence', '=', false),
        eb('c.status', 'not in', ['unconfirmed', 'lapsed']),
      ]);
      return or([eb('c.by_id', '=', userId), about, exists(byMail)]);
    });

/** Deletes contact data and texts of complaints that were filed without a session under these addresses. */
export async function forgetComplaints(
  db: Queries,
  addresses: SelectQueryBuilder<never, never, { address: string }>,
): Promise<void> {
  const gone = await db
    .deleteFrom('complaint_contact')
    .where(({ eb, fn }) => eb(fn<string>('lower', ['email']), 'in', addresses))
    .returning('complaint_id')
    .execute();
  if (gone.length === 0) return;
  const texts = db
    .selectFrom('complaint')
    .select(({ fn, val }) => fn<string>('coalesce', ['remark_id', val('')]).as('remark_id'))
    .where(
      'complaint_id',
      'in',
      gone.map(({ complaint_id: id }) => id),
    );
  await db
    .updateTable('remark')
    .set({ text: null, salt: Buffer.alloc(0) })
    .where('remark_id', 'in', texts)
    .execute();
}
