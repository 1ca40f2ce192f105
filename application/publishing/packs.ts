import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type * as z from 'zod';
import type { PackCommand } from '../../domain/publishing/pack-messages.js';
import { slugFrom } from '../../domain/publishing/slug.js';
import { Clock } from '../shared/clock.js';
import type { ImageRejection } from '../media/image-studio.js';
import { CreatorFolders } from '../storage/creator-folders.js';
import { PackSlugs } from './pack-slugs.js';
import { ReadModelProgress } from '../shared/read-model-progress.js';
import { Profiles } from '../profiles/profiles.js';
import type { DefaultCostBody, NewPackBody, PackInfoBody, SampleChange } from './contract.js';
import { Covers } from './covers.js';
import { Creators } from './creators.js';
import { ExecutePackCommands, type PackOutcome } from './execute-pack-commands.js';
import { OwnPackReader } from './readers.js';

/** A published pack should be found at once: how long its publisher waits for the search to have it. */
const SEARCH_WAIT_MS = 2_000;
/** The read model that the search asks. */
const SEARCH = 'catalogue-search';

type Unsigned<Command> = Command extends unknown ? Omit<Command, 'packId' | 'actorId' | 'now'> : never;

/** Somebody who writes to a pack, and the version of it they have seen. */
export interface PackWriter {
  userId: string;
  packId: string;
  /** undefined: whatever the version is. */
  expectedVersion?: number;
  /** When it was done, where that was elsewhere and before now. */
  at?: Date;
}

export type CoverOutcome = PackOutcome | { accepted: false; rejection: ImageRejection };

/** What creators do with their packs, apart from uploading audio. */
@Injectable()
export class Packs {
  constructor(
    private readonly commands: CommandBus,
    private readonly packs: OwnPackReader,
    private readonly slugs: PackSlugs,
    private readonly folders: CreatorFolders,
    private readonly profiles: Profiles,
    private readonly creators: Creators,
    private readonly covers: Covers,
    private readonly progress: ReadModelProgress,
    private readonly clock: Clock,
  ) {}

  /** Drafts a pack, with a cover drawn from its genre and name. @returns its id */
  async create(
    userId: string,
    { name, genre, mood, description }: z.infer<typeof NewPackBody>,
    packId: string = randomUUID(),
    at?: Date,
  ): Promise<{ packId: string; outcome: PackOutcome }> {
    await this.profiles.ensure(userId);
    const creatorFolder = await this.folders.folderOf(userId);
    const slug = await this.slugs.claim(userId, packId, name);
    const coverKey = await this.covers.drawn({ creatorFolder, folder: slug }, { genre, name });
    const writer = { userId, packId, ...(at ? { at } : {}) };
    const outcome = await this.execute(writer, [
      { type: 'DraftPack', name, slug, folder: slug, genre, mood, description },
      { type: 'ReplaceCover', coverKey },
    ]);
    return { packId, outcome };
  }

  async changeInfo(writer: PackWriter, change: z.infer<typeof PackInfoBody>): Promise<PackOutcome> {
    const pack = await this.packs.find(writer.userId, writer.packId);
    if (!pack) return { accepted: false, rejection: { code: 'NotFound' } };
    const { name, genre, mood, description } = change;
    // Only what was asked for: all else may be changed by somebody else in this moment.
    const commands: Array<Unsigned<PackCommand>> = [];
    if (name !== undefined) {
      // A name that spells the same address keeps it, also where the address has a number.
      const keepsSlug = slugFrom(name) === slugFrom(pack.title);
      const slug = keepsSlug ? pack.slug : await this.slugs.claim(writer.userId, writer.packId, name);
      commands.push({ type: 'RenamePack', name, slug });
    }
    if (genre !== undefined || mood !== undefined)
      commands.push({ type: 'ClassifyPack', genre: genre ?? pack.genre, mood: mood ?? pack.mood });
    if (description !== undefined) commands.push({ type: 'DescribePack', description });
    return this.execute(writer, commands);
  }

