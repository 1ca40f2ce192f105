import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Outcome } from '../../domain/shared/decision.js';
import { complainantDecider } from '../../domain/complaints/complainant.js';
import { Clock } from '../shared/clock.js';
import { Remarks } from '../shared/remarks.js';
import { Streams } from '../shared/streams.js';
import { ComplaintContacts } from './contacts.js';
import { NOT_FOUND, DecidedComplaints } from './decided-complaints.js';

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
    private readonly complaints: DecidedComplaints,
    private readonly contacts: ComplaintContacts,
    private readonly remarks: Remarks,
    private readonly streams: Streams,
    private readonly clock: Clock,
  ) {}

  async execute({ complaintId, by, bar }: BarComplainant) {
    const complaint = await this.complaints.load(complaintId);
    if (complaint.status === 'none') return NOT_FOUND;
    const userId = complaint.by;
    const complainantId = userId ?? (await this.contacts.find(complaintId))?.complainantId;
    if (complainantId === undefined) return NOT_FOUND;
    if (by === complainantId || by === complaint.creatorId)
      return { accepted: false, rejection: { code: 'OwnInterest' } } as const;
    const stream = complainantDecider.streamOf(complainantId);
    const remark = await this.remarks.keep(bar.reason, {
      stream,
      about: userId === undefined ? [] : [userId],
    });
    const type = bar.isBarred ? 'BarComplainant' : 'AdmitComplainant';
    const now = this.clock.now().toISOString();
    const command = { type, complainantId, by, remark, now } as const;
    const metadata = { actor: by, correlationId: complaintId };
    await this.streams.execute(complainantDecider, complainantId, command, metadata);
    return { accepted: true } as const;
  }
}
