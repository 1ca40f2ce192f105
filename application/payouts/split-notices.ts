import { Injectable } from '@nestjs/common';
import { splitDecider, type SplitEvent } from '../../domain/payouts/split.js';
import type { PromotionEvent } from '../../domain/promotions/promotion-code.js';
import { Notices, type NewNotice } from '../mail/notices.js';
import { paths } from '../pages/paths.js';
import type { Reactor, Recorded } from '../shared/event-store.js';
import { Streams } from '../shared/streams.js';
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

type NewCode = Extract<PromotionEvent, { type: 'PromotionCodeCreated' }>;

/**
 * Adds notices of proposed, answered and ended splits to the inbox of the other side. Notifies each collaborator of a
 * pack when its creator makes a promotion code, because free downloads have no share.
 */
@Injectable()
export class SplitNotices implements Reactor<SplitEvent | NewCode> {
  readonly name = 'split-notices';
  readonly types = [...(Object.keys(NOTICES) as SplitEvent['type'][]), 'PromotionCodeCreated' as const];

  constructor(
    private readonly notices: Notices,
    private readonly queries: SplitQueries,
    private readonly streams: Streams,
  ) {}

  async handle(event: Recorded<SplitEvent | NewCode>): Promise<void> {
    if (event.type === 'PromotionCodeCreated') return this.tellOfCode(event);
    const { type, data, recordedAt: at } = event;
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

  private async tellOfCode({ data, recordedAt: at }: Recorded<NewCode>): Promise<void> {
    const { code, packId, sampleIds, limit } = data;
    const splits = await this.streams.load(splitDecider, packId);
    const accepted = splits.filter(({ status }) => status === 'accepted');
    const named = await Promise.all(accepted.map(({ splitId }) => this.queries.find(splitId)));
    const people = limit === 1 ? 'one person' : `up to ${limit} people`;
    const part = !sampleIds
      ? ''
      : sampleIds.length === 1
        ? 'one sample of '
        : `${sampleIds.length} samples of `;
    await this.notices.add(
      named.flatMap((split): NewNotice[] =>
        split
          ? [
              {
                userId: split.collaborator.id,
                fact: `promotion ${code}`,
                kind: 'payouts',
                subject: `${split.owner.displayName} gives ${people} ${part}“${split.packTitle}” free with the code ${code}. These downloads have no share`,
                path: paths.earnings,
                at,
                isUrgent: true,
              },
            ]
          : [],
      ),
    );
  }
}
