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

/** What somebody may complain of. */
export interface FoundSubject {
  subject: ComplaintSubject;
  creatorId: string;
  card: SubjectCard;
}

export abstract class ComplaintQueries {
  /** What is or was on offer. @param named.id of a creator the handle, too */
  abstract subject(named: { kind: ComplaintSubject['kind']; id: string }): Promise<FoundSubject | undefined>;
  /** What waits for staff by its deadline, or what was closed, newest first. */
  abstract list(query: z.infer<typeof ComplaintsQuery>, now: Date): Promise<ComplaintPage>;
  abstract counts(now: Date): Promise<ComplaintCounts>;
  abstract find(complaintId: string, now: Date): Promise<Complaint | undefined>;
  /** As one side sees it. @param side `filed`: whoever asks has shown that it is theirs */
  abstract seenBy(complaintId: string, side: OwnComplaint['side']): Promise<OwnComplaint | undefined>;
  /** Which side of it a user is on, if any. */
  abstract sideOf(complaintId: string, userId: string): Promise<OwnComplaint['side'] | undefined>;
  /** A user's complaints, and those about their work, newest first. */
  abstract of(userId: string): Promise<OwnComplaints>;
  /** Whether this user has a complaint about it that waits. */
  abstract isOpen(userId: string, subjectId: string): Promise<boolean>;
  /** Not confirmed, and filed at or before a moment. */
  abstract unconfirmedSince(before: Date): Promise<string[]>;
  abstract transparency(): Promise<Transparency>;
}
