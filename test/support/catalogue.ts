import type { EventStore } from '../../application/shared/event-store.js';
import type { PackEvent } from '../../domain/publishing/pack-messages.js';
import { slugFrom } from '../../domain/publishing/slug.js';
import { drafted, published, sampleAdded } from './pack-events.js';

export type SampleFacts = Partial<Extract<PackEvent, { type: 'SampleAdded' }>['data']>;
export type PackFacts = Partial<Extract<PackEvent, { type: 'PackDrafted' }>['data']>;

/** Records a published pack without files, for tests of the search. Sample ids default to `{packId}-{n}`. */
export async function recordPack(
  eventStore: EventStore,
  pack: PackFacts & { packId: string; creatorId: string },
  samples: SampleFacts[],
  options: { publishedAt?: string; draft?: boolean } = {},
): Promise<void> {
  const slug = pack.slug ?? slugFrom(pack.name ?? pack.packId);
  const { packId, creatorId } = pack;
  await eventStore.append(
    [
      {
        stream: `pack-${packId}`,
        expectedVersion: 0,
        events: [
          drafted({ name: packId, ...pack, slug, folder: slug }),
          ...samples.map((sample, index) =>
            sampleAdded({
              sampleId: `${packId}-${index}`,
              title: `Sample ${index}`,
              ...sample,
              packId,
              creatorId,
            }),
          ),
          ...(options.draft ? [] : [published(packId, options.publishedAt)]),
        ],
      },
    ],
    { actor: creatorId, correlationId: packId },
  );
}

/** Records purchases of a sample with the data that the download counts need. */
export async function recordPurchases(
  eventStore: EventStore,
  sample: { sampleId: string; packId: string; creatorId: string },
  buyerIds: string[],
): Promise<void> {
  for (const buyerId of buyerIds)
    await eventStore.append(
      [
        {
          stream: `purchase-${buyerId}.${sample.sampleId}`,
          expectedVersion: 0,
          events: [
            {
              type: 'SamplePurchased',
              data: {
                ...sample,
                buyerId,
                purchaseId: `${buyerId}-${sample.sampleId}`,
                certificateId: 'c',
                audioVersion: 1,
                fileSha256: 'f',
                priceCredits: 1,
                valueMicroUsd: 0,
                shareMicroUsd: 0,
                shareBps: 6_000,
                policyVersion: 1,
              },
            },
          ],
        },
      ],
      { actor: buyerId, correlationId: buyerId },
    );
}
