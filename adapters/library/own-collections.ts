import { Injectable } from '@nestjs/common';
import type { CollectionChange, NewCollection } from '../../application/library/collections/contract.js';
import { COLLECTION_SAMPLES_LIMIT } from '../../application/library/values.js';
import { Clock } from '../../application/shared/clock.js';
import { reject } from '../../domain/shared/decision.js';
import { Database } from '../platform/database/database.js';
import {
  appendSamples,
  areOnSale,
  asOwner,
  insertCollection,
  lockCollection,
  mayHaveOneMore,
  touchCollection,
  type Refusable,
} from './collection-rows.js';

/** Changes collections and their samples. The changes of one collection run one after the other. */
@Injectable()
export class OwnCollections {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  create(
    userId: string,
    { name, description, sampleIds }: NewCollection,
  ): Refusable<'TooManyCollections' | 'SampleNotAvailable', { id: string }> {
    return this.database.transaction(async (_, db) => {
      if (!(await mayHaveOneMore(db, userId))) return reject({ code: 'TooManyCollections' });
      const wanted = [...new Set(sampleIds)];
      if (!(await areOnSale(db, wanted))) return reject({ code: 'SampleNotAvailable' });
      const now = this.clock.now();
      const id = await insertCollection(db, { userId, name, description, now });
      await appendSamples(db, id, { userId, sampleIds: wanted, now });
      return { accepted: true, id };
    });
  }

  change(userId: string, id: string, change: CollectionChange): Refusable<'NotFound' | 'NotAllowed'> {
    return asOwner(this.database, userId, id, async (db) => {
      await touchCollection(db, id, this.clock.now(), change);
      return { accepted: true };
    });
  }

  delete(userId: string, id: string): Refusable<'NotFound' | 'NotAllowed'> {
    return asOwner(this.database, userId, id, async (db) => {
      await db.deleteFrom('own_collection').where('collection_id', '=', id).execute();
      return { accepted: true };
    });
  }

  add(
    userId: string,
    id: string,
    sampleIds: readonly string[],
  ): Refusable<'NotFound' | 'SampleNotAvailable' | 'CollectionFull', { added: number }> {
    return this.database.transaction(async (_, db) => {
      if (!(await lockCollection(db, id, userId))) return reject({ code: 'NotFound' });
      const wanted = [...new Set(sampleIds)];
      if (!(await areOnSale(db, wanted))) return reject({ code: 'SampleNotAvailable' });
      const rows = await db
        .selectFrom('own_collection_sample')
        .select('sample_id')
        .where('collection_id', '=', id)
        .execute();
      const present = new Set(rows.map((row) => row.sample_id));
      const missing = wanted.filter((sampleId) => !present.has(sampleId));
      if (present.size + missing.length > COLLECTION_SAMPLES_LIMIT) return reject({ code: 'CollectionFull' });
      const now = this.clock.now();
      await appendSamples(db, id, { userId, sampleIds: missing, now });
      if (missing.length > 0) await touchCollection(db, id, now);
      return { accepted: true, added: missing.length };
    });
  }

  remove(userId: string, id: string, sampleId: string): Refusable<'NotFound' | 'NotAllowed'> {
    return this.database.transaction(async (_, db) => {
      const role = await lockCollection(db, id, userId);
      if (!role) return reject({ code: 'NotFound' });
      const entry = await db
        .selectFrom('own_collection_sample')
        .select('added_by')
        .where('collection_id', '=', id)
        .where('sample_id', '=', sampleId)
        .executeTakeFirst();
      if (!entry) return { accepted: true };
      if (role === 'collaborator' && entry.added_by !== userId) return reject({ code: 'NotAllowed' });
      await db
        .deleteFrom('own_collection_sample')
        .where('collection_id', '=', id)
        .where('sample_id', '=', sampleId)
        .execute();
      await touchCollection(db, id, this.clock.now());
      return { accepted: true };
    });
  }

  /** `StaleVersion`: another request removed the sample or its new neighbour. */
  move(
    userId: string,
    id: string,
    sampleId: string,
    after: string | null,
  ): Refusable<'NotFound' | 'NotAllowed' | 'StaleVersion'> {
    return asOwner<object, 'StaleVersion'>(this.database, userId, id, async (db) => {
      const rows = await db
        .selectFrom('own_collection_sample')
        .select(['sample_id', 'place'])
        .where('collection_id', '=', id)
        .where('sample_id', 'in', [sampleId, after ?? sampleId])
        .execute();
      const placeOf = (wanted: string) => rows.find((row) => row.sample_id === wanted)?.place;
      const [from, neighbour] = [placeOf(sampleId), after === null ? 0 : placeOf(after)];
      if (from === undefined || neighbour === undefined) return reject({ code: 'StaleVersion' });
      if (after === sampleId) return { accepted: true };
      const down = from < neighbour;
      const to = down ? neighbour : neighbour + 1;
      // Shifts the samples between the old and the new place by one.
      await db
        .updateTable('own_collection_sample')
        .set(({ eb, val }) => ({
          place: eb
            .case()
            .when('sample_id', '=', sampleId)
            .then(val(to))
            .else(eb('place', '+', down ? -1 : 1))
            .end(),
        }))
        .where('collection_id', '=', id)
        .where('place', '>=', Math.min(from, to))
        .where('place', '<=', Math.max(from, to))
        .execute();
      await touchCollection(db, id, this.clock.now());
      return { accepted: true };
    });
  }
}
