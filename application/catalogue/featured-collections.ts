/** The collections that an administrator put forward on the Sounds page, in that order. */
export abstract class FeaturedCollections {
  abstract slugs(): Promise<string[]>;
  /** In place of what was chosen before; none: the fullest are shown. */
  abstract choose(slugs: readonly string[], chosenBy: string, at: Date): Promise<void>;
}
