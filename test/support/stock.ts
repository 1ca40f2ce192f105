import { randomUUID } from 'node:crypto';
import { SystemClock, type Clock } from '../../application/shared/clock.js';
import { CreditExecutor } from '../../application/credits/credit-executor.js';
import type { KeyedOrder } from '../../application/credits/credit-batch.js';
import type { Database } from '../../adapters/platform/database/database.js';
import { PostgresCreditBatchStore } from '../../adapters/credits/postgres-credit-batch-store.js';
import { PostgresEventStore } from '../../adapters/platform/event-log/postgres-event-store.js';

/** Creates the batched executor on a real database. Tests fill the catalogue by hand. */
export function executorOn(
  database: Database,
  limits?: { maxCommands?: number; maxBatches?: number },
  clock: Clock = new SystemClock(),
) {
  const eventStore = new PostgresEventStore(database, clock);
  return {
    eventStore,
    executor: new CreditExecutor(new PostgresCreditBatchStore(database, eventStore, clock), limits),
  };
}

/** The folder that stocked samples name. It has no files. */
export const STOCKED_FILES = 'Users/x/';
/** The prefix of pack ids that `stock` uses. */
export const STOCKED_PACKS = 'pack-of-';

/** Puts samples of one pack on sale. @returns their ids */
export async function stock(
  database: Database,
  count: number,
  { creatorId = 'junie', priceCredits = 1, prefix = 's' } = {},
): Promise<string[]> {
  const packId = `${STOCKED_PACKS}${prefix}`;
  await database.pool.query(
    `insert into pack (pack_id, creator_id, title, title_lower, slug, folder, genre, mood, description, status, default_cost_credits, created_at, updated_at, version, position)
     values ($1, $2, 'Pack', 'pack', $1, $1, 'Soul', 'Chill', '', 'published', 1, now(), now(), 1, 1) on conflict do nothing`,
    [packId, creatorId],
  );
  const ids = Array.from({ length: count }, (_, n) => `${prefix}${n}`);
  await database.pool.query(
    `insert into sample (sample_id, pack_id, creator_id, title, title_lower, ordinal, price_credits, available, bpm, instruments, is_royalty_free,
                         audio_version, original_key, original_sha256, original_bytes, original_filename, content_type, format, sample_rate_hz,
                         channels, duration_ms, preview_key, waveform, waveform_fine, suggestions, created_at, updated_at)
     select id, $2, $3, id, id, n, $4, true, 90, '{}', true, 1, $5 || id, repeat('a', 64), 1, id || '.wav', 'audio/wav', 'wav', 44100,
            2, 1000, 'media/previews/x', array_fill(50, array[50]), '{}', '{}', now(), now()
       from unnest($1::text[]) with ordinality as t(id, n)`,
    [ids, packId, creatorId, priceCredits, STOCKED_FILES],
  );
  return ids;
}

export function purchaseOf(
  buyerId: string,
  sampleIds: string[],
  more: { key?: string; expectedCredits?: number } = {},
): KeyedOrder {
  const key = more.key ?? randomUUID();
  const expectedCredits = more.expectedCredits ?? sampleIds.length;
  return {
    type: 'BuySamples',
    buyerId,
    items: sampleIds.map((sampleId) => ({ sampleId, purchaseId: randomUUID(), certificateId: randomUUID() })),
    expectedCredits,
    idempotency: { key, requestHash: `${sampleIds.join()} ${expectedCredits}` },
    metadata: { actor: buyerId, correlationId: key },
  };
}

let grants = 0;
/** Gives credits of a promotional lot. */
export const grantPromotional = (executor: CreditExecutor, userId: string, credits: number) =>
  executor.grantPromotion(
    { userId, grantId: `promotional-${(grants += 1)}`, credits, grantedAt: new Date() },
    { correlationId: 'promotional' },
  );
