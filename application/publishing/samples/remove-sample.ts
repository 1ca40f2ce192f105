import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Outcome } from '../../../domain/shared/decision.js';
import { ObjectStorage } from '../../storage/object-storage.js';
import { Packs, type PackRefusal, type PackWriter } from '../packs.js';
import { OwnPackQueries } from '../queries.js';

export type RemovalOutcome = Outcome<
  {
    version: number;
    /** False if the storage failed to delete files that no buyer can own. */
    cleanedUp: boolean;
  },
  PackRefusal
>;

/** Removes a sample from a pack, and its files from the storage if no buyer can own them. */
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

  /** The sample is removed even if this fails. @returns whether all files were deleted */
  private async cleanUp(packId: string, sampleId: string): Promise<boolean> {
    try {
      for (const key of await this.own.filesOfNobody(packId, sampleId)) await this.storage.delete(key);
      return true;
    } catch {
      return false;
    }
  }
}
