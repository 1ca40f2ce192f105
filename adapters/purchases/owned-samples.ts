/** Raw SQL: a part of the single statement that writes a batch of purchases. */
import { eventsOf, type NewEvent } from '../../application/shared/event-store.js';
import type { PurchaseEvent } from '../../domain/purchases/purchase.js';
import { arrayParameters, binaryArrays } from '../platform/database/binary-arrays.js';
import type { InlineProjection, Projected } from '../platform/projections/projection.js';

const TYPES = [
  'SamplePurchased',
  'OwnSampleLicensed',
  'NewVersionLicensed',
  'PurchaseReturned',
] as const satisfies readonly PurchaseEvent['type'][];
const isPurchaseEvent = eventsOf<PurchaseEvent>(TYPES);

interface OwnedRow {
  data: PurchaseEvent['data'];
  version: number;
  priceCredits: number;
  recordedAt: Date;
  returnedAt: Date | null;
}

/** Returns rows of `owned_sample` as arrays, one per column. Only the last event of each purchase becomes a row. */
export function ownedRows(events: readonly Projected<NewEvent>[]): Buffer[] {
  const newest = new Map<string, OwnedRow>();
  for (const event of events.filter(isPurchaseEvent)) {
    const { stream, version, recordedAt } = event;
    const priceCredits = 'priceCredits' in event.data ? event.data.priceCredits : 0;
    const returnedAt = event.type === 'PurchaseReturned' ? recordedAt : null;
    newest.set(stream, { data: event.data, version, priceCredits, recordedAt, returnedAt });
  }
  const rows = [...newest.values()];
  const { text, int4, timestamptz } = binaryArrays;
  return [
    text(rows.map((row) => row.data.buyerId)),
    text(rows.map((row) => row.data.sampleId)),
    int4(rows.map((row) => row.version)),
    text(rows.map((row) => row.data.purchaseId)),
    text(rows.map((row) => row.data.packId)),
    text(rows.map((row) => row.data.creatorId)),
    int4(rows.map((row) => row.priceCredits)),
    text(rows.map((row) => row.data.certificateId)),
    int4(rows.map((row) => row.data.audioVersion)),
    timestamptz(rows.map((row) => row.recordedAt)),
    timestamptz(rows.map((row) => row.returnedAt)),
  ];
}

/**
 * Returns a part of a statement that writes rows of `owned_sample`. @param first the number of its first parameter
 * @param rows `any` replaces rows of earlier versions; `new` fails if the buyer already has a row for the sample
 */
export const writeOwnedRows = (first: number, rows: 'new' | 'any' = 'any'): string => `
  owned as (
    insert into owned_sample as o (buyer_id, sample_id, version, purchase_id, pack_id, creator_id, price_credits, certificate_id, audio_version, purchased_at, returned_at)
    select * from unnest(${arrayParameters(first, 'text', 'text', 'int', 'text', 'text', 'text', 'int', 'text', 'int', 'timestamptz', 'timestamptz')})
    ${rows === 'new' ? '' : REPLACE_EARLIER}
  )`;

const REPLACE_EARLIER = `
    on conflict (buyer_id, sample_id) do update
      set version = excluded.version, certificate_id = excluded.certificate_id, audio_version = excluded.audio_version,
          returned_at = excluded.returned_at, purchase_id = excluded.purchase_id,
          price_credits = case when o.purchase_id = excluded.purchase_id then o.price_credits else excluded.price_credits end,
          purchased_at = case when o.purchase_id = excluded.purchase_id then o.purchased_at else excluded.purchased_at end
      where o.version < excluded.version`;

export const ownedSamples: InlineProjection<PurchaseEvent> = {
  name: 'owned-samples',
  version: 1,
  lifecycle: 'inline', // A buyer downloads right after the purchase.
  types: TYPES,
  tables: ['owned_sample'],
  beforeHead: true,
  async apply(client, events) {
    // A page may contain a purchase and its return. One statement cannot change a row twice, so each version has its
    // own statement.
    const versions = [...new Set(events.map(({ version }) => version))].sort((a, b) => a - b);
    for (const version of versions) {
      const part = events.filter((event) => event.version === version);
      await client.query(`with ${writeOwnedRows(1)} select 1`, ownedRows(part));
    }
  },
};
