import { reject } from '../../domain/shared/decision.js';
import { AccountErased, DisplayNames, type NameOutcome } from '../../application/accounts/account-store.js';
import { isReservedName, skeletonOf } from '../../domain/accounts/display-name.js';
import { unlessTaken } from '../platform/database/conflicts.js';
import type { Queries } from '../platform/database/database.js';
import { notifyChange } from '../platform/http/session/session-changes.js';
import { CachedSessionsAdapter } from './session-memory.js';

export class PostgresDisplayNames extends CachedSessionsAdapter implements DisplayNames {
  async choose(userId: string, displayName: string): Promise<NameOutcome> {
    const chosen = await unlessTaken(() =>
      this.database.transaction(async (_, db) => {
        const before = await nameForUpdate(db, userId);
        if (before.name === displayName) return { wasVerified: false };
        if (isReservedName(displayName)) return undefined;
        const wasVerified = before.verifiedName === before.name;
        if (before.isPublic) await reserve(db, userId, displayName, wasVerified ? before.name : undefined);
        await db
          .updateTable('user_account')
          .set({ display_name: displayName })
          .where('user_id', '=', userId)
          .returning(notifyChange())
          .execute();
        return { wasVerified };
      }),
    );
    this.memory.forget(userId);
    return chosen ? { accepted: true, ...chosen } : reject({ code: 'DisplayNameTaken' });
  }

  claim(userId: string): Promise<string | undefined> {
    return unlessTaken(() =>
      this.database.transaction(async (_, db) => {
        const { name, skeleton } = await nameForUpdate(db, userId);
        if (skeleton === skeletonOf(name)) return name;
        if (isReservedName(name)) return undefined;
        await reserve(db, userId, name);
        return name;
      }),
    );
  }

  async release(userId: string): Promise<void> {
    await this.database.db.deleteFrom('creator_name').where('user_id', '=', userId).execute();
  }

  async setVerified(userId: string, name: string | null): Promise<void> {
    const { db } = this.database;
    await db
      .updateTable('creator_name')
      .set({ verified_name: name, former_name: null })
      .where('user_id', '=', userId)
      .execute();
  }
}

/** Locks the row of the account, so that changes of its name run one after the other. */
async function nameForUpdate(db: Queries, userId: string) {
  const found = await db
    .selectFrom('user_account as a')
    .leftJoin('creator_name as n', 'n.user_id', 'a.user_id')
    .leftJoin('creator_standing as c', 'c.user_id', 'a.user_id')
    .select(['a.display_name as name', 'n.skeleton', 'n.verified_name as verifiedName'])
    .select(({ eb, or }) =>
      or([eb('n.user_id', 'is not', null), eb('c.status', 'in', ['applied', 'approved', 'suspended'])]).as(
        'isPublic',
      ),
    )
    .where('a.user_id', '=', userId)
    .where('a.erased_at', 'is', null)
    .forUpdate('a')
    .executeTakeFirst();
  if (!found) throw new AccountErased(`the account ${userId} was erased meanwhile`);
  return found;
}

/** @param formerName the verified name, kept for a review by staff @throws a unique violation if the name is taken */
async function reserve(db: Queries, userId: string, name: string, formerName?: string): Promise<void> {
  const changed = {
    skeleton: skeletonOf(name),
    verified_name: null,
    ...(formerName !== undefined && { former_name: formerName }),
  };
  await db
    .insertInto('creator_name')
    .values({ user_id: userId, ...changed })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(changed))
    .execute();
}