  async replaceCover(writer: PackWriter, bytes: Buffer): Promise<CoverOutcome> {
    const place = await this.packs.place(writer.userId, writer.packId);
    if (!place) return { accepted: false, rejection: { code: 'NotFound' } };
    const cover = await this.covers.uploaded(place, bytes);
    if (!cover.ok) return { accepted: false, rejection: cover.rejection };
    return this.execute(writer, [{ type: 'ReplaceCover', coverKey: cover.coverKey }]);
  }

  async changeSample(
    writer: PackWriter,
    sampleId: string,
    change: z.infer<typeof SampleChange>,
  ): Promise<PackOutcome> {
    return this.execute(writer, [changeCommand(sampleId, change)]);
  }

  /** Changes many samples in one step: all of them, or none when one cannot be changed. */
  async changeSamples(
    writer: PackWriter,
    changes: ReadonlyArray<{ sampleId: string; change: z.infer<typeof SampleChange> }>,
  ): Promise<PackOutcome> {
    return this.execute(
      writer,
      changes.map(({ sampleId, change }) => changeCommand(sampleId, change)),
    );
  }

  async reorder(writer: PackWriter, sampleIds: string[]): Promise<PackOutcome> {
    return this.execute(writer, [{ type: 'ReorderSamples', sampleIds }]);
  }

  async changeDefaultCost(
    writer: PackWriter,
    { creditCost, applyToAll }: z.infer<typeof DefaultCostBody>,
  ): Promise<PackOutcome> {
    return this.execute(writer, [{ type: 'ChangeDefaultCost', priceCredits: creditCost, applyToAll }]);
  }

  /** Publishes for everybody. */
  async publish(
    writer: PackWriter,
  ): Promise<
    PackOutcome | { accepted: false; rejection: { code: 'CreatorAccessRequired' | 'CreatorSuspended' } }
  > {
    const obstacle = await this.creators.obstacle(writer.userId);
    if (obstacle) return { accepted: false, rejection: obstacle };
    return this.executeForAll(writer, { type: 'PublishPack' });
  }

  async unpublish(writer: PackWriter): Promise<PackOutcome> {
    return this.executeForAll(writer, { type: 'UnpublishPack' });
  }

  async delete(writer: PackWriter): Promise<PackOutcome> {
    return this.executeForAll(writer, { type: 'DeletePack' });
  }

  /** What everybody sees changes: the search has followed when this returns, unless it is far behind. */
  private async executeForAll(writer: PackWriter, command: Unsigned<PackCommand>): Promise<PackOutcome> {
    const outcome = await this.execute(writer, [command]);
    if (outcome.accepted && outcome.position !== undefined)
      await this.progress.caughtUp(outcome.position, SEARCH_WAIT_MS, [SEARCH]);
    return outcome;
  }

  private async execute(
    { userId, packId, expectedVersion, at }: PackWriter,
    commands: Array<Unsigned<PackCommand>>,
  ): Promise<PackOutcome> {
    const present = this.clock.now();
    const now = (at && at < present ? at : present).toISOString();
    const signed = commands.map((command) => ({ ...command, packId, actorId: userId, now }) as PackCommand);
    return this.commands.execute(new ExecutePackCommands(packId, signed, userId, expectedVersion));
  }
}

function changeCommand(
  sampleId: string,
  { name, creditCost, instruments, ...rest }: z.infer<typeof SampleChange>,
): Unsigned<PackCommand> {
  const description = {
    ...rest,
    ...(name === undefined ? {} : { title: name }),
    ...(instruments === undefined ? {} : { instruments: [...new Set(instruments)] }),
  };
  const price = creditCost === undefined ? {} : { priceCredits: creditCost };
  return { type: 'ChangeSample', sampleId, description, ...price };
}
