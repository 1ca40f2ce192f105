import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { lapsedBefore } from '../../domain/complaints/deadlines.js';
import { Clock } from '../shared/clock.js';
import { forEachCollectingErrors } from '../shared/for-each-collecting-errors.js';
import { LapseComplaint } from './confirm-complaint.js';
import { ComplaintMails } from './complaint-mails.js';
import { ComplaintContacts } from './contacts.js';
import { ComplaintQueries } from './queries.js';

/** Contact data is kept for this long, so that a complainant can ask about the answer. */
const CONTACT_MS = 365 * 86_400_000;

/** Lapses complaints that were not confirmed, forgets addresses, and reminds of overdue answers. */
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
      this.commands.execute(new LapseComplaint(id)),
    );
    await this.contacts.sweep(new Date(now.getTime() - CONTACT_MS));
    await this.mails.remind();
  }
}
