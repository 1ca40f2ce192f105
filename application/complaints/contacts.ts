/** A complainant without a session. */
export interface ComplaintContact {
  name: string;
  email: string;
  /** Stands for the address where it must not be readable. */
  complainantId: string;
}

/** Names and addresses of complainants without a session. No event contains them. */
export abstract class ComplaintContacts {
  abstract keep(complaintId: string, contact: ComplaintContact, now: Date): Promise<void>;
  abstract find(complaintId: string): Promise<ComplaintContact | undefined>;
  /** Forgets contacts that never confirmed, and contacts whose complaint was closed before a time. */
  abstract sweep(closedBefore: Date): Promise<void>;
}
