/** A sample that the shop showed to a listener. */
export interface Shown {
  id: string;
  creatorId: string;
}

/**
 * Counts how often samples are shown, played and saved, without naming the listener.
 * Counts stay in memory for some seconds, so that no request waits for the database. A crash loses those counts.
 */
export abstract class Reach {
  /**
   * @param viewerId the user who saw the samples; samples that this user created are not
   * counted @param words the words of the search
   */
  abstract shown(samples: readonly Shown[], viewerId: string | undefined, words?: string): void;
  abstract played(sampleId: string): void;
  abstract saved(sampleId: string): void;
}
