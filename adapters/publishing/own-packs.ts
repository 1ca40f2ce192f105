/** Raw SQL: one statement applies the events of any number of packs. */
import type { ClientBase } from 'pg';
import { eventsOf } from '../../application/shared/event-store.js';
import type { PackEvent } from '../../domain/publishing/pack-messages.js';
import { byType } from '../../domain/shared/by-type.js';
import { queries } from '../platform/database/database.js';
import type { InlineProjection, Projected } from '../platform/projections/projection.js';
import { typeRuns } from '../platform/projections/type-runs.js';
import { offerSamples, SAMPLE_RUNS, write } from './own-samples.js';

type PackFact = Projected<PackEvent>;

/** Returns the events that are newer than the rows of `pack`. Skips events of packs that have no row. */
async function notSeen(client: ClientBase, events: readonly PackFact[]): Promise<PackFact[]> {
  const ids = [...new Set(events.map(({ data }) => data.packId))];
  const rows = await queries(client)
    .selectFrom('pack')
    .select(['pack_id as id', 'version'])
    .where(({ eb, fn, val }) => eb('pack_id', '=', fn.any(val(ids))))
    .execute();
  const seen = new Map(rows.map(({ id, version }) => [id, version]));
  return events.filter(({ type, version, data }) => {
    const known = seen.get(data.packId);
    if (known === undefined ? type !== 'PackDrafted' : version <= known) return false;
    seen.set(data.packId, version);
    return true;
  });
}

async function moveOn(client: ClientBase, events: readonly PackFact[]): Promise<void> {
  const newest = new Map(
    events.map(({ version, position, data }) => [
      data.packId,
      { id: data.packId, version, position, at: data.at },
    ]),
  );
  if (newest.size === 0) return;
  await client.query(
    `update pack set version = e.version, position = e.position, updated_at = e.at
       from json_to_recordset($1) as e(id text, version int, position bigint, at timestamptz)
      where pack_id = e.id and pack.version < e.version`,
    [JSON.stringify([...newest.values()])],
  );
}

/** Drafting a pack draws its cover, which is the second event of its stream. */
const DRAWN_AT_VERSION = 2;

type Event<Type extends PackEvent['type']> = Extract<PackEvent, { type: Type }>;

/** Returns the data of the last event of each pack. */
const lastOfEach = (facts: readonly { data: { packId: string } }[]): object[] => [
  ...new Map(facts.map(({ data }) => [data.packId, data])).values(),
];

async function insertPacks(
  client: ClientBase,
  drafts: readonly Projected<Event<'PackDrafted'>>[],
): Promise<void> {
  const rows = drafts.map(({ data, version, position }) => ({
    ...data,
    lower: data.name.toLowerCase(),
    version,
    position,
  }));
  await client.query(
    `insert into pack (pack_id, creator_id, title, title_lower, slug, folder, genre, mood, description, status,
                       default_cost_credits, created_at, updated_at, version, position)
     select e."packId", e."creatorId", e.name, e.lower, e.slug, e.folder, e.genre, e.mood, e.description, 'draft',
            e."defaultCostCredits", e.at, e.at, e.version, e.position
       from json_to_recordset($1) as e("packId" text, "creatorId" text, name text, lower text, slug text, folder text,
              genre text, mood text, description text, "defaultCostCredits" int, at timestamptz, version int, position bigint)
     on conflict (pack_id) do nothing`,
    [JSON.stringify(rows)],
  );
  await keepSlugs(client, drafts);
}

/**
 * A command claims a slug before it appends the event, so the slug is usually stored
 * already. A rebuild restores lost slugs, also those of former names.
 */
async function keepSlugs(
  client: ClientBase,
  named: readonly { data: { packId: string; slug: string } }[],
): Promise<void> {
  await client.query(
    `insert into pack_slug (creator_id, slug, pack_id)
     select creator_id, e.slug, pack_id from unnest($1::text[], $2::text[]) as e(id, slug) join pack on pack_id = e.id
     on conflict do nothing`,
    [named.map(({ data }) => data.packId), named.map(({ data }) => data.slug)],
  );
}

