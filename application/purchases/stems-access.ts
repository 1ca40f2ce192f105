import { Injectable } from '@nestjs/common';
import { SubscriptionQueries } from '../subscriptions/queries.js';
import type { SampleFile } from '../storage/queries.js';

/**
 * Decides who may download stems: subscribers of Studio. The plan at the time of the download counts, not at the time
 * of the purchase.
 */
@Injectable()
export class StemsAccess {
  constructor(private readonly subscriptions: SubscriptionQueries) {}

  /**
   * Returns a function that answers whether the user may download the stems of a file. Creators need no plan for their
   * own.
   */
  async of(userId: string): Promise<(file: Pick<SampleFile, 'creatorId'>) => boolean> {
    const { plan, status } = await this.subscriptions.current(userId);
    const inStudio = plan === 'studio' && status === 'active';
    return ({ creatorId }) => inStudio || creatorId === userId;
  }
}
