import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type * as z from 'zod';
import { type Outcome, reject } from '../../../domain/shared/decision.js';
import { ObjectStorage } from '../../storage/object-storage.js';
import { Packs, type PackRefusal, type PackWriter, type PackOutcome } from '../packs.js';
import { OwnPackQueries } from '../queries.js';
import type { SampleAudio } from '../../../domain/publishing/audio.js';
import { packDecider } from '../../../domain/publishing/pack.js';
import { Streams } from '../../shared/streams.js';
import { UnreferencedObjects } from '../../storage/unreferenced-objects.js';
import { SampleChange, type SampleChangesAnswer, type SampleChangesBody } from '../contract.js';
import { changeOf } from '../change-pack.js';

export type RemovalOutcome = Outcome<
  {
    version: number;
    /** False if the storage could not delete the files. No buyer can own these files. */
    cleanedUp: boolean;
  },
  PackRefusal
>;

/** Removes a sample from a pack. Also removes its files from the storage if no buyer can own them. */
export class RemoveSample extends Command<RemovalOutcome> {
  constructor(
    readonly writer: PackWriter,
    readonly sampleId: string,
  ) {
    super();
  }
}

@CommandHandler(RemoveSample)
export class RemoveSampleHandler implements ICommandHandler<RemoveSample> {
  constructor(
    private readonly packs: Packs,
    private readonly own: OwnPackQueries,
    private readonly storage: ObjectStorage,
  ) {}

  async execute({ writer, sampleId }: RemoveSample): Promise<RemovalOutcome> {
    const outcome = await this.packs.decide(writer, { type: 'RemoveSample', sampleId });
    if (!outcome.accepted) return outcome;
    return {
      accepted: true,
      version: outcome.version,
      cleanedUp: await this.cleanUp(writer.packId, sampleId),
    };
  }

  /** Deletes the files of a removed sample. If that fails, the sample stays removed. @returns whether it succeeded */
  private async cleanUp(packId: string, sampleId: string): Promise<boolean> {
    try {
      for (const key of await this.own.filesOfNobody(packId, sampleId)) await this.storage.delete(key);
      return true;
    } catch {
      return false;
    }
  }
}

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
    const originalKey = `Users/${place.creatorFolder}/${former.originalPath}`;
    // The sweep removes former versions after a day, unless a buyer owns them, so the files may be gone.
    for (const key of [originalKey, former.previewKey]) {
      await this.unreferenced.claim(key);
      if (!(await this.storage.head(key))) return NOTHING_TO_UNDO;
    }
    return this.packs.decide(writer, { type: 'ReplaceSampleAudio', sampleId, audio: former });
  }

  private async formerAudio(packId: string, sampleId: string) {
    const versions: SampleAudio[] = [];
    for (const { type, data } of await this.streams.history(packDecider, packId)) {
      if (!('sampleId' in data) || data.sampleId !== sampleId) continue;
      if (type === 'SampleAdded' || type === 'SampleAudioReplaced')
        versions.push({ ...(data as SampleAudio) });
      if (type === 'SamplePreviewChosen') {
        const { previewStartMs, previewKey, waveform, waveformFine } = data;
        Object.assign(versions.at(-1) ?? {}, { previewStartMs, previewKey, waveform, waveformFine });
      }
    }
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
        ...(former.previewStartMs !== undefined && { previewStartMs: former.previewStartMs }),
        previewKey: former.previewKey,
        waveform: former.waveform,
        waveformFine: former.waveformFine,
        loudnessLufs: former.loudnessLufs,
        suggestions: former.suggestions,
      }
    );
  }
}

type Rows = z.infer<typeof SampleChangesBody>['changes'];
type Refused = z.infer<typeof SampleChangesAnswer>['refused'];
type Change = { sampleId: string; change: z.infer<typeof SampleChange> };

export type SavedFacts = Outcome<{ savedIds: string[]; refused: Refused }, PackRefusal>;

/** Changes title, tempo, key and the like of many samples at once. Skips invalid rows and returns their errors. */
export class SaveSampleFacts extends Command<SavedFacts> {
  constructor(
    readonly writer: PackWriter,
    readonly rows: Rows,
  ) {
    super();
  }
}

/**
 * How often the handler tries to save. An attempt fails if a concurrent request removes a sample after the handler
 * has read the pack.
 */
const ATTEMPTS = 3;

@CommandHandler(SaveSampleFacts)
export class SaveSampleFactsHandler implements ICommandHandler<SaveSampleFacts> {
  constructor(
    private readonly packs: Packs,
    private readonly reader: OwnPackQueries,
  ) {}

  async execute({ writer, rows }: SaveSampleFacts): Promise<SavedFacts> {
    const { valid, invalid } = sorted(rows);
    for (let attempt = 1; ; attempt += 1) {
      const pack = await this.reader.find(writer.userId, writer.packId);
      if (!pack) return reject({ code: 'NotFound' });
      const present = new Set(pack.samples.map(({ id }) => id));
      const changes = valid.filter(({ sampleId }) => present.has(sampleId));
      const outcome = await this.packs.decide(
        writer,
        ...changes.map(({ sampleId, change }) => changeOf(sampleId, change)),
      );
      const isGone = !outcome.accepted && outcome.rejection.code === 'NotFound' && attempt < ATTEMPTS;
      if (isGone) continue;
      if (!outcome.accepted) return outcome;
      const absent = valid.filter(({ sampleId }) => !present.has(sampleId));
      const missing = absent.map(({ sampleId }) => ({ sampleId, code: 'NotFound' as const, errors: [] }));
      return {
        accepted: true,
        savedIds: changes.map(({ sampleId }) => sampleId),
        refused: [...invalid, ...missing],
      };
    }
  }
}

function sorted(rows: Rows): { valid: Change[]; invalid: Refused } {
  const valid: Change[] = [];
  const invalid: Refused = [];
  for (const { sampleId, ...change } of rows) {
    const parsed = SampleChange.safeParse(change);
    if (parsed.success) valid.push({ sampleId, change: parsed.data });
    else {
      const errors = parsed.error.issues.map(({ path, message }) => ({ path: path.join('.'), message }));
      invalid.push({ sampleId, code: 'InvalidRequest', errors });
    }
  }
  return { valid, invalid };
}
