import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { type Outcome, reject } from '../../../domain/shared/decision.js';
import { PREVIEW_LIMIT_SECONDS } from '../../catalogue/values.js';
import { MEDIA_CACHE } from '../../media/values.js';
import { ObjectStorage, putOnce } from '../../storage/object-storage.js';
import { SampleFileQueries } from '../../storage/queries.js';
import { UnreferencedObjects } from '../../storage/unreferenced-objects.js';
import { Creators, type NoAccess } from '../creators/creators.js';
import { Packs, type PackOutcome, type PackWriter } from '../packs.js';
import { OwnPackQueries } from '../queries.js';
import { type AudioRejection, AudioStudio } from './audio-studio.js';
import { WorkingFiles } from './working-files.js';

/** Stores previews under the hash of their content, so that equal previews share one object. */
@Injectable()
export class Previews {
  constructor(
    private readonly files: WorkingFiles,
    private readonly storage: ObjectStorage,
    private readonly packs: OwnPackQueries,
    private readonly unreferenced: UnreferencedObjects,
  ) {}

  /** `discard` removes the stored object unless a sample uses it. Call it if the event was not recorded. */
  async prepare(
    previewPath: string,
  ): Promise<{ key: string; store: () => Promise<void>; discard: () => Promise<void> }> {
    const preview = await this.files.read(previewPath);
    const key = `media/previews/${createHash('sha256').update(preview).digest('hex')}.mp3`;
    let isOurs = false;
    return {
      key,
      store: async () => {
        // Set before `putOnce`, because a request that fails may still have stored the preview.
        isOurs = true;
        await this.unreferenced.claim(key);
        isOurs = await putOnce(this.storage, key, preview, {
          contentType: 'audio/mpeg',
          cacheControl: MEDIA_CACHE,
        });
      },
      discard: async () => {
        if (isOurs && !(await this.packs.isPreviewUsed(key))) await this.storage.delete(key);
      },
    };
  }
}

/** Returns the last place where a full preview can begin. */
export const lastPreviewStartMs = (durationMs: number): number =>
  Math.max(0, durationMs - PREVIEW_LIMIT_SECONDS * 1_000);

export type PreviewOutcome = PackOutcome<
  NoAccess | AudioRejection | { code: 'PreviewOutOfRange'; latestMs: number }
>;

/** Makes another part of a sample its preview. Listeners hear the former preview until the new one is stored. */
export class ChoosePreview extends Command<PreviewOutcome> {
  constructor(
    readonly writer: PackWriter,
    readonly sampleId: string,
    readonly startMs: number,
  ) {
    super();
  }
}

export type OverviewOutcome = Outcome<{ bars: number[] }, { code: 'NotFound' } | AudioRejection>;

/**
 * Copies an original into a temporary file for a caller's function, and removes the copy after that function
 * ends.
 */
@Injectable()
export class OriginalsAtHand {
  constructor(
    private readonly originals: SampleFileQueries,
    private readonly files: WorkingFiles,
    private readonly storage: ObjectStorage,
  ) {}

  /** @returns undefined if the sample has no original */
  async use<Result>(
    sampleId: string,
    work: (file: { path: string; sha256: string }) => Promise<Result>,
  ): Promise<Result | undefined> {
    const [original] = await this.originals.find([sampleId]);
    if (!original) return undefined;
    const file = await this.files.write((await this.storage.get(original.originalKey)).body);
    try {
      return await work(file);
    } finally {
      await this.files.remove(file.path);
    }
  }
}

const NOT_FOUND = reject({ code: 'NotFound' } as const);

@CommandHandler(ChoosePreview)
export class ChoosePreviewHandler implements ICommandHandler<ChoosePreview> {
  constructor(
    private readonly packs: Packs,
    private readonly own: OwnPackQueries,
    private readonly creators: Creators,
    private readonly originals: OriginalsAtHand,
    private readonly studio: AudioStudio,
    private readonly files: WorkingFiles,
    private readonly previews: Previews,
  ) {}

  async execute({ writer, sampleId, startMs }: ChoosePreview): Promise<PreviewOutcome> {
    const { userId, packId } = writer;
    const obstacle = await this.creators.obstacle(userId);
    if (obstacle) return reject(obstacle);
    const sample = await this.own.sample(userId, packId, sampleId);
    if (!sample) return NOT_FOUND;
    const latestMs = lastPreviewStartMs(sample.durationMs);
    if (startMs > latestMs) return reject({ code: 'PreviewOutOfRange', latestMs });
    const outcome = await this.originals.use(sampleId, async ({ path, sha256 }): Promise<PreviewOutcome> => {
      const previewPath = `${path}.preview.mp3`;
      try {
        const made = await this.studio.preview(path, previewPath, { startMs, owner: userId });
        if (!made.accepted) return made;
        const stored = await this.previews.prepare(previewPath);
        const preview = { previewStartMs: startMs, previewKey: stored.key, ...made.preview };
        try {
          await stored.store();
          const decided = await this.packs.decide(writer, {
            type: 'ChoosePreview',
            sampleId,
            sha256,
            preview,
          });
          if (!decided.accepted) await stored.discard();
          return decided;
        } catch (error) {
          // `discard` keeps the object if a sample uses it, because the commit may have succeeded. If `discard`
          // fails, the sweep removes the unreferenced object later.
          await stored.discard().catch(() => undefined);
          throw error;
        }
      } finally {
        await this.files.remove(previewPath);
      }
    });
    return outcome ?? NOT_FOUND;
  }
}

/** Returns the waveform of a whole sound to its creator, who chooses the preview on it. */
@Injectable()
export class SoundOverviews {
  constructor(
    private readonly own: OwnPackQueries,
    private readonly originals: OriginalsAtHand,
    private readonly studio: AudioStudio,
  ) {}

  async of(userId: string, packId: string, sampleId: string): Promise<OverviewOutcome> {
    if (!(await this.own.sample(userId, packId, sampleId))) return NOT_FOUND;
    const drawn = await this.originals.use(sampleId, ({ path }) =>
      this.studio.overview(path, { owner: userId }),
    );
    return drawn ?? NOT_FOUND;
  }
}
