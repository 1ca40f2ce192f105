import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { reject } from '../../domain/shared/decision.js';
import type { ImageRejection } from '../media/image-studio.js';
import { Covers } from './covers.js';
import { Packs, type PackOutcome, type PackWriter } from './packs.js';
import { OwnPackQueries } from './queries.js';

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
    return this.packs.decide(writer, { type: 'ReplaceCover', coverKey: cover.coverKey });
  }
}
