import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import {
  complaintDecider,
  type ComplaintEvent,
  type ComplaintState,
} from '../../domain/complaints/complaint.js';
import { CONFIRM_DAYS, lapsedBefore } from '../../domain/complaints/deadlines.js';
import { byType } from '../../domain/shared/by-type.js';
import { serverPaths } from '../pages/paths.js';
import { staffPaths } from '../pages/staff-paths.js';
import { AccountSettings } from '../accounts/account-settings.js';
import { StaffQueries } from '../accounts/staff/staff-queries.js';
import { FactMails, type FactLetter } from '../mail/fact-mails.js';
import { letter, type Mail } from '../mail/mailer.js';
import { Outbox, type OrderedMail } from '../mail/outbox.js';
import { Clock } from '../shared/clock.js';
import type { Recorded, Reactor } from '../shared/event-store.js';
import { Remarks, textOf } from '../shared/remarks.js';
import { Streams } from '../shared/streams.js';
import { ComplaintContacts, ComplaintTokens } from './complainants.js';
import type { OwnComplaint } from './contract.js';
import { CONFIRMATION } from './file-complaint.js';
import * as letters from './letters.js';
import { ComplaintQueries } from './queries.js';
import { forEachCollectingErrors } from '../shared/for-each-collecting-errors.js';
import { COMPLAINTS_ACTOR, DecideOnComplaint } from './decide-on-complaint.js';

type Complaint = Exclude<ComplaintState, { status: 'none' }>;
interface Letters {
  complainant?: FactLetter;
  creator?: FactLetter;
}

/** A creator learns of a confidential complaint only when it leads to a hold or a measure. */
const openly = (complaint: Complaint, words: FactLetter): Letters =>
  complaint.inConfidence ? {} : { creator: words };

const receivedLetters = (
  { data: { answerBy } }: { data: { answerBy?: string } },
  complaint: Complaint,
  seen: OwnComplaint,
): Letters =>
  answerBy === undefined
    ? {}
    : {
        complainant: letters.receivedLetter(seen, answerBy),
        ...openly(complaint, letters.creatorLetter(seen)),
      };

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
    ComplaintHeld: (_, __, seen) => ({ creator: letters.heldLetter(seen) }),
    ComplaintAnswered: async ({ data }, complaint, seen) => {
      const reason = await textOf(this.remarks, { reason: '', ...data });
      const { complainant, creator } = letters.answerLetters(seen, { ...data, reason }, data.counterBy);
      return data.measure === 'none'
        ? { complainant, ...openly(complaint, creator) }
        : { complainant, creator };
    },
    CounterNoticeFiled: ({ data: { answerBy } }, _, seen) => ({
      complainant: letters.counterLetter(seen, answerBy),
      creator: letters.counterReceivedLetter(seen, answerBy),
    }),
    CounterNoticeAnswered: async ({ data }, _, seen) => {
      const reason = await textOf(this.remarks, { reason: '', ...data });
      const words = letters.counterAnswerLetter(seen, data.decision, reason);
      return { complainant: words, creator: words };
    },
    ComplaintWithdrawn: (_, complaint, seen) => openly(complaint, letters.withdrawnLetter(seen)),
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
    const written = await this.letters.of(event, complaint, seen);
    if (written.complainant) await this.tellComplainant(event, complaint, written.complainant);
    const isOther = complaint.creatorId !== complaint.by;
    if (written.creator && isOther) await this.tell(event, { userId: complaint.creatorId }, written.creator);
  }

  async remind(): Promise<void> {
    const now = this.clock.now();
    const { overdue } = await this.complaints.counts(now);
    if (overdue === 0) return;
    const page = `${this.settings.publicUrl}${staffPaths.adminComplaints()}`;
    for (const { role, userId } of await this.staff.members())
      if (role === 'admin')
        await this.mails.send(
          `complaints overdue ${now.toISOString().slice(0, 10)} ${userId}`,
          { userId, about: { recordedAt: new Date() } },
          () => ({
            subject: overdue === 1 ? 'A complaint is overdue' : `${overdue} complaints are overdue`,
            lines: ['The promised date of the answer has passed:', page],
          }),
        );
  }

  private async tellComplainant(event: Recorded<ComplaintEvent>, { by }: Complaint, words: FactLetter) {
    if (by !== undefined) return this.tell(event, { userId: by }, words);
    const { complaintId } = event.data;
    const contact = await this.contacts.find(complaintId);
    if (!contact) return;
    const token = await this.tokens.for('read', complaintId);
    const to = { email: contact.email, displayName: contact.name };
    await this.tell(event, to, words, `?${new URLSearchParams({ token })}`);
  }

  private async tell(
    event: Recorded<ComplaintEvent>,
    to: { userId: string } | { email: string; displayName: string },
    { lines, ...words }: FactLetter,
    proof = '',
  ): Promise<void> {
    const { type, data, version } = event;
    const page = `${this.settings.publicUrl}${serverPaths.complaint(data.complaintId)}${proof}`;
    const fact = `complaint ${data.complaintId} ${type} ${version} ${'userId' in to ? to.userId : 'contact'}`;
    await this.mails.send(fact, { ...to, about: event }, () => ({ ...words, lines: [...lines, page] }));
  }

  private async confirmation({ email, about }: OrderedMail): Promise<Mail | undefined> {
    const { complaintId = '' } = about;
    const contact = await this.contacts.find(complaintId);
    const seen = await this.complaints.seenBy(complaintId, 'filed');
    if (!contact || seen?.status !== 'unconfirmed') return undefined;
    const { subject, lines } = letters.confirmLetter(seen, CONFIRM_DAYS);
    const confirm = await this.tokens.for('confirm', complaintId);
    const link = `${this.settings.publicUrl}${serverPaths.complaint(complaintId, { confirm })}`;
    const after = 'If it was not you, ignore this mail: the address is forgotten then.';
    return letter({ email, displayName: contact.name }, { subject, lines: [...lines, link, after] });
  }
}

/** Contacts are kept for this long after a complaint was closed, so that the complainant can ask about the answer. */
const CONTACT_MS = 365 * 86_400_000;

@Injectable()
export class ComplaintSweep {
  constructor(
    private readonly complaints: ComplaintQueries,
    private readonly contacts: ComplaintContacts,
    private readonly mails: ComplaintMails,
    private readonly commands: CommandBus,
    private readonly clock: Clock,
  ) {}

  async run(): Promise<void> {
    const now = this.clock.now();
    await forEachCollectingErrors(await this.complaints.unconfirmedSince(lapsedBefore(now)), (id) =>
      this.commands.execute(new DecideOnComplaint(id, COMPLAINTS_ACTOR, { type: 'LapseComplaint' })),
    );
    await this.contacts.sweep(new Date(now.getTime() - CONTACT_MS));
    await this.mails.remind();
  }
}
