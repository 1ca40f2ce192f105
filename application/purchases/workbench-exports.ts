import { Injectable } from '@nestjs/common';
import { reject } from '../../domain/shared/decision.js';
import { WorkbenchQueries } from '../library/queries.js';
import type { DawFormat } from './values.js';
import { ZipDownloads } from './zip-downloads.js';

@Injectable()
export class WorkbenchExports {
  constructor(
    private readonly workbenches: WorkbenchQueries,
    private readonly zips: ZipDownloads,
  ) {}

  /** Exports all samples of a workbench, or none. @throws StorageUnavailable before the first byte */
  async export(
    userId: string,
    id: string,
    { format, tagged: isTagged }: { format: DawFormat | 'zip'; tagged: boolean },
  ) {
    const workbench = await this.workbenches.byId(userId, id);
    if (!workbench) return reject({ code: 'NotFound' as const });
    const { name, lanes, missingCredits } = workbench;
    const project = format === 'zip' ? undefined : { ...workbench, format };
    const sampleIds = lanes.map(({ sampleId }) => sampleId);
    const result = await this.zips.pack(userId, sampleIds, { name, project, isWhole: true, isTagged });
    if (result.accepted || result.rejection.code !== 'SampleNotOwned') return result;
    const { code, sampleIds: missingIds } = result.rejection;
    const missingSamples = missingIds.map((sampleId) => {
      const { title = '', sample = null } = lanes.find((lane) => lane.sampleId === sampleId) ?? {};
      // Creators buy their own samples for nothing.
      const creditCost = sample?.creator.id === userId ? 0 : (sample?.creditCost ?? null);
      return { sampleId, title, creditCost };
    });
    return reject({ code, sampleIds: missingIds, missingSamples, missingCredits });
  }
}
