/** Addresses and folders that must be unique, taken before the fact that uses them is recorded. */
export abstract class PackNames {
  /**
   * Takes `drums`, else `drums-2`, `drums-3`, … for the pack among its creator's. What a pack once had stays
   * its own, so asking again changes nothing.
   */
  abstract claimSlug(creatorId: string, packId: string, name: string): Promise<string>;
  /** Where a creator's files lie below `Users/`: under a name that says nothing, given at the first call and kept. */
  abstract folderOf(userId: string): Promise<string>;
}
