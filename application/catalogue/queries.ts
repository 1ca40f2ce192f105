import type { ComplaintKind } from '../../domain/complaints/complaint.js';

/** The signed-in user, who gets `saved` and `owned`. Undefined for visitors, who get neither. */
export type ViewerId = string | undefined;

export type Addressed<Page, Address> =
  | { kind: 'found'; page: Page }
  | { kind: 'moved'; to: Address }
  | { kind: 'absent' };

export interface Takedown {
  /** The complaint that led to the takedown. Absent if an administrator decided without one. */
  complaint?: { kind: ComplaintKind; at: Date };
}

/** The version of the public pages. Each part changes as soon as its data changes. */
export interface CatalogueVersion {
  /** Changes when the packs on sale change, or what creators publish about their packs and themselves. */
  structure: string;
  popularity: string;
  /** Log position of the last event that changed what is on sale. */
  listed: number;
}

export abstract class CatalogueVersionQueries {
  abstract current(): Promise<CatalogueVersion>;
}

export interface SiteAddress {
  page: 'pack' | 'creator' | 'sample';
  params: Record<string, string>;
  changedAt: string;
}
