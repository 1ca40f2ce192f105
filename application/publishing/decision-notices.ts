import { Injectable } from '@nestjs/common';
import type { PackEvent } from '../../domain/publishing/pack-messages.js';
import { packDecider } from '../../domain/publishing/pack.js';
import { Notices } from '../mail/notices.js';
import { paths } from '../pages/paths.js';
import type { Reactor, Recorded } from '../shared/event-store.js';
import { Streams } from '../shared/streams.js';

type Decision = Extract<
  PackEvent,
  { type: 'PackTakenDown' | 'SampleHeld' | 'SampleRefused' | 'SampleTakenDown' | 'SampleReleased' }
>;

const ENDINGS: Record<Decision['type'], string> = {
  PackTakenDown: 'was taken down',
  SampleHeld: 'is held until a decision',
  SampleRefused: 'was refused and is not sold',
  SampleTakenDown: 'was taken down',
  SampleReleased: 'may be sold again',
};

/** Adds notices of decisions by staff to the inbox of the creator. Suspected copies and complaints have mails of their own. */
@Injectable()
export class DecisionNotices implements Reactor<Decision> {
  readonly name = 'decision-notices';
  readonly types = Object.keys(ENDINGS) as Decision['type'][];

  constructor(
    private readonly notices: Notices,
    private readonly streams: Streams,
  ) {}

  async handle({ type, data, position, recordedAt: at }: Recorded<Decision>): Promise<void> {
    if ('because' in data && data.because.kind !== 'decision') return;
    const pack = await this.streams.load(packDecider, data.packId);
    if (pack.status === 'none') return;
    const sampleId = 'sampleId' in data ? data.sampleId : undefined;
    const title = pack.samples.find((sample) => sample.sampleId === sampleId)?.title ?? pack.name;
    await this.notices.add([
      {
        userId: pack.creatorId,
        fact: `decision ${position}`,
        kind: type === 'SampleReleased' ? 'cases' : 'account',
        subject: `“${title}” ${ENDINGS[type]}`,
        path: paths.creatorPack(pack.slug),
        at,
      },
    ]);
  }
}
