import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type * as z from 'zod';
import type { PackCommand } from '../../domain/publishing/pack-messages.js';
import { slugFrom } from '../../domain/publishing/slug.js';
import { reject } from '../../domain/shared/decision.js';
import type { PackInfoBody } from './contract.js';
import { PackSlugs } from './pack-slugs.js';
import { Packs, type PackOutcome, type PackWriter, type WithoutActor } from './packs.js';
import { OwnPackQueries } from './queries.js';

export class ChangePackInfo extends Command<PackOutcome> {
  constructor(
    readonly writer: PackWriter,
    readonly change: z.infer<typeof PackInfoBody>,
  ) {
    super();
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
    if (!pack) return reject({ code: 'NotFound' });
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
