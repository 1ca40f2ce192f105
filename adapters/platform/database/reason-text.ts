import type { Reason } from '../../../domain/shared/remark.js';
import type { Queries } from './database.js';

/** Returns the text of a reason; null if the reason, or the account that it is about, was erased. */
export async function readReason(
  db: Queries,
  { reason, remarkId }: Reason,
  about: string | undefined,
): Promise<string | null> {
  const erased = db
    .selectFrom('user_account')
    .select('user_id')
    .where('user_id', '=', about ?? '')
    .where('erased_at', 'is not', null);
  if (await erased.executeTakeFirst()) return null;
  if (remarkId === undefined) return reason;
  const remark = db.selectFrom('remark').select('text').where('remark_id', '=', remarkId);
  return (await remark.executeTakeFirst())?.text ?? null;
}
