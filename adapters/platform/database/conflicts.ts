import type { Queries } from './database.js';

const UNIQUE_VIOLATION = '23505';

/** Locks an account until the transaction ends, so that concurrent requests of its user run one after the other. */
export async function lockAccount(db: Queries, userId: string): Promise<void> {
  await db.selectFrom('user_account').select('user_id').where('user_id', '=', userId).forUpdate().execute();
}

/** @returns the result of `work`; undefined if `work` violates a unique index */
export async function unlessTaken<Result>(work: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await work();
  } catch (error) {
    if ((error as { code?: string }).code === UNIQUE_VIOLATION) return undefined;
    throw error;
  }
}
