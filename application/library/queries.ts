import type { Sample } from '../catalogue/contract.js';

/** Samples of the catalogue for lists of other contexts that name samples by id. */
export abstract class ListedSampleQueries {
  /** @returns those of `ids` that are listed */
  abstract byIds(ids: string[], viewerId: string): Promise<Map<string, Sample>>;
}
