import { Injectable } from '@nestjs/common';
import type { SplitEvent } from '../../domain/payouts/split.js';
import { Notices, type NewNotice } from '../mail/notices.js';
import { paths } from '../pages/paths.js';
import type { Reactor, Recorded } from '../shared/event-store.js';
import type { Split } from './contract.js';
import { SplitQueries } from './queries.js';

const percent = (bps: number): string => `${bps / 100} %`;

/** The notice for each type of event. The side that did not act gets the notice. */
const NOTICES: Record<SplitEvent['type'], (split: Split) => Pick<NewNotice, 'subject' | 'isUrgent'>> = {
  SplitProposed: ({ owner, packTitle, bps }) => ({
    subject: `${owner.displayName} offers you ${percent(bps)} of the share of “${packTitle}”`,
    isUrgent: true,
  }),
  SplitAccepted: ({ collaborator, packTitle, bps }) => ({
    subject: `${collaborator.displayName} accepted ${percent(bps)} of the share of “${packTitle}”`,
  }),
  SplitDeclined: ({ collaborator, packTitle, bps }) => ({
    subject: `${collaborator.displayName} declined ${percent(bps)} of the share of “${packTitle}”`,
  }),
  SplitEnded: ({ packTitle, bps }) => ({
    subject: `The split of ${percent(bps)} of “${packTitle}” ended; what was earned stays`,
  }),
};

/** Adds notices of proposed, answered and ended splits to the inbox of the other side. */
@Injectable()
export class SplitNotices implements Reactor<SplitEvent> {
  readonly name = 'split-notices';
  readonly types = Object.keys(NOTICES) as SplitEvent['type'][];

  constructor(
    private readonly notices: Notices,
    private readonly queries: SplitQueries,
  ) {}

  async handle({ type, data, recordedAt: at }: Recorded<SplitEvent>): Promise<void> {
    const split = await this.queries.find(data.splitId);
    if (!split) return;
    const toCollaborator = type === 'SplitProposed' || ('by' in data && data.by === data.ownerId);
    await this.notices.add([
      {
        userId: toCollaborator ? data.creatorId : data.ownerId,
        fact: `split ${data.splitId}`,
        kind: 'payouts',
        path: toCollaborator ? paths.earnings : paths.creatorPack(split.packSlug),
        at,
        ...NOTICES[type](split),
      },
    ]);
  }
}
