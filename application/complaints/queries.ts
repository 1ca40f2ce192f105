import type * as z from 'zod';
import type { ComplaintSubject } from '../../domain/complaints/complaint.js';
import type * as contract from './contract.js';

export interface FoundSubject {
  subject: ComplaintSubject;
  creatorId: string;
  card: contract.SubjectCard;
}

export abstract class ComplaintQueries {
  /** Finds a subject that is or was on offer. @param named.id an id, or a creator's handle */
  abstract subject(named: { kind: ComplaintSubject['kind']; id: string }): Promise<FoundSubject | undefined>;
  /** Lists complaints that wait for staff, earliest deadline first, or closed complaints, newest first. */
  abstract list(query: z.infer<typeof contract.ComplaintsQuery>, now: Date): Promise<contract.ComplaintPage>;
  abstract counts(now: Date): Promise<contract.ComplaintCounts>;
  abstract find(complaintId: string, now: Date): Promise<contract.Complaint | undefined>;
  /** Returns the complaint as one side sees it. @param side `filed` if the caller proved to be the complainant */
  abstract seenBy(
    complaintId: string,
    side: contract.OwnComplaint['side'],
  ): Promise<contract.OwnComplaint | undefined>;
  abstract sideOf(complaintId: string, userId: string): Promise<contract.OwnComplaint['side'] | undefined>;
  abstract of(userId: string): Promise<contract.OwnComplaints>;
  abstract isOpen(userId: string, subjectId: string): Promise<boolean>;
  abstract unconfirmedSince(before: Date): Promise<string[]>;
  abstract transparency(): Promise<contract.Transparency>;
}
