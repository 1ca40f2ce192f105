import type { Updateable } from 'kysely';
import type { CopyEvent } from '../../../domain/publishing/suspicion.js';
import { byType } from '../../../domain/shared/by-type.js';
import type { Queries } from '../../platform/database/database.js';
import type { SuspectedCopy } from '../../platform/database/schema.js';
import { oneByOne } from '../../platform/projections/one-by-one.js';
import type { InlineProjection, Projected } from '../../platform/projections/projection.js';
import type { StrikeEvent } from '../../../domain/publishing/strikes.js';

type Suspected = Extract<CopyEvent, { type: 'CopySuspected' }>;

const changes = byType<Exclude<CopyEvent, Suspected>, [], Updateable<SuspectedCopy>>({
  LicenceShown: ({ data }) => ({ statement_kind: data.kind, statement_remark_id: data.remarkId }),
  SuspicionAnswered: ({ data }) => ({ answer_remark_id: data.remarkId }),
  CopyDecided: ({ data }) => ({
    status: data.decision,
    decided_by: data.by,
    decided_at: data.at,
    reason_remark_id: data.remarkId ?? null,
    and_others: data.andOthers ?? false,
  }),
  SidesSwapped: ({ data }) => ({
    status: 'swapped',
    decided_by: data.by,
    decided_at: data.at,
    reason_remark_id: data.remarkId,
  }),
  SuspicionLapsed: ({ data }) => ({ status: 'lapsed', decided_at: data.at }),
});

export const suspectedCopies: InlineProjection<CopyEvent> = {
  name: 'suspected-copies',
  version: 1,
  // Administrators must see new decisions, and be able to open held recordings, at once.
  lifecycle: 'inline',
  types: ['CopySuspected', ...changes.types],
  tables: ['suspected_copy'],
  ...oneByOne<CopyEvent>(async (event, db) => {
    if (event.type === 'CopySuspected') return suspect(event, db);
    await db
      .updateTable('suspected_copy')
      .set({ ...changes.of(event), version: event.version })
      .where('copy_id', '=', event.data.copyId)
      .where('version', '<', event.version)
      .execute();
  }),
};

/** Keeps the closest match of an open suspicion. A reopened suspicion gets the new match, even if it is less close. */
async function suspect({ data, version }: Projected<Suspected>, db: Queries): Promise<void> {
  const before = await db
    .selectFrom('suspected_copy')
    .selectAll()
    .where('copy_id', '=', data.copyId)
    .executeTakeFirst();
  if (before && before.version >= version) return;
  const shown = {
    like_sample_id: data.like.sampleId,
    like_audio_version: data.like.audioVersion,
    like_creator_id: data.like.creatorId,
    found_by: data.by,
    tier: data.tier,
    score: data.score,
    match: JSON.stringify({
      frames: data.frames,
      stretch: data.stretch,
      offsetMs: data.offsetMs,
      speed: data.speed,
      pitchCents: data.pitchCents,
    }),
  };
  if (!before) {
    await db
      .insertInto('suspected_copy')
      .values({
        ...shown,
        copy_id: data.copyId,
        sample_id: data.sampleId,
        audio_version: data.audioVersion,
        pack_id: data.packId,
        creator_id: data.creatorId,
        is_held: data.isHeld,
        status: 'open',
        suspected_at: data.at,
        version,
      })
      .execute();
    return;
  }
  const isOpen = before.status === 'open';
  const isCloser = !isOpen || data.score > before.score;
  const former = {
    sampleId: before.like_sample_id,
    audioVersion: before.like_audio_version,
    creatorId: before.like_creator_id,
  };
  const reopened = {
    status: 'open' as const,
    suspected_at: data.at,
    decided_by: null,
    decided_at: null,
    reason_remark_id: null,
    answer_remark_id: null,
    is_held: data.isHeld,
  };
  await db
    .updateTable('suspected_copy')
    .set({
      ...(isCloser ? shown : {}),
      ...(isOpen ? { is_held: before.is_held || data.isHeld } : reopened),
      also_like: JSON.stringify([...before.also_like, isCloser ? former : data.like]),
      version,
    })
    .where('copy_id', '=', data.copyId)
    .execute();
}

const keyOf = ({ userId, because }: StrikeEvent['data']) => ({
  user_id: userId,
  kind: because.kind,
  id: because.id,
});

const rows = byType<StrikeEvent, [db: Queries], Promise<unknown>>({
  StrikeRecorded: ({ data }, db) =>
    db
      .insertInto('strike')
      .values({ ...keyOf(data), at: data.at })
      .onConflict((conflict) => conflict.doNothing())
      .execute(),
  StrikeLifted: ({ data }, db) =>
    db
      .deleteFrom('strike')
      .where(({ and }) => and(keyOf(data)))
      .execute(),
});

export const strikes: InlineProjection<StrikeEvent> = {
  name: 'strikes',
  version: 1,
  // The next decision about the creator must already count the strike.
  lifecycle: 'inline',
  types: rows.types,
  tables: ['strike'],
  ...oneByOne(rows.of),
};
