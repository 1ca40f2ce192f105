/** A sample about to go on sale. */
export interface RecordingOnSale {
  sampleId: string;
  /** Of the original. */
  sha256: string;
}

/** Which recordings are on sale, and whose: the first creator to publish one is the only one who sells it. */
export abstract class PublishedRecordings {
  /**
   * Takes recordings for a creator who is about to publish them, until the fact is recorded. Of two who publish the
   * same at once one is told to wait for the other.
   * @returns the samples whose recording another creator published before; then nothing is taken
   */
  abstract take(creatorId: string, samples: readonly RecordingOnSale[]): Promise<Set<string>>;
}
