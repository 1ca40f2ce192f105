import { Injectable } from '@nestjs/common';
import { ComplaintContacts, type ComplaintContact } from '../../application/complaints/contacts.js';
import { Database } from '../platform/database/database.js';

@Injectable()
export class PostgresComplaintContacts implements ComplaintContacts {
  constructor(private readonly database: Database) {}

  async keep(
    complaintId: string,
    { name, email, complainantId }: ComplaintContact,
    now: Date,
  ): Promise<void> {
    await this.database.db
      .insertInto('complaint_contact')
      .values({ complaint_id: complaintId, name, email, complainant_id: complainantId, filed_at: now })
      .execute();
  }

  find(complaintId: string): Promise<ComplaintContact | undefined> {
    return this.database.db
      .selectFrom('complaint_contact')
      .select(['name', 'email', 'complainant_id as complainantId'])
      .where('complaint_id', '=', complaintId)
      .executeTakeFirst();
  }

  async sweep(closedBefore: Date): Promise<void> {
    const { db } = this.database;
    const gone = db
      .selectFrom('complaint')
      .select('complaint_id')
      .where(({ eb, and, or }) =>
        or([
          eb('status', '=', 'lapsed'),
          and([eb('decided_at', '<', closedBefore), eb('due_at', 'is', null)]),
        ]),
      );
    await db.deleteFrom('complaint_contact').where('complaint_id', 'in', gone).execute();
  }
}
