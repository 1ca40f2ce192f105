import { randomUUID } from 'node:crypto';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { complainantDecider } from '../../domain/complaints/complainant.js';
import {
  complaintDecider,
  type ComplaintKind,
  type ComplaintSubject,
} from '../../domain/complaints/complaint.js';
import { reject, type Outcome } from '../../domain/shared/decision.js';
import { MailLimits } from '../accounts/attempt-limits.js';
import { Outbox } from '../mail/outbox.js';
import { Clock, WallClock } from '../shared/clock.js';
import { Remarks } from '../shared/remarks.js';
import { Streams } from '../shared/streams.js';
import { ComplaintContacts, ComplaintTokens } from './complainants.js';
import { ComplaintQueries } from './queries.js';

export type Complaining = { userId: string } | { name: string; email: string };

export interface Filing {
  subject: { kind: ComplaintSubject['kind']; id: string };
  kind: ComplaintKind;
  /**
   * The complainant's text, including the description of the infringed work. Empty if the complainant wrote
   * nothing.
   */
  text: string;
  /** Only staff and the complainant may read the text. */
  inConfidence?: boolean;
}

export type FilingOutcome = Outcome<
  { id: string; status: 'unconfirmed' | 'open' },
  { code: 'NotFound' | 'ComplaintsBarred' | 'TooManyRequests' | 'AlreadyFiled' }
>;

export class FileComplaint extends Command<FilingOutcome> {
  constructor(
    readonly by: Complaining,
    readonly filing: Filing,
    /** `complaintId`: id of a report that becomes a complaint. `once`: one open complaint per user and subject. */
    readonly from: { complaintId?: string; once?: boolean } = {},
  ) {
    super();
  }
}

export const CONFIRMATION = 'complaint-confirmation';

@CommandHandler(FileComplaint)
export class FileComplaintHandler implements ICommandHandler<FileComplaint> {
  constructor(
    private readonly complaints: ComplaintQueries,
    private readonly contacts: ComplaintContacts,
    private readonly tokens: ComplaintTokens,
    private readonly streams: Streams,
    private readonly remarks: Remarks,
    private readonly limits: MailLimits,
    private readonly outbox: Outbox,
    private readonly clock: Clock,
    private readonly wall: WallClock,
  ) {}

  async execute({ by, filing, from }: FileComplaint): Promise<FilingOutcome> {
    const { complaintId = randomUUID(), once = false } = from;
    const found = await this.complaints.subject(filing.subject);
    if (!found) return reject({ code: 'NotFound' });
    const userId = 'userId' in by ? by.userId : undefined;
    const complainantId = 'userId' in by ? by.userId : await this.tokens.complainantOf(by.email);
    const { isBarred } = await this.streams.load(complainantDecider, complainantId);
    if (isBarred) return reject({ code: 'ComplaintsBarred' });
    if (once && userId !== undefined && (await this.complaints.isOpen(userId, found.subject.id)))
      return reject({ code: 'AlreadyFiled' });
    if ('email' in by) {
      if (!(await this.limits.mayReceive(by.email, 'complaint'))) return reject({ code: 'TooManyRequests' });
      await this.contacts.keep(complaintId, { ...by, complainantId }, this.wall.now());
    }
    const { kind, text, inConfidence = false } = filing;
    const { subject, creatorId } = found;
    const about = userId === undefined || userId === creatorId ? [creatorId] : [creatorId, userId];
    const stream = complaintDecider.streamOf(complaintId);
    const remark = text === '' ? undefined : await this.remarks.keep(text, { stream, about });
    const command = {
      type: 'FileComplaint',
      complaintId,
      kind,
      subject,
      creatorId,
      by: userId,
      ...(inConfidence && { inConfidence }),
      remark,
      now: this.clock.now().toISOString(),
    } as const;
    const metadata = { actor: userId ?? 'system:visitor', correlationId: complaintId };
    await this.streams.execute(complaintDecider, complaintId, command, metadata);
    if (userId !== undefined || !('email' in by)) return { accepted: true, id: complaintId, status: 'open' };
    const orderId = randomUUID();
    const order = { orderId, letter: CONFIRMATION, email: by.email, userId: null, about: { complaintId } };
    await this.outbox.order(order, { isAwaited: true });
    return { accepted: true, id: complaintId, status: 'unconfirmed' };
  }
}
