/** The collections that an administrator chose for the Sounds page, in that order. */
export abstract class FeaturedCollections {
  abstract slugs(): Promise<string[]>;
  /** Replaces the previous choice. If it is empty, the page shows the largest collections. */
  abstract choose(slugs: readonly string[], chosenBy: string, at: Date): Promise<void>;
}
