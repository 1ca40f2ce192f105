import type { Insertable, Updateable } from 'kysely';
import type { ComplaintEvent } from '../../domain/complaints/complaint.js';
import { byType } from '../../domain/shared/by-type.js';
import { DatabaseAdapter } from '../platform/database/database.js';
import type { Complaint } from '../platform/database/schema.js';
import { oneByOne } from '../platform/projections/one-by-one.js';
import type { InlineProjection } from '../platform/projections/projection.js';
import { ComplaintContacts, type ComplaintContact } from '../../application/complaints/complainants.js';

type Filed = Extract<ComplaintEvent, { type: 'ComplaintFiled' }>;

const changes = byType<Exclude<ComplaintEvent, Filed>, [], Updateable<Complaint>>({
  ComplaintConfirmed: ({ data }) => ({ status: 'open', opened_at: data.at, due_at: data.answerBy }),
  ComplaintHeld: () => ({ is_held: true }),
  ComplaintAnswered: ({ data }) => ({
    status: data.decision,
    is_held: false,
    decided_by: data.by,
    decided_at: data.at,
    due_at: null,
    measure: data.measure,
    is_strike: data.isStrike,
    reason_remark_id: data.remarkId,
    counter_by: data.counterBy ?? null,
  }),
  CounterNoticeFiled: ({ data }) => ({
    counter_status: 'open',
    counter_filed_at: data.at,
    counter_remark_id: data.remarkId,
    due_at: data.answerBy,
  }),
  CounterNoticeAnswered: ({ data }) => ({
    counter_status: data.decision,
    counter_decided_at: data.at,
    counter_reason_remark_id: data.remarkId,
    due_at: null,
  }),
  ComplaintWithdrawn: ({ data }) => ({
    status: 'withdrawn',
    is_held: false,
    due_at: null,
    decided_at: data.at,
  }),
  ComplaintLapsed: ({ data }) => ({ status: 'lapsed', decided_at: data.at }),
});

export const complaints: InlineProjection<ComplaintEvent> = {
  name: 'complaints',
  version: 1,
  // Complainants and administrators must see a new complaint or answer on their next request.
  lifecycle: 'inline',
  types: ['ComplaintFiled', ...changes.types],
  tables: ['complaint'],
  ...oneByOne<ComplaintEvent>((event, db) => {
    const { version } = event;
    if (event.type === 'ComplaintFiled')
      return db
        .insertInto('complaint')
        .values({ ...filed(event), version })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    return db
      .updateTable('complaint')
      .set({ ...changes.of(event), version })
      .where('complaint_id', '=', event.data.complaintId)
      .where('version', '<', version)
      .execute();
  }),
};

const filed = ({ data }: Filed): Omit<Insertable<Complaint>, 'version'> => ({
  complaint_id: data.complaintId,
  kind: data.kind,
  subject_kind: data.subject.kind,
  subject_id: data.subject.id,
  creator_id: data.creatorId,
  by_id: data.by ?? null,
  in_confidence: data.inConfidence ?? false,
  status: data.by === undefined ? 'unconfirmed' : 'open',
  filed_at: data.at,
  opened_at: data.by === undefined ? null : data.at,
  remark_id: data.remarkId ?? null,
  due_at: data.answerBy ?? null,
});

export class PostgresComplaintContacts extends DatabaseAdapter implements ComplaintContacts {
  async keep(complaintId: string, { name, email, complainantId }: ComplaintContact, now: Date) {
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
