import { Injectable } from '@nestjs/common';
import type { PackEvent } from '../../domain/publishing/pack-messages.js';
import type { Recorded, Reactor } from '../shared/event-store.js';
import { CachePurge } from './cache-purge.js';
import { MediaUses } from './uses.js';
import { narrowWidths } from './values.js';

const TYPES = [
  'SampleHeld',
  'SampleRefused',
  'SampleTakenDown',
  'SampleRemoved',
  'PackUnpublished',
  'PackDeleted',
  'PackTakenDown',
] as const;
type Withdrawn = Extract<PackEvent, { type: (typeof TYPES)[number] }>;

@Injectable()
export class PurgeMedia implements Reactor<Withdrawn> {
  readonly name = 'purge-media';
  readonly types = TYPES;

  constructor(
    private readonly uses: MediaUses,
    private readonly caches: CachePurge,
  ) {}

  async handle({ data }: Recorded<Withdrawn>): Promise<void> {
    if (!this.caches.isThere) return;
    const keys =
      'sampleId' in data
        ? await this.uses.keysOf(data.packId, data.sampleId)
        : await this.uses.keysOf(data.packId);
    const all = keys.flatMap((key) => [key, ...narrowWidths(key).map(({ name }) => name)]);
    if (all.length > 0) await this.caches.purge(all.map((key) => `/${key}`));
  }
}
