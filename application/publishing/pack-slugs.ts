/** Addresses of packs, each unique among its creator's and taken before the fact that uses it is recorded. */
export abstract class PackSlugs {
  /**
   * Takes `drums`, else `drums-2`, `drums-3`, … for the pack among its creator's. What a pack once had stays
   * its own, so asking again changes nothing.
   */
  abstract claim(creatorId: string, packId: string, name: string): Promise<string>;
}
