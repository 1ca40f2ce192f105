import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { reject, type Outcome } from '../../../domain/shared/decision.js';
import { WallClock } from '../../shared/clock.js';
import { DraftPack } from '../change-pack.js';
import type { PackRefusal } from '../packs.js';
import { DeletePack } from '../publish-pack.js';
import { RemoveSample, type RemovalOutcome } from '../samples/change-samples.js';
import { APPLICATION_SOUNDS_DAYS } from '../values.js';
import { ApplicationPacks, type ApplicationPack } from './application-packs.js';

const DAY_MS = 86_400_000;
const AT_ONCE = 100;
const DRAFT = {
  name: 'Sounds of my application',
  genre: 'Experimental',
  mood: 'Chill',
  description: '',
} as const;

/** The sounds of applications. They are samples of a draft, which stays with the creator after an approval. */
@Injectable()
export class ApplicationSounds {
  constructor(
    private readonly packs: ApplicationPacks,
    private readonly commands: CommandBus,
    private readonly clock: WallClock,
  ) {}

  /** Returns the draft for the sounds of an application. Drafts one if there is none. */
  async open(userId: string): Promise<Outcome<{ packId: string }, PackRefusal>> {
    const known = await this.packs.find(userId);
    if (known !== undefined) return { accepted: true, packId: known };
    const packId = randomUUID();
    const drafted = await this.commands.execute(new DraftPack(userId, DRAFT, packId));
    if (!drafted.accepted) return drafted;
    const kept = await this.packs.keep({ userId, packId }, this.clock.now());
    // A concurrent request drafted a pack first.
    if (kept !== packId) await this.commands.execute(new DeletePack({ userId, packId }));
    return { accepted: true, packId: kept };
  }

  async remove(userId: string, sampleId: string): Promise<RemovalOutcome> {
    const packId = await this.packs.find(userId);
    if (packId === undefined) return reject({ code: 'NotFound' });
    return this.commands.execute(new RemoveSample({ userId, packId }, sampleId));
  }

  /** Deletes the sounds of applications that were declined, withdrawn or never sent, and those of erased users. */
  async sweep(): Promise<void> {
    const before = new Date(this.clock.now().getTime() - APPLICATION_SOUNDS_DAYS * DAY_MS);
    for (const pack of await this.packs.outlived(before, AT_ONCE)) await this.delete(pack);
  }

  private async delete({ userId, packId }: ApplicationPack): Promise<void> {
    const writer = { userId, packId };
    for (const { id } of await this.packs.sounds(userId)) {
      const removed = await this.commands.execute(new RemoveSample(writer, id));
      if (!removed.accepted && removed.rejection.code !== 'NotFound') return;
    }
    const deleted = await this.commands.execute(new DeletePack(writer));
    if (deleted.accepted || deleted.rejection.code === 'PackDeleted') await this.packs.forget(packId);
  }
}
