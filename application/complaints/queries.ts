import type * as z from 'zod';
import type { ComplaintSubject } from '../../domain/complaints/complaint.js';
import type {
  Complaint,
  ComplaintCounts,
  ComplaintPage,
  ComplaintsQuery,
  OwnComplaint,
  OwnComplaints,
  SubjectCard,
  Transparency,
} from './contract.js';

export interface FoundSubject {
  subject: ComplaintSubject;
  creatorId: string;
  card: SubjectCard;
}

export abstract class ComplaintQueries {
  /** Finds a subject that is or was on offer. @param named.id for a creator the handle works too */
  abstract subject(named: { kind: ComplaintSubject['kind']; id: string }): Promise<FoundSubject | undefined>;
  /** Complaints that wait for staff, earliest deadline first, or closed ones, newest first. */
  abstract list(query: z.infer<typeof ComplaintsQuery>, now: Date): Promise<ComplaintPage>;
  abstract counts(now: Date): Promise<ComplaintCounts>;
  abstract find(complaintId: string, now: Date): Promise<Complaint | undefined>;
  /** The complaint as one side sees it. @param side `filed`: the caller has proved to be the complainant */
  abstract seenBy(complaintId: string, side: OwnComplaint['side']): Promise<OwnComplaint | undefined>;
  /** The side that this user is on, if any. */
  abstract sideOf(complaintId: string, userId: string): Promise<OwnComplaint['side'] | undefined>;
  /** A user's complaints, and those about their work, newest first. */
  abstract of(userId: string): Promise<OwnComplaints>;
  /** Whether this user has an open complaint about the subject. */
  abstract isOpen(userId: string, subjectId: string): Promise<boolean>;
  /** Unconfirmed complaints, filed at or before a time. */
  abstract unconfirmedSince(before: Date): Promise<string[]>;
  abstract transparency(): Promise<Transparency>;
}
