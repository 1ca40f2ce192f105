import type { ClientBase } from 'pg';
import type { PackEvent } from '../../../domain/publishing/pack-messages.js';
import type { InlineProjection, ProjectedEvent } from '../projection.js';
import { applySampleEvent } from './own-samples.js';

export const PACK_EVENT_TYPES = [
  'PackDrafted', 'PackRenamed', 'PackDescribed', 'PackClassified', 'PackCoverReplaced', 'SampleAdded',
  'SampleDescribed', 'SamplePriceChanged', 'SampleAudioReplaced', 'SampleRemoved', 'SamplesReordered',
  'DefaultCostChanged', 'StemsAttached', 'MidiAttached', 'PackPublished', 'PackUnpublished', 'PackDeleted',
  'PackTakenDown',
] as const satisfies ReadonlyArray<PackEvent['type']>; // prettier-ignore

/** Every pack and sample as it is now, drafts included. */
export const ownPacks: InlineProjection = {
  name: 'own-packs',
  version: 1,
  // The creator must see the pack as just saved, and a buyer must not pay yesterday's price.
  lifecycle: 'inline',
  types: PACK_EVENT_TYPES,
  tables: ['pack', 'sample'],
  async apply(client, events) {
    for (const event of events) await applyOne(client, event);
  },
};

async function applyOne(client: ClientBase, event: ProjectedEvent): Promise<void> {
  const fact = { type: event.type, data: event.data } as unknown as PackEvent;
  if (fact.type === 'PackDrafted') return insertPack(client, fact.data, event);
  // The row's version says whether it has seen this event: an older one changes nothing.
  const { rowCount } = await client.query(
    `update pack set version = $2, position = $3, updated_at = $4 where pack_id = $1 and version < $2`,
    [fact.data.packId, event.version, event.position, fact.data.at],
  );
  if (rowCount === 0) return;
  await applyPackEvent(client, fact);
  await applySampleEvent(client, fact);
}

async function insertPack(
  client: ClientBase,
  data: Extract<PackEvent, { type: 'PackDrafted' }>['data'],
  { version, position }: ProjectedEvent,
): Promise<void> {
  await client.query(
    `insert into pack (pack_id, creator_id, title, title_lower, slug, folder, genre, mood, description, status,
                       default_cost_credits, created_at, updated_at, version, position)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, 'draft', $10, $11, $11, $12, $13)
     on conflict (pack_id) do nothing`,
    [
      data.packId, data.creatorId, data.name, data.name.toLowerCase(), data.slug, data.folder, data.genre,
      data.mood, data.description, data.defaultCostCredits, data.at, version, position,
    ],
  ); // prettier-ignore
  await keepSlug(client, data.packId);
}

/** Rebuilding from the log alone brings every former address back. */
async function keepSlug(client: ClientBase, packId: string): Promise<void> {
  await client.query(
    `insert into pack_slug (creator_id, slug, pack_id)
     select creator_id, slug, pack_id from pack where pack_id = $1 on conflict do nothing`,
    [packId],
  );
}

/** Whether the pack's samples can be bought, and whether their bytes are blocked. */
async function setAvailability(
  client: ClientBase,
  packId: string,
  { available, takenDown }: { available: boolean; takenDown: boolean },
): Promise<void> {
  await client.query(`update sample set available = $2 and not removed, taken_down = $3 where pack_id = $1`, [
    packId,
    available,
    takenDown,
  ]);
}

async function applyPackEvent(client: ClientBase, { type, data }: PackEvent): Promise<void> {
  const { packId } = data;
  switch (type) {
    case 'PackRenamed':
      await client.query(`update pack set title = $2, title_lower = $3, slug = $4 where pack_id = $1`, [
        packId,
        data.name,
        data.name.toLowerCase(),
        data.slug,
      ]);
      return keepSlug(client, packId);
    case 'PackDescribed':
      await client.query(`update pack set description = $2 where pack_id = $1`, [packId, data.description]);
      return;
    case 'PackClassified':
      await client.query(`update pack set genre = $2, mood = $3 where pack_id = $1`, [
        packId,
        data.genre,
        data.mood,
      ]);
      return;
    case 'PackCoverReplaced':
      await client.query(`update pack set cover_key = $2 where pack_id = $1`, [packId, data.coverKey]);
      return;
    case 'DefaultCostChanged':
      await client.query(`update pack set default_cost_credits = $2 where pack_id = $1`, [
        packId,
        data.priceCredits,
      ]);
      return;
    case 'PackPublished':
      await client.query(`update pack set status = 'published', published_at = $2 where pack_id = $1`, [
        packId,
        data.publishedAt,
      ]);
      return setAvailability(client, packId, { available: true, takenDown: false });
    case 'PackUnpublished':
      await client.query(`update pack set status = 'unpublished' where pack_id = $1`, [packId]);
      return setAvailability(client, packId, { available: false, takenDown: false });
    case 'PackDeleted':
      await client.query(`update pack set status = 'deleted' where pack_id = $1`, [packId]);
      return setAvailability(client, packId, { available: false, takenDown: false });
    case 'PackTakenDown':
      await client.query(`update pack set status = 'taken_down', takedown_reason = $2 where pack_id = $1`, [
        packId,
        data.reason,
      ]);
      return setAvailability(client, packId, { available: false, takenDown: true });
  }
}
