import { Injectable } from '@nestjs/common';
import { Clock } from '../../application/shared/clock.js';
import { reject } from '../../domain/shared/decision.js';
import { Database } from '../platform/database/database.js';
import {
  appendSamples,
  asOwner,
  insertCollection,
  lockCollection,
  mayHaveOneMore,
  type Refusable,
} from './collection-rows.js';
import { endLink, secretOf } from './shared-links.js';

/** The links of collections: one with which anyone can listen, and one with which one person may add samples. */
@Injectable()
export class CollectionLinks {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  share(userId: string, id: string): Refusable<'NotFound' | 'NotAllowed', { token: string }> {
    return asOwner(this.database, userId, id, (db) => secretOf(db, { table: 'own_collection', userId, id }));
  }

  unshare(userId: string, id: string): Refusable<'NotFound' | 'NotAllowed'> {
    return asOwner(this.database, userId, id, (db) => endLink(db, { table: 'own_collection', userId, id }));
  }

  invite(
    userId: string,
    id: string,
  ): Refusable<'NotFound' | 'NotAllowed' | 'CollaboratorExists', { token: string }> {
    return asOwner<{ token: string }, 'CollaboratorExists' | 'NotFound'>(
      this.database,
      userId,
      id,
      async (db) => {
        const { collaborator_id: collaboratorId } = await db
          .selectFrom('own_collection')
          .select('collaborator_id')
          .where('collection_id', '=', id)
          .executeTakeFirstOrThrow();
        if (collaboratorId !== null) return reject({ code: 'CollaboratorExists' });
        return secretOf(db, { table: 'own_collection', userId, id }, 'invitation_token');
      },
    );
  }

  /** Ends the invitation and removes the collaborator. A collaborator calls it to leave. */
  removeCollaborator(userId: string, id: string): Refusable<'NotFound'> {
    return this.database.transaction(async (_, db) => {
      if (!(await lockCollection(db, id, userId))) return reject({ code: 'NotFound' });
      await db
        .updateTable('own_collection')
        .set({ collaborator_id: null, invitation_token: null })
        .where('collection_id', '=', id)
        .execute();
      return { accepted: true };
    });
  }

  /** Makes the user the collaborator. Repeating it changes nothing. Other users cannot use an accepted link. */
  accept(userId: string, token: string): Refusable<'TokenInvalid' | 'TooManyCollections', { id: string }> {
    return this.database.transaction(async (_, db) => {
      const hasRoom = await mayHaveOneMore(db, userId);
      const invited = await db
        .selectFrom('own_collection')
        .select(['collection_id as id', 'user_id as ownerId', 'collaborator_id as collaboratorId'])
        .where('invitation_token', '=', token)
        .forUpdate()
        .executeTakeFirst();
      if (!invited || invited.ownerId === userId) return reject({ code: 'TokenInvalid' });
      const { id, collaboratorId } = invited;
      if (collaboratorId === userId) return { accepted: true, id };
      if (collaboratorId !== null) return reject({ code: 'TokenInvalid' });
      if (!hasRoom) return reject({ code: 'TooManyCollections' });
      await db
        .updateTable('own_collection')
        .set({ collaborator_id: userId })
        .where('collection_id', '=', id)
        .execute();
      return { accepted: true, id };
    });
  }

  /** Copies a shared collection into a new one, without the samples that are no longer on sale. */
  copy(userId: string, token: string): Refusable<'TokenInvalid' | 'TooManyCollections', { id: string }> {
    return this.database.transaction(async (_, db) => {
      if (!(await mayHaveOneMore(db, userId))) return reject({ code: 'TooManyCollections' });
      const source = await db
        .selectFrom('own_collection')
        .select(['collection_id', 'name', 'description'])
        .where('share_token', '=', token)
        .executeTakeFirst();
      if (!source) return reject({ code: 'TokenInvalid' });
      const { name, description } = source;
      const rows = await db
        .selectFrom('own_collection_sample as e')
        .innerJoin('sample as s', 's.sample_id', 'e.sample_id')
        .select('e.sample_id')
        .where('e.collection_id', '=', source.collection_id)
        .where('s.available', '=', true)
        .orderBy('e.place')
        .execute();
      const now = this.clock.now();
      const id = await insertCollection(db, { userId, name, description, now });
      await appendSamples(db, id, { userId, sampleIds: rows.map((row) => row.sample_id), now });
      return { accepted: true, id };
    });
  }
}
