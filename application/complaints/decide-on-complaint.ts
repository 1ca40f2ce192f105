import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { CommandBus, Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import {
  complaintDecider,
  type ComplaintEvent,
  type ComplaintCommand,
  type ComplaintRejection,
  type ComplaintStatus,
  type CounterDecision,
} from '../../domain/complaints/complaint.js';
import { assert, reject, type Outcome } from '../../domain/shared/decision.js';
import { complainantDecider } from '../../domain/complaints/complainant.js';
import { ReturnDefectiveSample, TakeDownSample, TakeDownPack } from '../publishing/takedowns.js';
import { HoldSample, RefuseSample, ReleaseSample } from '../publishing/decide-on-sample.js';
import { LiftStrike, RecordStrike } from '../publishing/suspicions/decide-on-strike.js';
import { eventsOf, type Recorded, type Reactor } from '../shared/event-store.js';
import { Remarks, textOf } from '../shared/remarks.js';
import { Streams } from '../shared/streams.js';
import { Clock } from '../shared/clock.js';
import { ComplaintContacts } from './complainants.js';
import type { ComplaintAnswer } from './contract.js';

const EFFECTIVE = [
  'ComplaintHeld',
  'ComplaintAnswered',
  'CounterNoticeAnswered',
  'ComplaintWithdrawn',
] as const;
type Effective = Extract<ComplaintEvent, { type: (typeof EFFECTIVE)[number] }>;
const isEffective = eventsOf<Effective>(EFFECTIVE);
export const COMPLAINTS_ACTOR = 'system:complaints';

/** The command handler carries out a decision at once. This reactor repeats it, in case the node crashed meanwhile. */
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

  /** Carries out a decision. Repeating it changes nothing. */
  async carryOut(event: ComplaintEvent): Promise<void> {
    if (!isEffective(event)) return;
    const { complaintId } = event.data;
    const complaint = await this.streams.load(complaintDecider, complaintId);
    if (complaint.status === 'none') return;
    const { subject, creatorId, isHeld, status, counter } = complaint;
    const because = { kind: 'complaint', id: complaintId } as const;
    const { id: sampleId, sha256 } = subject;
    const recording = { sampleId, sha256 };
    const release = async (by: string): Promise<void> => {
      if (subject.kind === 'sample') await this.commands.execute(new ReleaseSample(sampleId, because, by));
    };
    switch (event.type) {
      case 'ComplaintHeld':
        if (status === 'open') await this.commands.execute(new HoldSample(recording, because, event.data.by));
        return;
      case 'ComplaintWithdrawn':
        if (isHeld) await release(COMPLAINTS_ACTOR);
        return;
      case 'CounterNoticeAnswered': {
        const { by, decision } = event.data;
        if (decision === 'stands') return;
        await release(by);
        if (complaint.isStrike) await this.commands.execute(new LiftStrike(creatorId, because, by));
        return;
      }
      case 'ComplaintAnswered': {
        // A late repeat must not remove the subject again after a counter-notice restored it.
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
        await this.commands.execute(
          subject.kind === 'pack'
            ? new TakeDownPack(id, reason, by)
            : new TakeDownSample(id, reason, by, { because, sha256 }),
        );
      }
    }
  }
}

export type ComplaintOutcome = Outcome<{ id: string; status: ComplaintStatus }, ComplaintRejection>;

/**
 * `text` is the reason that staff give, or the creator's counter-notice. It is stored outside the log, so that it
 * can be erased.
 */
type ComplaintStep =
  | { type: 'ConfirmComplaint' | 'WithdrawComplaint' | 'LapseComplaint' | 'HoldComplainedAbout' }
  | ({ type: 'AnswerComplaint'; text: string } & Omit<ComplaintAnswer, 'reason'>)
  | { type: 'FileCounterNotice'; text: string }
  | { type: 'AnswerCounterNotice'; text: string; decision: CounterDecision };

/** Records one step of a complaint, and carries out the result at once. */
export class DecideOnComplaint extends Command<ComplaintOutcome> {
  constructor(
    readonly complaintId: string,
    readonly by: string,
    readonly step: ComplaintStep,
  ) {
    super();
  }
}

const NOT_FOUND = reject({ code: 'NotFound' as const });

@CommandHandler(DecideOnComplaint)
export class DecideOnComplaintHandler implements ICommandHandler<DecideOnComplaint> {
  constructor(
    private readonly streams: Streams,
    private readonly remarks: Remarks,
    private readonly effects: CarryOutComplaints,
    private readonly clock: Clock,
  ) {}

  async execute({ complaintId, by, step }: DecideOnComplaint): Promise<ComplaintOutcome> {
    const complaint = await this.streams.load(complaintDecider, complaintId);
    if (complaint.status === 'none') return NOT_FOUND;
    const now = this.clock.now().toISOString();
    let command: ComplaintCommand;
    if ('text' in step) {
      const { text, ...decided } = step;
      // The text is about both sides, so the erasure of either person deletes the text.
      const about = [...new Set([complaint.creatorId, complaint.by ?? complaint.creatorId])];
      const remark = await this.remarks.keep(text, { stream: complaintDecider.streamOf(complaintId), about });
      command = { ...decided, by, remark, now };
    } else command = { ...step, by, now };
    const metadata = { actor: by, correlationId: randomUUID() };
    const outcome = await this.streams.execute(complaintDecider, complaintId, command, metadata);
    if (!outcome.accepted) return outcome;
    assert(outcome.state.status !== 'none', 'a decided complaint exists');
    for (const event of outcome.events) await this.effects.carryOut(event);
    return { accepted: true, id: complaintId, status: outcome.state.status };
  }
}

/** Bars the sender of this complaint from filing more, or admits them again. */
export class BarComplainant extends Command<Outcome<object, { code: 'NotFound' | 'OwnInterest' }>> {
  constructor(
    readonly complaintId: string,
    readonly by: string,
    readonly bar: { isBarred: boolean; reason: string },
  ) {
    super();
  }
}

@CommandHandler(BarComplainant)
export class BarComplainantHandler implements ICommandHandler<BarComplainant> {
  constructor(
    private readonly contacts: ComplaintContacts,
    private readonly remarks: Remarks,
    private readonly streams: Streams,
    private readonly clock: Clock,
  ) {}

  async execute({ complaintId, by, bar }: BarComplainant) {
    const complaint = await this.streams.load(complaintDecider, complaintId);
    if (complaint.status === 'none') return NOT_FOUND;
    const userId = complaint.by;
    const complainantId = userId ?? (await this.contacts.find(complaintId))?.complainantId;
    if (complainantId === undefined) return NOT_FOUND;
    if (by === complainantId || by === complaint.creatorId) return reject({ code: 'OwnInterest' as const });
    const stream = complainantDecider.streamOf(complainantId);
    const about = userId === undefined ? [] : [userId];
    const remark = await this.remarks.keep(bar.reason, { stream, about });
    const type = bar.isBarred ? 'BarComplainant' : 'AdmitComplainant';
    const now = this.clock.now().toISOString();
    const command = { type, complainantId, by, remark, now } as const;
    const metadata = { actor: by, correlationId: complaintId };
    await this.streams.execute(complainantDecider, complainantId, command, metadata);
    return { accepted: true } as const;
  }
}
