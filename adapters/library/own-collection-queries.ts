/** Raw SQL: PostgreSQL builds the JSON of entries and covers. */
import { Injectable } from '@nestjs/common';
import type { Sample } from '../../application/catalogue/contract.js';
import type {
  CollectionCard,
  Invitation,
  OwnCollection,
  SharedCollection,
} from '../../application/library/collections/contract.js';
import { ListedSampleQueries } from '../../application/library/queries.js';
import { serverPaths } from '../../application/pages/paths.js';
import { Database } from '../platform/database/database.js';
import { isoTime } from '../platform/database/json-shapes.js';
import { PublicAddress } from '../platform/pages/public-address.js';

/** How many of a collection's first samples provide the covers of its card. */
const COVERED_SAMPLES = 24;
const COVERS = 4;

type Entry = Omit<OwnCollection['entries'][number], 'sample'>;

@Injectable()
export class OwnCollectionQueries {
  constructor(
    private readonly database: Database,
    private readonly samples: ListedSampleQueries,
    private readonly address: PublicAddress,
  ) {}

  /** Lists all collections of a user, last changed first: at most `COLLECTIONS_LIMIT`. */
  async of(userId: string, sampleId?: string): Promise<CollectionCard[]> {
    const { rows } = await this.database.pool.query<CollectionCard>(
      `select c.collection_id as id, c.name, case when c.user_id = $1 then 'owner' else 'collaborator' end as role,
              o.display_name as "ownerName", c.share_token is not null as "isShared",
              (select count(*)::int from own_collection_sample e where e.collection_id = c.collection_id) as "sampleCount",
              coalesce(covers.of_packs, '[]') as covers,
              exists (select from own_collection_sample e
                       where e.collection_id = c.collection_id and e.sample_id = $2) as "hasSample",
              ${isoTime('c.updated_at')} as "updatedAt"
         from own_collection c join user_account o on o.user_id = c.user_id
        cross join lateral (
          select json_agg(json_build_object('title', p.title, 'genre', p.genre, 'artworkUrl', '/' || p.cover_key)
                          order by p.place) as of_packs
            from (select p.title, p.genre, p.cover_key, min(e.place) as place
                    from (select * from own_collection_sample e where e.collection_id = c.collection_id
                           order by e.place limit ${COVERED_SAMPLES}) e
                    join sample s on s.sample_id = e.sample_id and s.available join pack p on p.pack_id = s.pack_id
                   group by p.pack_id order by place limit ${COVERS}) p
        ) as covers
        where $1 in (c.user_id, c.collaborator_id)
        order by c.updated_at desc, c.collection_id`,
      [userId, sampleId ?? null],
    );
    return rows;
  }

  async byId(userId: string, id: string): Promise<OwnCollection | undefined> {
    const { rows } = await this.database.pool.query<
      Omit<OwnCollection, 'entries' | 'shareUrl' | 'invitationUrl' | 'totalCredits' | 'missingCredits'> & {
        shareToken: string | null;
        invitationToken: string | null;
      }
    >(
      `select c.collection_id as id, c.name, c.description,
              case when c.user_id = $1 then 'owner' else 'collaborator' end as role, o.display_name as "ownerName",
              case when c.user_id = $1 then c.share_token end as "shareToken",
              case when c.user_id = $1 and c.collaborator_id is null then c.invitation_token end as "invitationToken",
              case when k.user_id is not null
                then json_build_object('id', k.user_id, 'displayName', k.display_name) end as collaborator,
              ${isoTime('c.created_at')} as "createdAt", ${isoTime('c.updated_at')} as "updatedAt"
         from own_collection c join user_account o on o.user_id = c.user_id
         left join user_account k on k.user_id = c.collaborator_id
        where c.collection_id = $2 and $1 in (c.user_id, c.collaborator_id)`,
      [userId, id],
    );
    const [row] = rows;
    if (!row) return undefined;
    const { shareToken, invitationToken, ...head } = row;
    const entries = await this.entriesOf(id);
    const samples = await this.samples.byIds(
      entries.map(({ sampleId }) => sampleId),
      userId,
    );
    const listed = entries.map((entry) => ({ ...entry, sample: samples.get(entry.sampleId) ?? null }));
    return {
      ...head,
      shareUrl: shareToken && this.address.url + serverPaths.sharedCollection(shareToken),
      invitationUrl: invitationToken && this.address.url + serverPaths.invitation(invitationToken),
      entries: listed,
      ...pricesOf([...samples.values()], userId),
    };
  }

  async shared(token: string, viewerId: string | undefined): Promise<SharedCollection | undefined> {
    const row = await this.database.db
      .selectFrom('own_collection')
      .select(['collection_id as id', 'name', 'description', 'updated_at as updatedAt'])
      .where('share_token', '=', token)
      .executeTakeFirst();
    if (!row) return undefined;
    const entries = await this.entriesOf(row.id);
    const found = await this.samples.byIds(
      entries.map(({ sampleId }) => sampleId),
      viewerId,
    );
    const samples = [...found.values()];
    return {
      name: row.name,
      description: row.description,
      samples,
      unavailableCount: entries.length - samples.length,
      ...pricesOf(samples, viewerId),
      updatedAt: row.updatedAt.toISOString(),
    };
  }

  /** Returns an accepted invitation only to the owner and the collaborator. */
  async invitation(userId: string, token: string): Promise<Invitation | undefined> {
    const { rows } = await this.database.pool.query<Invitation>(
      `select case when $1 in (c.user_id, c.collaborator_id) then c.collection_id end as "collectionId", c.name,
              o.display_name as "ownerName",
              (select count(*)::int from own_collection_sample e where e.collection_id = c.collection_id) as "sampleCount"
         from own_collection c join user_account o on o.user_id = c.user_id
        where c.invitation_token = $2 and (c.collaborator_id is null or $1 in (c.user_id, c.collaborator_id))`,
      [userId, token],
    );
    return rows[0];
  }

  private async entriesOf(id: string): Promise<Entry[]> {
    const { rows } = await this.database.pool.query<Entry>(
      `select e.sample_id as "sampleId", coalesce(s.title, 'Sample') as title,
              case when a.user_id is not null
                then json_build_object('id', a.user_id, 'displayName', a.display_name) end as "addedBy",
              ${isoTime('e.added_at')} as "addedAt"
         from own_collection_sample e
         left join sample s on s.sample_id = e.sample_id left join user_account a on a.user_id = e.added_by
        where e.collection_id = $1 order by e.place, e.sample_id`,
      [id],
    );
    return rows;
  }
}

/** @param samples without repetitions */
export function pricesOf(samples: readonly Sample[], viewerId: string | undefined) {
  const sum = (some: readonly Sample[]) => some.reduce((credits, { creditCost }) => credits + creditCost, 0);
  const missing = samples.filter(({ owned, creator }) => !owned && creator.id !== viewerId);
  return { totalCredits: sum(samples), missingCredits: sum(missing) };
}
