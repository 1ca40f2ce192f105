import { randomUUID } from 'node:crypto';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type * as z from 'zod';
import { type Outcome, reject } from '../../domain/shared/decision.js';
import { Profiles } from '../profiles/profiles.js';
import { CreatorFolders } from '../storage/creator-folders.js';
import type { NewPackBody, PackInfoBody, DefaultCostBody, SampleChange } from './contract.js';
import { Covers } from './covers.js';
import {
  PackSlugs,
  Packs,
  type PackRefusal,
  type PackOutcome,
  type PackWriter,
  type WithoutActor,
} from './packs.js';
import type { PackCommand } from '../../domain/publishing/pack-messages.js';
import { slugFrom } from '../../domain/publishing/slug.js';
import { OwnPackQueries } from './queries.js';
import type { ImageRejection } from '../media/image-studio.js';

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
      { type: 'ReplaceCover', coverKey, drawn: true },
    );
    return outcome.accepted ? { accepted: true, packId } : outcome;
  }
}

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
    // Changes only the requested fields, because a concurrent request may change other fields.
    const commands: WithoutActor<PackCommand>[] = [];
    if (name !== undefined) {
      // If the new name gives the same slug, the pack keeps its own slug, which may have a number, as in `drums-2`.
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

export type CoverOutcome = PackOutcome<ImageRejection>;

export class ReplaceCover extends Command<CoverOutcome> {
  constructor(
    readonly writer: PackWriter,
    readonly bytes: Buffer,
  ) {
    super();
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
    if (!place) return reject({ code: 'NotFound' });
    const cover = await this.covers.uploaded(place, bytes);
    if (!cover.accepted) return cover;
    return this.packs.decide(writer, { type: 'ReplaceCover', coverKey: cover.coverKey, drawn: false });
  }
}

/** A command on a pack that depends on nothing but the pack's events. */
abstract class DecideOnPack extends Command<PackOutcome> {
  constructor(
    readonly writer: PackWriter,
    readonly decision: WithoutActor<PackCommand>,
  ) {
    super();
  }
}

export class ReorderSamples extends DecideOnPack {
  constructor(writer: PackWriter, sampleIds: string[]) {
    super(writer, { type: 'ReorderSamples', sampleIds });
  }
}

export class ChangeDefaultCost extends DecideOnPack {
  constructor(writer: PackWriter, { creditCost, applyToAll }: z.infer<typeof DefaultCostBody>) {
    super(writer, { type: 'ChangeDefaultCost', priceCredits: creditCost, applyToAll });
  }
}

export class PricePack extends DecideOnPack {
  constructor(writer: PackWriter, priceCredits: number | null) {
    super(writer, { type: 'PricePack', priceCredits });
  }
}

export class ChangeSample extends DecideOnPack {
  constructor(writer: PackWriter, sampleId: string, change: z.infer<typeof SampleChange>) {
    super(writer, changeOf(sampleId, change));
  }
}

export function changeOf(
  sampleId: string,
  { name, creditCost, instruments, ...rest }: z.infer<typeof SampleChange>,
): WithoutActor<Extract<PackCommand, { type: 'ChangeSample' }>> {
  const description = {
    ...rest,
    ...(name === undefined ? {} : { title: name }),
    ...(instruments === undefined ? {} : { instruments: [...new Set(instruments)] }),
  };
  const price = creditCost === undefined ? {} : { priceCredits: creditCost };
  return { type: 'ChangeSample', sampleId, description, ...price };
}

@CommandHandler(DecideOnPack)
export class DecideOnPackHandler implements ICommandHandler<DecideOnPack> {
  constructor(private readonly packs: Packs) {}

  execute({ writer, decision }: DecideOnPack): Promise<PackOutcome> {
    return this.packs.decide(writer, decision);
  }
}
