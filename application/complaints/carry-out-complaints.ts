import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { complaintDecider, type ComplaintEvent } from '../../domain/complaints/complaint.js';
import { ReturnDefectiveSample, TakeDownSample, TakeDownPack } from '../publishing/takedowns.js';
import { HoldSample, RefuseSample, ReleaseSample } from '../publishing/decide-on-sample.js';
import { LiftStrike, RecordStrike } from '../publishing/suspicions/decide-on-strike.js';
import { eventsOf, type Recorded, type Reactor } from '../shared/event-store.js';
import { Remarks, textOf } from '../shared/remarks.js';
import { Streams } from '../shared/streams.js';

const EFFECTIVE = [
  'ComplaintHeld',
  'ComplaintAnswered',
  'CounterNoticeAnswered',
  'ComplaintWithdrawn',
] as const;
type Effective = Extract<ComplaintEvent, { type: (typeof EFFECTIVE)[number] }>;
const isEffective = eventsOf<Effective>(EFFECTIVE);
const ACTOR = 'system:complaints';

/**
 * Carries out the measures of complaints and their answers: holds, refuses, takes down or returns the subject. The
 * handler of an answer calls it at once. The reactor repeats it after an interruption.
 */
@Injectable()
export class CarryOutComplaints implements Reactor<Effective> {
  readonly name = 'carry-out-complaints';
  readonly streamsAtOnce = 4;
  readonly types = EFFECTIVE;

  constructor(
    private readonly commands: CommandBus,
    private readonly streams: Streams,
    private readonly remarks: Remarks,
  ) {}

  handle(event: Recorded<Effective>): Promise<void> {
    return this.carryOut(event);
  }

  /** Idempotent. */
  async carryOut(event: ComplaintEvent): Promise<void> {
    if (!isEffective(event)) return;
    const { complaintId } = event.data;
    const complaint = await this.streams.load(complaintDecider, complaintId);
    if (complaint.status === 'none') return;
    const { subject, creatorId, isHeld, status, counter } = complaint;
    const because = { kind: 'complaint', id: complaintId } as const;
    const { id: sampleId, sha256 } = subject;
    const recording = { sampleId, ...(sha256 !== undefined && { sha256 }) };
    const release = async (by: string): Promise<void> => {
      if (subject.kind === 'sample') await this.commands.execute(new ReleaseSample(sampleId, because, by));
    };
    switch (event.type) {
      case 'ComplaintHeld':
        if (status === 'open') await this.commands.execute(new HoldSample(recording, because, event.data.by));
        return;
      case 'ComplaintWithdrawn':
        if (isHeld) await release(ACTOR);
        return;
      case 'CounterNoticeAnswered': {
        const { by, decision } = event.data;
        if (decision === 'stands') return;
        await release(by);
        if (complaint.isStrike) await this.commands.execute(new LiftStrike(creatorId, because, by));
        return;
      }
      case 'ComplaintAnswered': {
        // A late repeat must not take away what was restored since.
        if (counter === 'restored') return;
        const { by, measure, isStrike } = event.data;
        const reason = await textOf(this.remarks, { reason: '', ...event.data });
        if (isStrike) await this.commands.execute(new RecordStrike(creatorId, because, by));
        if (isHeld && (measure === 'none' || measure === 'return')) await release(by);
        if (measure === 'refuse')
          await this.commands.execute(new RefuseSample(recording, because, by, reason));
        if (measure === 'return')
          await this.commands.execute(new ReturnDefectiveSample(sampleId, reason, by));
        if (measure !== 'take down') return;
        const { id } = subject;
        if (subject.kind === 'pack') await this.commands.execute(new TakeDownPack(id, reason, by));
        else
          await this.commands.execute(
            new TakeDownSample(id, reason, by, { because, ...(sha256 !== undefined && { sha256 }) }),
          );
      }
    }
  }
}
