import { randomUUID } from 'node:crypto';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type * as z from 'zod';
import type { Outcome } from '../../domain/shared/decision.js';
import { Profiles } from '../profiles/profiles.js';
import { CreatorFolders } from '../storage/creator-folders.js';
import type { NewPackBody } from './contract.js';
import { Covers } from './covers.js';
import { PackSlugs } from './pack-slugs.js';
import { Packs, type PackRefusal } from './packs.js';

export type DraftOutcome = Outcome<{ packId: string }, PackRefusal>;

export class DraftPack extends Command<DraftOutcome> {
  constructor(
    readonly userId: string,
    readonly info: z.infer<typeof NewPackBody>,
    readonly packId?: string,
    readonly at?: Date,
  ) {
    super();
  }
}

@CommandHandler(DraftPack)
export class DraftPackHandler implements ICommandHandler<DraftPack> {
  constructor(
    private readonly packs: Packs,
    private readonly slugs: PackSlugs,
    private readonly folders: CreatorFolders,
    private readonly profiles: Profiles,
    private readonly covers: Covers,
  ) {}

  async execute({ userId, info, packId = randomUUID(), at }: DraftPack): Promise<DraftOutcome> {
    const { name, genre, mood, description } = info;
    await this.profiles.ensure(userId);
    const creatorFolder = await this.folders.folderOf(userId);
    const slug = await this.slugs.claim(userId, packId, name);
    const coverKey = await this.covers.drawn({ creatorFolder, folder: slug }, { genre, name });
    const writer = { userId, packId, ...(at ? { at } : {}) };
    const outcome = await this.packs.decide(
      writer,
      { type: 'DraftPack', name, slug, folder: slug, genre, mood, description },
      { type: 'ReplaceCover', coverKey },
    );
    return outcome.accepted ? { accepted: true, packId } : outcome;
  }
}
