import { Injectable } from '@nestjs/common';
import type { PackEvent } from '../../domain/publishing/pack-messages.js';
import { Notices } from '../mail/notices.js';
import { mailName } from '../mail/mailer.js';
import { paths } from '../pages/paths.js';
import { WallClock } from '../shared/clock.js';
import type { Reactor, Recorded } from '../shared/event-store.js';

type Published = Extract<PackEvent, { type: 'PackPublished' }>;

/** Older publications get no notice. Otherwise the first run would notify followers of every old pack. */
const TOO_LATE_MS = 3 * 86_400_000;

export interface Released {
  title: string;
  slug: string;
  creatorId: string;
  creatorName: string;
  handle: string;
}

export abstract class ReleasedPacks {
  /** Returns undefined if the pack is not on sale. */
  abstract released(packId: string): Promise<Released | undefined>;
}

/** Adds a notice for each follower of a creator about a new pack. A pack that is published again is not new. */
@Injectable()
export class ReleaseNotices implements Reactor<Published> {
  readonly name = 'release-notices';
  readonly types = ['PackPublished'] as const;

  constructor(
    private readonly notices: Notices,
    private readonly packs: ReleasedPacks,
    private readonly clock: WallClock,
  ) {}

  async handle({ data, recordedAt: at }: Recorded<Published>): Promise<void> {
    const { packId, publishedAt } = data;
    if (publishedAt !== data.at || at.getTime() < this.clock.now().getTime() - TOO_LATE_MS) return;
    const pack = await this.packs.released(packId);
    if (!pack) return;
    const { title, slug, creatorId, creatorName, handle } = pack;
    await this.notices.addToFollowers(creatorId, {
      fact: `release ${packId}`,
      kind: 'releases',
      subject: `“${mailName(title)}”, a new pack by ${mailName(creatorName)}`,
      path: paths.pack({ creator: handle, slug }),
      at,
    });
  }
}
