/** A sample that a listener was shown. */
export interface Shown {
  id: string;
  creatorId: string;
}

/**
 * Counts how often samples are shown, played and saved, without naming the listener.
 * Counts stay in memory for some seconds, so that no request waits for them. A crash loses these.
 */
export abstract class Reach {
  /** @param viewerId creators do not count for their own samples @param words the words of the search */
  abstract shown(samples: readonly Shown[], viewerId: string | undefined, words?: string): void;
  abstract played(sampleId: string): void;
  abstract saved(sampleId: string): void;
}
