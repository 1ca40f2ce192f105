import type { ClientBase } from 'pg';
import type { RecordedEvent } from '../../../application/ports/event-store.js';
import type { PurchaseEvent } from '../../../domain/purchases/purchase.js';
import type { InlineProjection } from '../projection.js';

const TYPES = ['SamplePurchased', 'OwnSampleLicensed', 'NewVersionLicensed'] as const;

/** Rows of `owned_sample` as column arrays; a later event of the same purchase replaces the earlier one's. */
export function ownedRows(events: readonly RecordedEvent[]): unknown[][] {
  const newest = new Map<string, unknown[]>();
  for (const recorded of events) {
    if (!(TYPES as readonly string[]).includes(recorded.type)) continue;
    const event = { type: recorded.type, data: recorded.data } as unknown as PurchaseEvent;
    const { buyerId, sampleId, purchaseId, packId, creatorId, certificateId, audioVersion } = event.data;
    const priceCredits = event.type === 'SamplePurchased' ? event.data.priceCredits : 0;
    newest.set(recorded.stream, [
      buyerId, sampleId, recorded.version, purchaseId, packId, creatorId, priceCredits, certificateId, audioVersion, recorded.recordedAt,
    ]); // prettier-ignore
  }
  const columns: unknown[][] = Array.from({ length: 10 }, () => []);
  for (const row of newest.values()) row.forEach((value, index) => columns[index]?.push(value));
  return columns;
}

/** WITH-part that writes ownedRows; `first` is the number of the first of its 10 parameters. */
export function writeOwnedRows(first: number): string {
  const p = (offset: number, type: string) => `$${first + offset}::${type}[]`;
  return `
  owned as (
    insert into owned_sample as o (buyer_id, sample_id, version, purchase_id, pack_id, creator_id, price_credits, certificate_id, audio_version, purchased_at)
    select * from unnest(${p(0, 'text')}, ${p(1, 'text')}, ${p(2, 'int')}, ${p(3, 'text')}, ${p(4, 'text')}, ${p(5, 'text')}, ${p(6, 'int')}, ${p(7, 'text')}, ${p(8, 'int')}, ${p(9, 'timestamptz')})
    on conflict (buyer_id, sample_id) do update
      set version = excluded.version, certificate_id = excluded.certificate_id, audio_version = excluded.audio_version
      where o.version < excluded.version
  )`;
}

export const ownedSamples: InlineProjection = {
  name: 'owned-samples',
  version: 1,
  lifecycle: 'inline', // What was just paid for must be downloadable.
  types: TYPES,
  tables: ['owned_sample'],
  async apply(client: ClientBase, events: RecordedEvent[]): Promise<void> {
    // One page may hold the purchase and a later version of it: in two steps each keeps what is its own.
    for (const version1 of [true, false]) {
      const part = events.filter((event) => (event.version === 1) === version1);
      if (part.length > 0) await client.query(`with ${writeOwnedRows(1)} select 1`, ownedRows(part));
    }
  },
};
