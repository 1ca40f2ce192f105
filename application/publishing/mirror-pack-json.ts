import { Injectable } from '@nestjs/common';
import type { AiPreferenceSet } from '../../domain/publishing/ai-preference.js';
import type { PackEvent } from '../../domain/publishing/pack-messages.js';
import { PACK_EVENT_TYPES } from '../../domain/publishing/pack-state.js';
import type { Recorded, Reactor } from '../shared/event-store.js';
import { ObjectStorage } from '../storage/object-storage.js';
import { fileUrlOf } from '../storage/layout.js';
import { packFolder } from './covers.js';
import { minutesAndSeconds } from './pack-json.js';
import { OwnPackQueries, type MirroredPack } from './queries.js';

@Injectable()
export class MirrorPackJson implements Reactor<PackEvent | AiPreferenceSet> {
  readonly name = 'pack-json-mirror';
  readonly streamsAtOnce = 8;
  readonly types = [...PACK_EVENT_TYPES, 'AiPreferenceSet'] as const;

  constructor(
    private readonly packs: OwnPackQueries,
    private readonly storage: ObjectStorage,
  ) {}

  async handle({ data, position }: Recorded<PackEvent | AiPreferenceSet>): Promise<void> {
    if ('packId' in data) return this.write(data.packId, position);
    for (const packId of await this.packs.packIds(data.userId)) await this.write(packId);
  }

  private async write(packId: string, position = Number.POSITIVE_INFINITY): Promise<void> {
    const pack = await this.packs.mirrored(packId);
    // The row already contains a later event. The reactor will write the file for that event.
    if (!pack || pack.position > position) return;
    const key = `${packFolder(pack)}/pack.json`;
    if (pack.deleted) return this.storage.delete(key);
    await this.storage.put(key, Buffer.from(JSON.stringify(asListenersRead(pack.document), null, 2)), {
      contentType: 'application/json',
      cacheControl: 'no-cache',
    });
  }
}

/** Writes durations as m:ss, and files as the addresses at which buyers download them. */
function asListenersRead(document: MirroredPack['document']): object {
  const samples = document.samples.map(({ durationMs, originalKey, stemsKey, midiKey, ...sample }) => ({
    ...sample,
    duration: minutesAndSeconds(durationMs),
    fileUrl: fileUrlOf(originalKey),
    ...(stemsKey && { stems: fileUrlOf(stemsKey) }),
    ...(midiKey && { midi: fileUrlOf(midiKey) }),
  }));
  return { ...document, samples };
}
