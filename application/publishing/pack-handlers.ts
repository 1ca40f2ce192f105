import { randomUUID } from 'node:crypto';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { PackCommand } from '../../domain/publishing/pack-messages.js';
import { slugFrom } from '../../domain/publishing/slug.js';
import { Profiles } from '../profiles/profiles.js';
import { CreatorFolders } from '../storage/creator-folders.js';
import { Covers } from './covers.js';
import { ChangePackInfo, DecideOnPack, DraftPack, ReplaceCover, type CoverOutcome } from './pack-commands.js';
import { PackSlugs } from './pack-slugs.js';
import { Packs, type PackOutcome, type WithoutActor } from './packs.js';
import { OwnPackQueries } from './queries.js';

@CommandHandler(DraftPack)
export class DraftPackHandler implements ICommandHandler<DraftPack> {
  constructor(
    private readonly packs: Packs,
    private readonly slugs: PackSlugs,
    private readonly folders: CreatorFolders,
    private readonly profiles: Profiles,
    private readonly covers: Covers,
  ) {}

  async execute({
    userId,
    info,
    packId = randomUUID(),
    at,
  }: DraftPack): Promise<{ packId: string; outcome: PackOutcome }> {
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
    return { packId, outcome };
  }
}

@CommandHandler(ChangePackInfo)
export class ChangePackInfoHandler implements ICommandHandler<ChangePackInfo> {
  constructor(
    private readonly packs: Packs,
    private readonly own: OwnPackQueries,
    private readonly slugs: PackSlugs,
  ) {}

  async execute({ writer, change }: ChangePackInfo): Promise<PackOutcome> {
    const pack = await this.own.find(writer.userId, writer.packId);
    if (!pack) return { accepted: false, rejection: { code: 'NotFound' } };
    const { name, genre, mood, description } = change;
    // Changes only the requested fields, because a concurrent request may change the others.
    const commands: WithoutActor<PackCommand>[] = [];
    if (name !== undefined) {
      // If the new name gives the same slug, the pack keeps its address, even a numbered one.
      const keepsSlug = slugFrom(name) === slugFrom(pack.title);
      const slug = keepsSlug ? pack.slug : await this.slugs.claim(writer.userId, writer.packId, name);
      commands.push({ type: 'RenamePack', name, slug });
    }
    if (genre !== undefined || mood !== undefined)
      commands.push({ type: 'ClassifyPack', genre: genre ?? pack.genre, mood: mood ?? pack.mood });
    if (description !== undefined) commands.push({ type: 'DescribePack', description });
    return this.packs.decide(writer, ...commands);
  }
}

@CommandHandler(ReplaceCover)
export class ReplaceCoverHandler implements ICommandHandler<ReplaceCover> {
  constructor(
    private readonly packs: Packs,
    private readonly own: OwnPackQueries,
    private readonly covers: Covers,
  ) {}

  async execute({ writer, bytes }: ReplaceCover): Promise<CoverOutcome> {
    const place = await this.own.place(writer.userId, writer.packId);
    if (!place) return { accepted: false, rejection: { code: 'NotFound' } };
    const cover = await this.covers.uploaded(place, bytes);
    if (!cover.ok) return { accepted: false, rejection: cover.rejection };
    return this.packs.decide(writer, { type: 'ReplaceCover', coverKey: cover.coverKey });
  }
}

@CommandHandler(DecideOnPack)
export class DecideOnPackHandler implements ICommandHandler<DecideOnPack> {
  constructor(private readonly packs: Packs) {}

  execute({ writer, decision }: DecideOnPack): Promise<PackOutcome> {
    return this.packs.decide(writer, decision);
  }
}
