/** Somebody without a session who complained. */
export interface ComplaintContact {
  name: string;
  email: string;
  /** Stands for the address where it must not be read. */
  complainantId: string;
}

/** Names and addresses of who complained without a session; no event holds them. */
export abstract class ComplaintContacts {
  abstract keep(complaintId: string, contact: ComplaintContact, now: Date): Promise<void>;
  abstract find(complaintId: string): Promise<ComplaintContact | undefined>;
  /** Forgets who never confirmed, and whose complaint was closed before a moment. */
  abstract sweep(closedBefore: Date): Promise<void>;
}
