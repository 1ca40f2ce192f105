import type { Sample } from '../catalogue/contract.js';

/** The catalogue's view of samples that other lists name by id. */
export abstract class ListedSampleQueries {
  /** @returns the listed ones among `ids` */
  abstract byIds(ids: string[], viewerId: string): Promise<Map<string, Sample>>;
}
