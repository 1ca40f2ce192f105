import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { PackEvent } from '../../../domain/publishing/pack-messages.js';
import type { CopyEvent } from '../../../domain/publishing/suspicion.js';
import { unreachable } from '../../../domain/shared/decision.js';
import { TakeDownSample } from '../take-down-sample.js';
import { eventsOf, type Recorded } from '../../shared/event-store.js';
import type { Reactor } from '../../shared/reactor.js';
import { Remarks, textOf } from '../../shared/remarks.js';
import { HoldSample, RefuseSample, ReleaseSample } from '../sample-statuses.js';
import { LapseSuspicion, RecordStrike } from './commands.js';
import { CopyQueries } from './queries.js';

type ClosingEvent = Extract<
  PackEvent,
  { type: 'SampleRemoved' | 'SampleAudioReplaced' | 'SampleTakenDown' | 'PackDeleted' | 'PackTakenDown' }
>;
type Effective = Extract<
  CopyEvent,
  { type: 'CopySuspected' | 'CopyDecided' | 'SidesSwapped' | 'SuspicionLapsed' }
>;

const EFFECTIVE = ['CopySuspected', 'CopyDecided', 'SidesSwapped', 'SuspicionLapsed'] as const;
const isEffective = eventsOf<Effective>(EFFECTIVE);
const ACTOR = 'system:copies';

/**
 * Applies suspicions and decisions to samples: holds, releases, refuses, takes down. The command handlers call it at
 * once. As a reactor it completes interrupted work, and lapses suspicions whose recording is gone.
 */
@Injectable()
export class CarryOutCopies implements Reactor<Effective | ClosingEvent> {
  readonly name = 'carry-out-copies';
  readonly streamsAtOnce = 4;
  readonly types = [
    ...EFFECTIVE,
    'SampleRemoved',
    'SampleAudioReplaced',
    'SampleTakenDown',
    'PackDeleted',
    'PackTakenDown',
  ] as const;

  constructor(
    private readonly commands: CommandBus,
    private readonly copies: CopyQueries,
    private readonly remarks: Remarks,
  ) {}

  async handle(event: Recorded<Effective | ClosingEvent>): Promise<void> {
    if (isEffective(event)) return this.carryOut(event);
    for (const copyId of await this.copies.gone({ packId: (event as ClosingEvent).data.packId }))
      await this.commands.execute(new LapseSuspicion(copyId));
  }

  /** Idempotent. */
  async carryOut(event: CopyEvent): Promise<void> {
    if (!isEffective(event)) return;
    const { sampleId, sha256, claimId } = event.data;
    const because = { kind: 'copy', id: claimId } as const;
    const recording = { sampleId, sha256 };
    switch (event.type) {
      case 'CopySuspected':
        if (event.data.isHeld) await this.commands.execute(new HoldSample(recording, because, ACTOR));
        return;
      case 'SidesSwapped':
        // Allowed even if the two files are identical, because the other one was on sale first.
        await this.commands.execute(new ReleaseSample(sampleId, because, event.data.by, { allowed: true }));
        return;
      case 'SuspicionLapsed':
        await this.commands.execute(new ReleaseSample(sampleId, because, ACTOR));
        return;
      case 'CopyDecided': {
        const { decision, by, creatorId } = event.data;
        if (decision === 'allowed') {
          await this.commands.execute(new ReleaseSample(sampleId, because, by, { allowed: true }));
          return;
        }
        const reason = await textOf(this.remarks, { reason: '', ...event.data });
        if (decision === 'refused') {
          await this.commands.execute(new RefuseSample(recording, because, by, reason));
          return;
        }
        await this.commands.execute(new RecordStrike(creatorId, because, by));
        await this.commands.execute(new TakeDownSample(sampleId, reason, by, { because, sha256 }));
        return;
      }
      default:
        return unreachable(event);
    }
  }
}
