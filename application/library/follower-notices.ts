import { Injectable } from '@nestjs/common';
import { Notices } from '../mail/notices.js';
import { paths } from '../pages/paths.js';
import { WallClock } from '../shared/clock.js';

export abstract class FollowerCounts {
  /** Returns how many people began to follow each creator in a span of time. */
  abstract newFollowers(from: Date, to: Date): Promise<{ creatorId: string; followers: number }[]>;
}

/** Adds a notice once a day for each creator with new followers, which states their number. */
@Injectable()
export class FollowerNotices {
  constructor(
    private readonly counts: FollowerCounts,
    private readonly notices: Notices,
    private readonly clock: WallClock,
  ) {}

  async nightly(): Promise<void> {
    const now = this.clock.now();
    const to = new Date(now.toISOString().slice(0, 10));
    const from = new Date(to.getTime() - 86_400_000);
    const day = from.toLocaleDateString('en-GB', { day: 'numeric', month: 'long', timeZone: 'UTC' });
    const counts = await this.counts.newFollowers(from, to);
    await this.notices.add(
      counts.map(({ creatorId, followers }) => ({
        userId: creatorId,
        fact: `followers ${from.toISOString().slice(0, 10)}`,
        kind: 'followers',
        subject: `${followers} new ${followers === 1 ? 'follower' : 'followers'} on ${day}`,
        path: paths.dashboard,
        at: now,
      })),
    );
  }
}
