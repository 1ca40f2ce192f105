import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import {
  copyDecider,
  type CopyCommand,
  type CopyEvent,
  type CopyRejection,
  type CopyStatus,
} from '../../../domain/publishing/suspicion.js';
import { assert, unreachable, type Outcome } from '../../../domain/shared/decision.js';
import type { Remark } from '../../../domain/shared/remark.js';
import { Clock } from '../../shared/clock.js';
import { eventsOf } from '../../shared/event-store.js';
import { Remarks, textOf } from '../../shared/remarks.js';
import { Streams, type Unclocked } from '../../shared/streams.js';
import { HoldSample, RefuseSample, ReleaseSample } from '../decide-on-sample.js';
import { TakeDownSample } from '../takedowns.js';
import { RecordStrike } from './decide-on-strike.js';

export type CopyOutcome = Outcome<{ id: string; status: CopyStatus }, CopyRejection>;

export const CHECK = 'system:copies';

export const EFFECTIVE = ['CopySuspected', 'CopyDecided', 'SidesSwapped', 'SuspicionLapsed'] as const;
export type Effective = Extract<CopyEvent, { type: (typeof EFFECTIVE)[number] }>;
export const isEffective = eventsOf<Effective>(EFFECTIVE);

@Injectable()
export class DecidedCopies {
  constructor(
    private readonly streams: Streams,
    private readonly remarks: Remarks,
    private readonly commands: CommandBus,
    private readonly clock: Clock,
  ) {}

  async decide(copyId: string, decided: Unclocked<CopyCommand>, actor: string): Promise<CopyOutcome> {
    const command = { ...decided, now: this.clock.now().toISOString() };
    const outcome = await this.streams.execute(copyDecider, copyId, command, { actor });
    if (!outcome.accepted) return outcome;
    assert(outcome.state.status !== 'none', 'what was decided on was suspected');
    for (const event of outcome.events) await this.carryOut(event);
    return { accepted: true, id: copyId, status: outcome.state.status };
  }

  /** Closes a suspicion without a decision, because its recording was removed, replaced or taken down. */
  lapse(copyId: string): Promise<CopyOutcome> {
    return this.decide(copyId, { type: 'LapseSuspicion' }, CHECK);
  }

  async load(copyId: string) {
    return this.streams.load(copyDecider, copyId);
  }

  /** Stores a text outside the log. @param about users whose erasure also erases the text */
  keep(text: string, copyId: string, about: readonly string[]): Promise<Remark> {
    return this.remarks.keep(text, { stream: copyDecider.streamOf(copyId), about });
  }

  /** Applies a suspicion or decision to its sample: hold, release, refuse, or take down with a strike. Idempotent. */
  async carryOut(event: CopyEvent): Promise<void> {
    if (!isEffective(event)) return;
    const { sampleId, sha256, claimId } = event.data;
    const because = { kind: 'copy', id: claimId } as const;
    const recording = { sampleId, sha256 };
    switch (event.type) {
      case 'CopySuspected':
        if (event.data.isHeld) await this.commands.execute(new HoldSample(recording, because, CHECK));
        return;
      case 'SidesSwapped':
        // The other creator published the identical file first, so this sample may be sold only if it is `allowed`.
        await this.commands.execute(new ReleaseSample(sampleId, because, event.data.by, { allowed: true }));
        return;
      case 'SuspicionLapsed':
        await this.commands.execute(new ReleaseSample(sampleId, because, CHECK));
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
