import { reject } from '../../../domain/shared/decision.js';
import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { JobCancelled, type Attempt } from '../../shared/job-queue.js';
import { ObjectStorage } from '../../storage/object-storage.js';
import { AddSample, ReplaceSampleAudio, type UploadOutcome, sampleIdOf } from './sample-uploads.js';
import { OwnPackQueries } from '../queries.js';
import {
  EncodingStore,
  type Becomes,
  type EncodingName,
  type EncodingOrder,
  type EncodingOutcome,
} from './encodings.js';
import { WorkingFiles, type ReceivedFile } from './working-files.js';

@Injectable()
export class EncodeFiles {
  constructor(
    private readonly commands: CommandBus,
    private readonly storage: ObjectStorage,
    private readonly store: EncodingStore,
    private readonly own: OwnPackQueries,
    private readonly files: WorkingFiles,
  ) {}

  /** Encodes a stored file, as the job of an upload. Idempotent. */
  async run(name: EncodingName, attempt: Pick<Attempt<object>, 'number' | 'signal'>): Promise<void> {
    const order = await this.store.find(name);
    if (!order || order.outcome) return;
    const { key } = order;
    try {
      await this.store.end(name, key, await this.make(name, order, attempt));
    } catch (error) {
      if (!(attempt.signal.reason instanceof JobCancelled)) throw error;
      // The browser that waits gets this outcome, and may send the file again.
      await this.store.end(name, key, reject({ code: 'UploadCancelled' }));
    }
    // If the storage cannot delete the object now, the sweep does so later.
    await this.storage.delete(key).catch(() => undefined);
  }

  private async make(
    name: EncodingName,
    { key, filename, becomes }: EncodingOrder,
    { number, signal }: Pick<Attempt<object>, 'number' | 'signal'>,
  ): Promise<EncodingOutcome> {
    const { body } = await this.storage.get(key);
    const written = await this.files.write(body, () => signal.throwIfAborted());
    const file = { ...written, filename };
    const made = number > 1 && (await this.madeBefore(name, becomes, file));
    return made || outcomeOf(await this.encode(name, becomes, file, signal));
  }

  /** Finds the sample that an earlier attempt made before its process died, and returns its outcome. */
  private async madeBefore(
    { userId, packId, uploadId }: EncodingName,
    becomes: Becomes,
    file: ReceivedFile,
  ): Promise<EncodingOutcome | undefined> {
    const sampleId = becomes.kind === 'recording' ? becomes.sampleId : sampleIdOf(packId, uploadId);
    const pack = await this.own.find(userId, packId);
    const sample = pack?.samples.find(({ id, sha256 }) => id === sampleId && sha256 === file.sha256);
    if (!pack || !sample) return undefined;
    await this.files.remove(file.path);
    return { accepted: true, sampleId, version: pack.version, duplicateOf: null };
  }

  /** Adds a sample or replaces its audio. Always removes the received file. */
  encode(
    { userId, packId, uploadId }: { userId: string; packId: string; uploadId?: string | undefined },
    becomes: Becomes,
    file: ReceivedFile,
    signal?: AbortSignal,
  ): Promise<UploadOutcome> {
    const upload = { userId, packId, uploadId, file, expectedVersion: becomes.expectedVersion, signal };
    return becomes.kind === 'new'
      ? this.commands.execute(new AddSample(upload, becomes.meta))
      : this.commands.execute(new ReplaceSampleAudio(upload, becomes.sampleId));
  }
}

function outcomeOf(outcome: UploadOutcome): EncodingOutcome {
  if (!outcome.accepted) return outcome;
  const { sample, version, duplicateOf } = outcome;
  return { accepted: true, sampleId: sample.id, version, duplicateOf };
}
