/** The collections that an administrator put forward on the Sounds page, in that order. */
export abstract class FeaturedCollections {
  abstract slugs(): Promise<string[]>;
  /** Replaces the former choice; without a choice the fullest are shown. */
  abstract choose(slugs: readonly string[], chosenBy: string, at: Date): Promise<void>;
}
