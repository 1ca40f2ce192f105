import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { Notices } from '../mail/notices.js';
import { paths } from '../pages/paths.js';
import { PROBLEMS } from '../shared/problems.js';
import { WallClock } from '../shared/clock.js';
import { CancelRelease, PublishPack } from './publish-pack.js';
import { OwnPackQueries, type DueRelease } from './queries.js';

const AT_ONCE = 100;

/** Publishes packs whose release is due. A pack that may not be published stays a draft, and its creator learns why. */
@Injectable()
export class ReleaseDuePacks {
  constructor(
    private readonly packs: OwnPackQueries,
    private readonly commands: CommandBus,
    private readonly notices: Notices,
    private readonly clock: WallClock,
  ) {}

  async run(): Promise<void> {
    // The next round releases the packs beyond this limit.
    for (const each of await this.packs.dueReleases(this.clock.now(), AT_ONCE)) await this.release(each);
  }

  private async release({ packId, creatorId, title, slug }: DueRelease): Promise<void> {
    const writer = { userId: creatorId, packId, takesUnstated: true } as const;
    const outcome = await this.commands.execute(new PublishPack(writer));
    // Another process kept writing to the pack. The next round tries again.
    if (!outcome.accepted && outcome.rejection.code === 'StaleVersion') return;
    const isReleased = outcome.accepted || outcome.rejection.code === 'PackAlreadyPublished';
    if (!isReleased) await this.commands.execute(new CancelRelease(writer));
    await this.notices.add([
      {
        userId: creatorId,
        fact: `release ${packId}`,
        kind: isReleased ? 'releases' : 'account',
        subject: isReleased
          ? `“${title}” was released`
          : `“${title}” was not released: ${PROBLEMS[outcome.rejection.code][1]}`,
        path: paths.creatorPack(slug),
        at: this.clock.now(),
      },
    ]);
  }
}
