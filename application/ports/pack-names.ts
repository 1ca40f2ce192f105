/** Addresses and folders that must be unique, taken before the fact that uses them is recorded. */
export abstract class PackNames {
  /**
   * Takes `drums`, else `drums-2`, `drums-3`, … for the pack among its creator's. What a pack once had stays
   * its own, so asking again changes nothing.
   */
  abstract claimSlug(creatorId: string, packId: string, name: string): Promise<string>;
  /** Where a creator's files lie below `Users/`: the handle of the first call, else `handle-2`, `handle-3`, …; for ever. */
  abstract folderOf(userId: string, handle: string): Promise<string>;
}
