import { randomUUID } from 'node:crypto';
import type { CollectionChange } from '../../application/library/collections/contract.js';
import { COLLECTIONS_LIMIT } from '../../application/library/values.js';
import { reject, type Outcome } from '../../domain/shared/decision.js';
import { lockAccount } from '../platform/database/conflicts.js';
import type { Database, Queries } from '../platform/database/database.js';

export type Refusable<Code extends string, Success extends object = object> = Promise<
  Outcome<Success, { code: Code }>
>;

/** Locks the collection until the transaction ends. @returns undefined if the user may not see it */
export async function lockCollection(
  db: Queries,
  id: string,
  userId: string,
): Promise<'owner' | 'collaborator' | undefined> {
  const row = await db
    .selectFrom('own_collection')
    .select(['user_id', 'collaborator_id'])
    .where('collection_id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  if (row?.user_id === userId) return 'owner';
  return row?.collaborator_id === userId ? 'collaborator' : undefined;
}

/** Runs `work` in a transaction that has locked the collection. */
export function asOwner<Success extends object, Code extends string = never>(
  database: Database,
  userId: string,
  id: string,
  work: (db: Queries) => Refusable<Code, Success>,
): Refusable<'NotFound' | 'NotAllowed' | Code, Success> {
  return database.transaction(async (_, db) => {
    const role = await lockCollection(db, id, userId);
    if (role !== 'owner') return reject({ code: role ? 'NotAllowed' : 'NotFound' });
    return work(db);
  });
}

/** Locks the account, because concurrent requests could otherwise exceed the limit together. */
export async function mayHaveOneMore(db: Queries, userId: string): Promise<boolean> {
  await lockAccount(db, userId);
  const { count } = await db
    .selectFrom('own_collection')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where(({ eb, or }) => or([eb('user_id', '=', userId), eb('collaborator_id', '=', userId)]))
    .executeTakeFirstOrThrow();
  return count < COLLECTIONS_LIMIT;
}

/** @param sampleIds without repetitions */
export async function areOnSale(db: Queries, sampleIds: readonly string[]): Promise<boolean> {
  if (sampleIds.length === 0) return true;
  const { count } = await db
    .selectFrom('sample')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('sample_id', 'in', sampleIds)
    .where('available', '=', true)
    .executeTakeFirstOrThrow();
  return count === sampleIds.length;
}

export async function insertCollection(
  db: Queries,
  { userId, name, description, now }: { userId: string; name: string; description: string; now: Date },
): Promise<string> {
  const id = randomUUID();
  await db
    .insertInto('own_collection')
    .values({ collection_id: id, user_id: userId, name, description, created_at: now, updated_at: now })
    .execute();
  return id;
}

/** Adds samples behind all others. @param sampleIds none of which the collection has */
export async function appendSamples(
  db: Queries,
  id: string,
  { userId, sampleIds, now }: { userId: string; sampleIds: readonly string[]; now: Date },
): Promise<void> {
  if (sampleIds.length === 0) return;
  const { place } = await db
    .selectFrom('own_collection_sample')
    .select(({ fn, val }) => fn.coalesce(fn.max<number>('place'), val(0)).as('place'))
    .where('collection_id', '=', id)
    .executeTakeFirstOrThrow();
  const row = { collection_id: id, added_by: userId, added_at: now };
  await db
    .insertInto('own_collection_sample')
    .values(sampleIds.map((sampleId, i) => ({ ...row, sample_id: sampleId, place: place + i + 1 })))
    .execute();
}

export async function touchCollection(
  db: Queries,
  id: string,
  now: Date,
  change: CollectionChange = {},
): Promise<void> {
  await db
    .updateTable('own_collection')
    .set({ ...change, updated_at: now })
    .where('collection_id', '=', id)
    .execute();
}
