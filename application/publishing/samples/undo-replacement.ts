import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { SampleAudio } from '../../../domain/publishing/audio.js';
import { packDecider } from '../../../domain/publishing/pack.js';
import { reject } from '../../../domain/shared/decision.js';
import { Streams } from '../../shared/streams.js';
import { ObjectStorage } from '../../storage/object-storage.js';
import { UnreferencedObjects } from '../../storage/unreferenced-objects.js';
import { packFolder } from '../covers.js';
import { Packs, type PackOutcome, type PackWriter } from '../packs.js';
import { OwnPackQueries } from '../queries.js';

const NOTHING_TO_UNDO = reject({ code: 'NotFound' } as const);

/** Restores the recording that a sample had before its last replacement. */
export class UndoReplacement extends Command<PackOutcome> {
  constructor(
    readonly writer: PackWriter,
    readonly sampleId: string,
  ) {
    super();
  }
}

@CommandHandler(UndoReplacement)
export class UndoReplacementHandler implements ICommandHandler<UndoReplacement> {
  constructor(
    private readonly packs: Packs,
    private readonly own: OwnPackQueries,
    private readonly streams: Streams,
    private readonly storage: ObjectStorage,
    private readonly unreferenced: UnreferencedObjects,
  ) {}

  async execute({ writer, sampleId }: UndoReplacement): Promise<PackOutcome> {
    const { userId, packId } = writer;
    const place = await this.own.place(userId, packId);
    if (!place) return NOTHING_TO_UNDO;
    const former = await this.formerAudio(packId, sampleId);
    if (!former) return NOTHING_TO_UNDO;
    const originalKey = `${packFolder(place)}${former.originalPath.slice(`Packs/${place.folder}`.length)}`;
    // The sweep removes files of former versions after a day, unless a buyer owns them.
    for (const key of [originalKey, former.previewKey]) {
      await this.unreferenced.claim(key);
      if (!(await this.storage.head(key))) return NOTHING_TO_UNDO;
    }
    return this.packs.decide(writer, { type: 'ReplaceSampleAudio', sampleId, audio: former });
  }

  private async formerAudio(
    packId: string,
    sampleId: string,
  ): Promise<Omit<SampleAudio, 'audioVersion'> | undefined> {
    const versions = (await this.streams.history(packDecider, packId)).flatMap(({ type, data }) =>
      (type === 'SampleAdded' || type === 'SampleAudioReplaced') && data.sampleId === sampleId ? [data] : [],
    );
    const former = versions.at(-2);
    return (
      former && {
        filename: former.filename,
        originalPath: former.originalPath,
        sha256: former.sha256,
        sizeBytes: former.sizeBytes,
        format: former.format,
        contentType: former.contentType,
        sampleRateHz: former.sampleRateHz,
        bitDepth: former.bitDepth,
        channels: former.channels,
        durationMs: former.durationMs,
        previewKey: former.previewKey,
        waveform: former.waveform,
        waveformFine: former.waveformFine,
        loudnessLufs: former.loudnessLufs,
        suggestions: former.suggestions,
      }
    );
  }
}
