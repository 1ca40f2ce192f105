/** Addresses of packs, unique for each creator. A slug is claimed before the event that uses it is recorded. */
export abstract class PackSlugs {
  /** Claims `drums`, or else `drums-2`, `drums-3`, … A pack keeps its slugs, so repeated claims change nothing. */
  abstract claim(creatorId: string, packId: string, name: string): Promise<string>;
}