/** Sets the status of packs and whether samples can be bought. Does not restore takedown reasons of erased creators. */
async function setStatus(
  client: ClientBase,
  facts: readonly PackEvent[],
  status: 'published' | 'unpublished' | 'deleted' | 'taken_down',
): Promise<void> {
  await client.query(
    `update pack set status = $2, release_at = null, published_at = case $2 when 'published' then e."publishedAt" else published_at end,
                     takedown_reason = case when $2 <> 'taken_down' then takedown_reason
                                            when exists (select 1 from user_account where user_id = creator_id and erased_at is not null) then null
                                            else coalesce((select text from remark where remark_id = e."remarkId"), nullif(e.reason, '')) end
       from json_to_recordset($1) as e("packId" text, "publishedAt" timestamptz, reason text, "remarkId" text)
      where pack_id = e."packId"`,
    [JSON.stringify(lastOfEach(facts)), status],
  );
  await offerSamples(
    client,
    facts.map(({ data }) => data.packId),
  );
}

const rename = `
  update pack set title = e.name, title_lower = e.lower, slug = e.slug
    from json_to_recordset($1) as e("packId" text, name text, lower text, slug text) where pack_id = e."packId"`;
const describe = `
  update pack set description = e.description
    from json_to_recordset($1) as e("packId" text, description text) where pack_id = e."packId"`;
const classify = `
  update pack set genre = e.genre, mood = e.mood
    from json_to_recordset($1) as e("packId" text, genre text, mood text) where pack_id = e."packId"`;
const cover = `
  update pack set cover_key = e."coverKey", has_own_cover = e."isOwn"
    from json_to_recordset($1) as e("packId" text, "coverKey" text, "isOwn" boolean) where pack_id = e."packId"`;
const release = `
  update pack set release_at = e."releaseAt"
    from json_to_recordset($1) as e("packId" text, "releaseAt" timestamptz) where pack_id = e."packId"`;
const price = `
  update pack set default_cost_credits = e."priceCredits"
    from json_to_recordset($1) as e("packId" text, "priceCredits" int) where pack_id = e."packId"`;

const packPrice = `
  update pack set price_credits = e."priceCredits"
    from json_to_recordset($1) as e("packId" text, "priceCredits" int) where pack_id = e."packId"`;

const on = byType<PackFact, [client: ClientBase, run: readonly PackFact[]], Promise<unknown>>({
  ...SAMPLE_RUNS,
  PackDrafted: (_, client, run) =>
    insertPacks(client, run.filter(eventsOf<Event<'PackDrafted'>>(['PackDrafted']))),
  PackRenamed: async (_, client, run) => {
    const renamed = run.filter(eventsOf<Event<'PackRenamed'>>(['PackRenamed']));
    const lowered = renamed.map(({ data }) => ({ data: { ...data, lower: data.name.toLowerCase() } }));
    await client.query(rename, [JSON.stringify(lastOfEach(lowered))]);
    await keepSlugs(client, renamed);
  },
  PackDescribed: write(describe, lastOfEach),
  PackClassified: write(classify, lastOfEach),
  PackCoverReplaced: async (_, client, run) => {
    const replaced = run.filter(eventsOf<Event<'PackCoverReplaced'>>(['PackCoverReplaced']));
    const marked = replaced.map(({ data, version }) => ({
      data: { ...data, isOwn: !(data.drawn ?? version === DRAWN_AT_VERSION) },
    }));
    await client.query(cover, [JSON.stringify(lastOfEach(marked))]);
  },
  DefaultCostChanged: write(price, lastOfEach),
  PackPriced: write(packPrice, lastOfEach),
  ReleaseScheduled: write(release, lastOfEach),
  ReleaseCancelled: write(release, lastOfEach),
  PackPublished: (_, client, run) => setStatus(client, run, 'published'),
  PackUnpublished: (_, client, run) => setStatus(client, run, 'unpublished'),
  PackDeleted: (_, client, run) => setStatus(client, run, 'deleted'),
  PackTakenDown: (_, client, run) => setStatus(client, run, 'taken_down'),
});

export const ownPacks: InlineProjection<PackEvent> = {
  name: 'own-packs',
  version: 1,
  // The creator must see the pack as saved, and a buyer must not pay an old price.
  lifecycle: 'inline',
  types: on.types,
  tables: ['pack', 'sample'],
  async apply(client, events) {
    const fresh = await notSeen(client, events);
    // One statement applies a whole run of events of one type, whether of one pack or a thousand.
    for (const { events: run } of typeRuns(fresh)) if (run[0]) await on.of(run[0], client, run);
    await moveOn(client, fresh);
  },
};
