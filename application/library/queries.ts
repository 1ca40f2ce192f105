import type { Sample } from '../catalogue/contract.js';
import type { Workbench } from './workbenches/contract.js';

/** Reads samples of the catalogue for lists that store only the ids of samples. */
export abstract class ListedSampleQueries {
  /** @param viewerId undefined for visitors @returns the listed samples by id, without those that have left the catalogue */
  abstract byIds(ids: string[], viewerId: string | undefined): Promise<Map<string, Sample>>;
  /** Like `byIds`, with samples off sale that the viewer owns or made, unless they were taken down. */
  abstract heardByIds(ids: string[], viewerId: string | undefined): Promise<Map<string, Sample>>;
}

export abstract class WorkbenchQueries {
  abstract byId(userId: string, workbenchId: string): Promise<Workbench | undefined>;
}
