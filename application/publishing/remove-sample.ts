import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { Clock } from '../shared/clock.js';
import { ObjectStorage } from '../storage/object-storage.js';
import { ExecutePackCommands, type PackOutcome } from './execute-pack-commands.js';
import type { PackWriter } from './packs.js';
import { OwnPackReader } from './readers.js';

export type RemovalOutcome =
  | Extract<PackOutcome, { accepted: false }>
  | {
      accepted: true;
      version: number;
      /** False when files that nobody can have are still stored. */
      cleanedUp: boolean;
    };

/** Takes a sample out of a pack, and its files out of the storage where nobody can have bought them. */
@Injectable()
export class RemoveSample {
  constructor(
    private readonly commands: CommandBus,
    private readonly packs: OwnPackReader,
    private readonly storage: ObjectStorage,
    private readonly clock: Clock,
  ) {}

  async run({ userId, packId, expectedVersion }: PackWriter, sampleId: string): Promise<RemovalOutcome> {
    const now = this.clock.now().toISOString();
    const outcome = await this.commands.execute(
      new ExecutePackCommands(
        packId,
        [{ type: 'RemoveSample', packId, actorId: userId, now, sampleId }],
        userId,
        expectedVersion,
      ),
    );
    if (!outcome.accepted) return outcome;
    return { accepted: true, version: outcome.version, cleanedUp: await this.cleanUp(packId, sampleId) };
  }

  /** The sample is gone whatever happens here; what stays behind is told. */
  private async cleanUp(packId: string, sampleId: string): Promise<boolean> {
    try {
      for (const key of await this.packs.filesOfNobody(packId, sampleId)) await this.storage.delete(key);
      return true;
    } catch {
      return false;
    }
  }
}
