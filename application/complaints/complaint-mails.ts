import { serverPaths } from '../pages/paths.js';
import { staffPaths } from '../pages/staff-paths.js';
import { Injectable } from '@nestjs/common';
import {
  complaintDecider,
  type ComplaintEvent,
  type ComplaintState,
} from '../../domain/complaints/complaint.js';
import { CONFIRM_DAYS } from '../../domain/complaints/deadlines.js';
import { AccountSettings } from '../accounts/account-settings.js';
import { StaffQueries } from '../accounts/staff/staff-queries.js';
import { FactMails } from '../mail/fact-mails.js';
import { letter } from '../mail/letter.js';
import type { Mail } from '../mail/mailer.js';
import { Outbox, type OrderedMail } from '../mail/outbox.js';
import { Clock } from '../shared/clock.js';
import type { Recorded, Reactor } from '../shared/event-store.js';
import { byType } from '../../domain/shared/by-type.js';
import { Remarks, textOf } from '../shared/remarks.js';
import { Streams } from '../shared/streams.js';
import { ComplaintContacts } from './contacts.js';
import { ComplaintTokens } from './complaint-tokens.js';
import type { OwnComplaint } from './contract.js';
import { CONFIRMATION } from './file-complaint.js';
import {
  answerLetters,
  confirmLetter,
  counterAnswerLetter,
  counterLetter,
  counterReceivedLetter,
  heldLetter,
  receivedLetter,
  toldLetter,
  withdrawnLetter,
  type Words,
} from './letters.js';
import { ComplaintQueries } from './queries.js';

type Complaint = Exclude<ComplaintState, { status: 'none' }>;
interface Letters {
  complainant?: Words;
  creator?: Words;
}

/** A creator learns of a confidential complaint only when it leads to a hold or a measure. */
const openly = (complaint: Complaint, words: Words): Letters =>
  complaint.inConfidence ? {} : { creator: words };

const receivedLetters = (
  { data: { answerBy } }: { data: { answerBy?: string } },
  complaint: Complaint,
  seen: OwnComplaint,
): Letters =>
  answerBy === undefined
    ? {}
    : { complainant: receivedLetter(seen, answerBy), ...openly(complaint, toldLetter(seen)) };

/** Notifies both sides of every change, and reminds administrators of overdue answers. */
@Injectable()
export class ComplaintMails implements Reactor<ComplaintEvent> {
  readonly name = 'complaint-mails';
  readonly streamsAtOnce = 4;
  private readonly letters = byType<
    Recorded<ComplaintEvent>,
    [complaint: Complaint, seen: OwnComplaint],
    Letters | Promise<Letters>
  >({
    ComplaintFiled: receivedLetters,
    ComplaintConfirmed: receivedLetters,
    ComplaintHeld: (_, __, seen) => ({ creator: heldLetter(seen) }),
    ComplaintAnswered: async ({ data }, complaint, seen) => {
      const reason = await textOf(this.remarks, { reason: '', ...data });
      const { complainant, creator } = answerLetters(seen, { ...data, reason }, data.counterBy);
      return data.measure === 'none'
        ? { complainant, ...openly(complaint, creator) }
        : { complainant, creator };
    },
    CounterNoticeFiled: ({ data: { answerBy } }, _, seen) => ({
      complainant: counterLetter(seen, answerBy),
      creator: counterReceivedLetter(seen, answerBy),
    }),
    CounterNoticeAnswered: async ({ data }, _, seen) => {
      const reason = await textOf(this.remarks, { reason: '', ...data });
      const words = counterAnswerLetter(seen, data.decision, reason);
      return { complainant: words, creator: words };
    },
    ComplaintWithdrawn: (_, complaint, seen) => openly(complaint, withdrawnLetter(seen)),
    ComplaintLapsed: () => ({}),
  });
  readonly types = this.letters.types;

  constructor(
    private readonly mails: FactMails,
    private readonly staff: StaffQueries,
    private readonly complaints: ComplaintQueries,
    private readonly contacts: ComplaintContacts,
    private readonly tokens: ComplaintTokens,
    private readonly streams: Streams,
    private readonly remarks: Remarks,
    private readonly settings: AccountSettings,
    private readonly clock: Clock,
    outbox: Outbox,
  ) {
    outbox.writtenBy([CONFIRMATION], (order) => this.confirmation(order));
  }

  async handle(event: Recorded<ComplaintEvent>): Promise<void> {
    const { complaintId } = event.data;
    const complaint = await this.streams.load(complaintDecider, complaintId);
    const seen = await this.complaints.seenBy(complaintId, 'filed');
    if (complaint.status === 'none' || !seen) return;
    const told = await this.letters.of(event, complaint, seen);
    if (told.complainant) await this.tellComplainant(event, complaint, told.complainant);
    const isOther = complaint.creatorId !== complaint.by;
    if (told.creator && isOther) await this.tell(event, { userId: complaint.creatorId }, told.creator);
  }

  /** Reminds administrators of overdue complaints, once a day. */
  async remind(): Promise<void> {
    const now = this.clock.now();
    const { overdue } = await this.complaints.counts(now);
    if (overdue === 0) return;
    const page = `${this.settings.publicUrl}${staffPaths.adminComplaints()}`;
    for (const { role, userId } of await this.staff.members())
      if (role === 'admin')
        await this.mails.send(
          `complaints overdue ${now.toISOString().slice(0, 10)} ${userId}`,
          { userId, recordedAt: new Date() },
          () => ({
            subject: overdue === 1 ? 'A complaint is overdue' : `${overdue} complaints are overdue`,
            lines: ['The promised date of the answer has passed:', page],
          }),
        );
  }

  private async tellComplainant(
    event: Recorded<ComplaintEvent>,
    { by }: Complaint,
    words: Words,
  ): Promise<void> {
    if (by !== undefined) return this.tell(event, { userId: by }, words);
    const { complaintId } = event.data;
    const contact = await this.contacts.find(complaintId);
    if (!contact) return;
    const token = await this.tokens.for('read', complaintId);
    await this.tell(
      event,
      { email: contact.email, displayName: contact.name },
      words,
      `?${new URLSearchParams({ token })}`,
    );
  }

  private async tell(
    { type, data, version, recordedAt }: Recorded<ComplaintEvent>,
    to: { userId: string } | { email: string; displayName: string },
    { subject, lines }: Words,
    proof = '',
  ): Promise<void> {
    const page = `${this.settings.publicUrl}${serverPaths.complaint(data.complaintId)}${proof}`;
    const side = 'userId' in to ? to.userId : 'contact';
    await this.mails.send(
      `complaint ${data.complaintId} ${type} ${version} ${side}`,
      { ...to, recordedAt },
      () => ({ subject, lines: [...lines, page] }),
    );
  }

  private async confirmation({ email, about }: OrderedMail): Promise<Mail | undefined> {
    const { complaintId = '' } = about;
    const contact = await this.contacts.find(complaintId);
    const seen = await this.complaints.seenBy(complaintId, 'filed');
    if (!contact || seen?.status !== 'unconfirmed') return undefined;
    const { subject, lines } = confirmLetter(seen, CONFIRM_DAYS);
    const confirm = await this.tokens.for('confirm', complaintId);
    const link = `${this.settings.publicUrl}${serverPaths.complaint(complaintId, { confirm })}`;
    const after = 'If it was not you, ignore this mail: the address is forgotten then.';
    return letter({ email, displayName: contact.name }, { subject, lines: [...lines, link, after] });
  }
}
